//! The ears and the mouth that settings choose, made ready once and kept: what is slow to load is shared by all rooms.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use runtime::ports::{ChosenSpeech, SoundFrame, SpeechEngines, SpeechStanding};
use settings::Settings;
use tokio::sync::Mutex;

use crate::choice::{EarsChoice, EarsEngine, MouthChoice, MouthEngine};
use crate::ears::Ears;
use crate::keys::SpeechKeys;
use crate::mouths::Mouth;
use crate::sounds;
use crate::status::SpeechStatus;

/// Ears and mouths that are kept ready; communities may have different ones.
const KEPT_MAX: usize = 4;

/// Where models were installed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstalledSpeech {
    pub ears: Option<PathBuf>,
    pub voice: Option<PathBuf>,
    /// The library of ONNX Runtime, where it is named; without it, one is looked for.
    pub library: Option<PathBuf>,
}

/// Whoever has ears and mouths, by the settings.
pub struct Engines {
    keys: SpeechKeys,
    installed: Box<dyn Fn() -> InstalledSpeech + Send + Sync>,
    ears: Mutex<Vec<(EarsChoice, Arc<Ears>)>>,
    mouths: Mutex<Vec<(MouthChoice, Arc<Mouth>)>>,
}

impl std::fmt::Debug for Engines {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Engines").finish_non_exhaustive()
    }
}

impl Engines {
    /// `installed` is asked each time, so that what was installed meanwhile is there for the next session.
    pub fn new(keys: SpeechKeys, installed: impl Fn() -> InstalledSpeech + Send + Sync + 'static) -> Self {
        Self {
            keys,
            installed: Box::new(installed),
            ears: Mutex::default(),
            mouths: Mutex::default(),
        }
    }

    async fn ears(&self, choice: EarsChoice) -> Arc<Ears> {
        let mut kept = self.ears.lock().await;
        if let Some((_, ears)) = kept.iter().find(|(chosen, _)| *chosen == choice) {
            return ears.clone();
        }
        let (keys, wanted) = (self.keys.clone(), choice.clone());
        let made = tokio::task::spawn_blocking(move || Ears::new(&wanted, &keys)).await;
        let ears = Arc::new(made.unwrap_or_else(|_| Ears::new(&EarsChoice::none(), &SpeechKeys::default())));
        // What is missing may be there the next time.
        if ears.status().ready {
            kept.insert(0, (choice, ears.clone()));
            kept.truncate(KEPT_MAX);
        }
        ears
    }

    async fn mouth(&self, choice: MouthChoice) -> Arc<Mouth> {
        let mut kept = self.mouths.lock().await;
        if let Some((_, mouth)) = kept.iter().find(|(chosen, _)| *chosen == choice) {
            return mouth.clone();
        }
        let (keys, wanted) = (self.keys.clone(), choice.clone());
        let made = tokio::task::spawn_blocking(move || Mouth::new(&wanted, &keys)).await;
        let mouth =
            Arc::new(made.unwrap_or_else(|_| Mouth::new(&MouthChoice::none(), &SpeechKeys::default())));
        if mouth.status().as_chosen {
            kept.insert(0, (choice, mouth.clone()));
            kept.truncate(KEPT_MAX);
        }
        mouth
    }
}

#[async_trait]
impl SpeechEngines for Engines {
    async fn chosen(&self, settings: &Settings) -> ChosenSpeech {
        let installed = (self.installed)();
        let library = installed.library;
        let ears_choice = EarsChoice {
            library: library.clone(),
            ..ears_choice(settings, installed.ears)
        };
        let mouth_choice = MouthChoice {
            library,
            ..mouth_choice(settings, installed.voice)
        };
        let wants_ears = ears_choice.engine != EarsEngine::None;
        let (ears, mouth) = tokio::join!(self.ears(ears_choice), self.mouth(mouth_choice));
        let ears_standing = standing(ears.status(), wants_ears.then_some("ears"));
        let mouth_standing = standing(mouth.status(), None);
        ChosenSpeech {
            ears,
            mouth,
            ears_standing,
            mouth_standing,
        }
    }

    async fn sound(&self, settings: &Settings, name: &str) -> Result<Vec<SoundFrame>, String> {
        let folder = settings.voice.sounds_path.trim().to_owned();
        let name = name.to_owned();
        let read = tokio::task::spawn_blocking(move || sounds::read(Path::new(&folder), &name)).await;
        read.unwrap_or_else(|_| Err("the sound could not be read".to_owned()))
    }

    async fn sounds(&self, settings: &Settings) -> Vec<String> {
        let folder = settings.voice.sounds_path.trim().to_owned();
        let listed = tokio::task::spawn_blocking(move || sounds::names(Path::new(&folder))).await;
        listed.unwrap_or_default()
    }
}

/// How people are to be understood.
fn ears_choice(settings: &Settings, installed: Option<PathBuf>) -> EarsChoice {
    let mut choice = EarsChoice::from_settings(&settings.stt_pipeline);
    if choice.folder.is_none() && is_by_folder(&choice) {
        choice.folder = installed;
    }
    let identity = &settings.identity;
    choice.hints.push(identity.name.clone());
    choice.hints.extend(identity.aliases.iter().cloned());
    choice.rules.end_of_speech = Duration::from_millis(settings.voice.end_of_speech_ms);
    choice
}

/// Whether a model that is installed is meant: a server that is named is not passed over.
fn is_by_folder(choice: &EarsChoice) -> bool {
    match choice.engine {
        EarsEngine::Moonshine => true,
        EarsEngine::Auto => choice.url.trim().is_empty(),
        _ => false,
    }
}

/// How it is to speak.
fn mouth_choice(settings: &Settings, installed: Option<PathBuf>) -> MouthChoice {
    let pipeline = &settings.stt_pipeline;
    let mut choice = MouthChoice::from_settings(pipeline, &pipeline.transcription_language);
    let by_path = match choice.engine {
        MouthEngine::Piper => true,
        MouthEngine::Auto => choice.url.trim().is_empty(),
        _ => false,
    };
    if choice.path.is_none() && by_path {
        choice.path = installed;
    }
    choice
}

/// How it stands, for a person; `install` is the word by which `denizen models install` gets it.
fn standing(status: SpeechStatus, install: Option<&str>) -> SpeechStanding {
    let remedy = match (status.ready, install) {
        (false, Some(install)) if !status.detail.contains("denizen models install") => Some(format!(
            "`denizen models install {install}` gets them for this machine; what else there is stands in the guide “Ears and voice”. {}",
            status.detail
        )),
        (false, _) => Some(status.detail.clone()),
        (true, _) if !status.as_chosen => Some(status.detail.clone()),
        (true, _) => status.last_fault.clone(),
    };
    SpeechStanding {
        engine: status.engine,
        works: status.ready,
        detail: status.detail,
        remedy,
    }
}

#[cfg(test)]
#[path = "engines_tests.rs"]
mod tests;
