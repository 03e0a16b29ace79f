//! Programs that speak: started for a sentence, given it on their input, and ended when nobody listens.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

use super::voicebox::Sound;
use crate::services::SoundBody;
use crate::trouble::{Trouble, one_line};

/// Of what a program complains about no more is read.
const COMPLAINT_BYTES_MAX: u64 = 4_096;
/// Of what a program writes no more is read: ten minutes of sound.
const OUTPUT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A program with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) arguments: Vec<String>,
}

impl Program {
    /// Finds a program by its name, as a shell would, or by its path.
    pub(crate) fn find(name: &str) -> Option<PathBuf> {
        let is_program = |path: &Path| path.metadata().is_ok_and(|found| can_run(&found));
        if name.contains('/') {
            return Some(PathBuf::from(name)).filter(|path| is_program(path));
        }
        let places = std::env::var_os("PATH")?;
        std::env::split_paths(&places)
            .map(|place| place.join(name))
            .find(|path| is_program(path))
    }

    fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(OsStr::new("the program"));
        name.to_string_lossy().into_owned()
    }

    fn start(&self) -> Result<Child, Trouble> {
        let started = Command::new(&self.path)
            .args(&self.arguments)
            // Keys are in the environment, and no voice needs them.
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, _)| is_handed_on(&name.to_string_lossy())))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn();
        started
            .map_err(|error| Trouble::lasting(format!("{} cannot be started: {error}", self.path.display())))
    }

    /// Gives the program a text and hands on the sound that it writes.
    pub(crate) async fn say(
        &self,
        text: &str,
        bare_rate: u32,
        sound: &mpsc::Sender<Sound>,
    ) -> Result<(), Trouble> {
        let mut child = self.start()?;
        let mut output = child.stdout.take().ok_or_else(|| Trouble::broken(&self.name()))?;
        self.give(&mut child, text);
        let mut body = SoundBody::new(bare_rate);
        let mut buffer = vec![0; 16 * 1024];
        let mut taken = 0;
        loop {
            let read = output
                .read(&mut buffer)
                .await
                .map_err(|_| Trouble::broken(&self.name()))?;
            taken += read;
            if read == 0 || taken > OUTPUT_BYTES_MAX {
                break;
            }
            let samples = body.push(&buffer[..read], &self.name())?;
            let piece = Sound {
                rate: body.rate(),
                samples,
                marks: Vec::new(),
            };
            if sound.send(piece).await.is_err() {
                return Ok(());
            }
        }
        self.end(child).await
    }

    /// Gives the program a text and takes what it writes about it.
    pub(crate) async fn ask(&self, text: &str) -> Result<String, Trouble> {
        let mut child = self.start()?;
        let output = child.stdout.take().ok_or_else(|| Trouble::broken(&self.name()))?;
        self.give(&mut child, text);
        let mut answer = Vec::new();
        output
            .take(1024 * 1024)
            .read_to_end(&mut answer)
            .await
            .map_err(|_| Trouble::broken(&self.name()))?;
        self.end(child).await?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    /// Writes beside the reading: a program may speak before it has read everything.
    fn give(&self, child: &mut Child, text: &str) {
        if let Some(mut input) = child.stdin.take() {
            let text = format!("{text}\n");
            tokio::spawn(async move {
                let _ = input.write_all(text.as_bytes()).await;
                let _ = input.shutdown().await;
            });
        }
    }

    async fn end(&self, mut child: Child) -> Result<(), Trouble> {
        let complaint = child.stderr.take();
        let mut words = Vec::new();
        if let Some(complaint) = complaint {
            let _ = complaint.take(COMPLAINT_BYTES_MAX).read_to_end(&mut words).await;
        }
        match child.wait().await {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Trouble::lasting(format!(
                "{} ended with {status}: {}",
                self.name(),
                one_line(&String::from_utf8_lossy(&words))
            ))),
            Err(_) => Err(Trouble::broken(&self.name())),
        }
    }
}

/// What a program that speaks may know of the environment.
fn is_handed_on(name: &str) -> bool {
    let whole = [
        "PATH",
        "HOME",
        "LANG",
        "TMPDIR",
        "LD_LIBRARY_PATH",
        "ESPEAK_DATA_PATH",
    ];
    whole.contains(&name) || name.starts_with("LC_") || cfg!(windows) && !name.ends_with("_KEY")
}

#[cfg(unix)]
fn can_run(found: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    found.is_file() && found.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn can_run(found: &std::fs::Metadata) -> bool {
    found.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[tokio::test]
    async fn a_program_that_speaks_sees_no_keys() {
        let program = Program {
            path: Program::find("env").expect("every system has it"),
            arguments: Vec::new(),
        };
        // Cargo sets this one for every test; it stands for whatever else is there.
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        let seen = program.ask("").await.expect("it runs");
        assert!(
            seen.contains("PATH=") && !seen.contains("CARGO_MANIFEST_DIR"),
            "{seen}"
        );
        assert!(!is_handed_on("OPENAI_API_KEY") && is_handed_on("LC_ALL"));
    }

    #[test]
    fn a_file_that_cannot_be_run_is_no_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("voice");
        std::fs::write(&file, "#!/bin/sh\n").expect("written");
        let path = file.to_string_lossy().into_owned();
        assert_eq!(Program::find(&path), None);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("set");
        assert_eq!(Program::find(&path), Some(file));
    }
}
