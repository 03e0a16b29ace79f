//! What it hears and speaks with in the voice of rooms.

use std::path::Path;

use providers::Finding;
use runtime::ports::{SpeechEngines, SpeechStanding};
use settings::Settings;

use crate::house::speech_of;

/// Loads what is chosen, to see whether it can be.
pub async fn examine(data: &Path, settings: &Settings) -> Vec<Finding> {
    if !settings.voice.enabled {
        return vec![super::good("voice", "switched off (voice.enabled)".to_owned())];
    }
    let chosen = speech_of(data).chosen(settings).await;
    vec![
        finding("ears", chosen.ears_standing),
        finding("voice", chosen.mouth_standing),
    ]
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
