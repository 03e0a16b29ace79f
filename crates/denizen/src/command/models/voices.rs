//! Which voice is used once voices were installed, and how to have another.

use std::path::Path;

use ::settings::{Settings, SpeechProvider};
use runtime::ports::SpeechEngines as _;
use speech::Engines;
use weights::{Model, Purpose, Shelf};

/// What the next voice session speaks with, and how each of these voices is chosen where that is another.
pub async fn in_use(
    engines: &Engines,
    shelf: &Shelf,
    installed: &[&Model],
    settings: &Settings,
) -> Vec<String> {
    let is_voice = |model: &&&Model| model.serves == Some(Purpose::Voice);
    let voices: Vec<&&Model> = installed.iter().filter(is_voice).collect();
    if voices.is_empty() {
        return Vec::new();
    }
    let mouth = engines.standing(settings).await.mouth;
    let mut lines = vec![match mouth.remedy {
        None => format!(
            "Voice: the next voice session speaks with {}: {}.",
            mouth.engine, mouth.detail
        ),
        Some(remedy) => format!("Voice: {remedy}."),
    }];
    let chosen = engines.voice_folder(settings);
    for model in voices {
        let folder = shelf.folder(model);
        if chosen.as_deref() != Some(&*folder) {
            let how = chooses(engines, settings, &folder).join(" && ");
            lines.push(format!(
                "{} is here and not used; to have it: `{how}`",
                model.name
            ));
        }
    }
    lines
}

/// The fewest settings by which the voice in a folder is the one that speaks.
fn chooses(engines: &Engines, settings: &Settings, folder: &Path) -> Vec<String> {
    let path = folder.display().to_string();
    let tries = [
        (Some(SpeechProvider::Kokoro), None),
        (Some(SpeechProvider::Piper), None),
        (None, Some(&path)),
        (Some(SpeechProvider::Auto), Some(&path)),
    ];
    let changed = |(provider, path): &(Option<SpeechProvider>, Option<&String>)| {
        let mut changed = settings.clone();
        changed.stt_pipeline.tts_provider = provider.unwrap_or(settings.stt_pipeline.tts_provider);
        if let Some(path) = path {
            changed.stt_pipeline.tts_path = (*path).clone();
        }
        changed
    };
    let works = |tried: &&(Option<SpeechProvider>, Option<&String>)| {
        engines.voice_folder(&changed(tried)).as_deref() == Some(folder)
    };
    // The last names both, and so always works.
    let (provider, path) = tries.iter().find(works).unwrap_or(&tries[3]);
    let set = |key: &str, value: &str| format!("denizen settings set voice.sttPipeline.{key} {value}");
    let provider = provider.map(|provider| set("ttsProvider", provider.name()));
    let path = path.map(|path| set("ttsPath", &format!("'{path}'")));
    provider.into_iter().chain(path).collect()
}

#[cfg(test)]
#[path = "voices_tests.rs"]
mod tests;
