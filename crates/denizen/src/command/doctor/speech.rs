//! What it hears and speaks with in the voice of rooms.

use std::path::Path;
use std::time::Duration;

use providers::Finding;
use runtime::ports::{RealtimeUnreached, SpeechEngines, SpeechStanding};
use settings::Settings;
use speech::Unreached;

use crate::house::speech_of;

/// How long a server that hears or speaks has to answer.
const TRIED_FOR: Duration = Duration::from_secs(5);

/// Loads what is chosen, to see whether it can be.
pub async fn examine(data: &Path, settings: &Settings) -> Vec<Finding> {
    if !settings.voice.enabled {
        return vec![super::good("voice", "switched off (voice.enabled)".to_owned())];
    }
    let engines = speech_of(data);
    let chosen = engines.chosen(settings).await;
    let hears = chosen.ears_standing.works;
    let engines_of = [&chosen.ears_standing, &chosen.mouth_standing].map(|standing| standing.engine.clone());
    // Whether a server is there is seen by asking it.
    let (ears, voice) = engines.unreached(settings, TRIED_FOR).await;
    let mut findings = vec![
        tried("ears", chosen.ears_standing, ears),
        tried("voice", chosen.mouth_standing, voice),
    ];
    findings.extend(realtime(engines.try_realtime(settings, TRIED_FOR).await));
    findings.extend(super::ending::of_speech(&engines_of[0], &engines_of[1], settings));
    if hears {
        findings.push(name_as_heard(settings));
    }
    findings.extend(sounds(settings.voice.sounds_path.trim()).await);
    findings
}

/// A realtime service, where one is chosen that can be had.
fn realtime(tried: Option<(String, Result<(), RealtimeUnreached>)>) -> Option<Finding> {
    let (description, tried) = tried?;
    Some(match tried {
        Ok(()) => super::good(
            "realtime",
            format!("{description}: it lets in and sets a session up"),
        ),
        Err(why) if why.is_slow => super::noted("realtime", why.detail, &why.remedy),
        Err(why) => super::bad("realtime", why.detail, &why.remedy),
    })
}

/// The operator's short sounds, where there is a folder for them.
async fn sounds(folder: &str) -> Option<Finding> {
    if folder.is_empty() {
        return None;
    }
    let path = std::path::PathBuf::from(folder);
    let looking = tokio::task::spawn_blocking(move || speech::sounds_in(&path));
    let speech::SoundFolder { names, problems } = looking.await.unwrap_or_default();
    let detail = match names.is_empty() {
        true => format!("none that can be played in {folder}"),
        false => format!("{} in {folder}: {}", names.len(), names.join(", ")),
    };
    Some(match problems.is_empty() {
        true => super::good("sounds", detail),
        false => super::noted("sounds", detail, &format!("{}.", problems.join(". "))),
    })
}

/// How the ears write the name, where that was found out.
fn name_as_heard(settings: &Settings) -> Finding {
    let name = &settings.identity.name;
    match settings.voice.name_spellings.as_slice() {
        [] => super::noted(
            "name aloud",
            format!("counts where the ears write {name}, and only so"),
            "Run `denizen learn-name`: it finds out how they write it otherwise.",
        ),
        spellings => super::good(
            "name aloud",
            format!(
                "{name}, and as the ears also write it: {} (voice.nameSpellings)",
                spellings.join(", ")
            ),
        ),
    }
}

/// How it stands, unless a server or a service was chosen that does not answer.
fn tried(what: &str, standing: SpeechStanding, unreached: Option<Unreached>) -> Finding {
    match unreached {
        None => finding(what, standing),
        Some(why) => {
            let detail = format!("{}: {}", standing.engine, why.detail);
            match why.is_slow {
                true => super::noted(what, detail, &why.remedy),
                false => super::bad(what, detail, &why.remedy),
            }
        }
    }
}

/// What is missing is no fault: typed words stand in for ears, and the built-in voice for another.
fn finding(what: &str, standing: SpeechStanding) -> Finding {
    match standing.remedy {
        None => super::good(what, format!("{}: {}", standing.engine, standing.detail)),
        Some(remedy) => {
            let detail = match standing.works {
                true => format!("{} stands in", standing.engine),
                false => "none".to_owned(),
            };
            super::noted(what, detail, &remedy)
        }
    }
}
