//! A running process that is talked to: its ears and voice, and recordings that are played to it as microphones.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::process::{TOKEN, settle_settings};
use crate::spoken::making::Parts;

/// Gives a folder the ears and the voice of this machine, and whatever else is wanted, which goes before.
pub fn configure(program: &Path, data: &Path, parts: &Parts, more: Value) -> anyhow::Result<()> {
    let shown = |path: &Option<PathBuf>| {
        path.as_deref()
            .map_or(String::new(), |path| path.display().to_string())
    };
    let mut settings = json!({
        "voice.nameSpellings": ["denison", "denizan", "denizin"],
        "voice.sttPipeline.transcriptionProvider": "local",
        "voice.sttPipeline.transcriptionPath": shown(&parts.ears),
        "voice.sttPipeline.ttsProvider": if parts.voice.is_some() { "piper" } else { "builtin" },
        "voice.sttPipeline.ttsPath": shown(&parts.voice),
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        settings[key] = value.clone();
    }
    settle_settings(program, data, &settings)
}

/// Plays each recording as the microphone of the one who is named beside it, to its end.
pub async fn say(
    program: &Path,
    data: &Path,
    (files, people): (&[PathBuf], &[&str]),
    how: &[&str],
) -> anyhow::Result<()> {
    let mut say = Command::new(program);
    say.arg("say").args(files).args(how).args(["--silence", "3"]);
    for name in people {
        say.args(["--as", name]);
    }
    say.env("DENIZEN_DATA", data)
        .env("DENIZEN_TOKEN", TOKEN)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let said = tokio::task::spawn_blocking(move || say.output())
        .await?
        .context("nobody can talk")?;
    ensure!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    tokio::time::sleep(Duration::from_millis(500)).await;
    Ok(())
}
