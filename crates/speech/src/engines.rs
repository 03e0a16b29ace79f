//! The ears and the mouth that settings choose, made ready once and kept: what is slow to load is shared by all rooms.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use runtime::ports::{
    ChosenSpeech, NoRealtime, RealtimeServices, RealtimeUnreached, SoundFrame, SpeechEngines, SpeechOutlook,
    SpeechStanding,
};
use settings::{RealtimeReplyStrategy, Settings, SpeechProvider, TranscriptionProvider, VoiceMode};

use crate::choice::{EarsChoice, EarsEngine, MouthChoice, MouthEngine};
use crate::ears::Ears;
use crate::kept::{Kept, Making, Seen};
use crate::keys::SpeechKeys;
use crate::models::{Having, Models};
use crate::mouths::{Mouth, voice_in};
use crate::realtime::RealtimeWish;
use crate::services::{TrialTime, Unreached};
use crate::sounds::{self, SoundShelf};
use crate::status::SpeechStatus;

/// Where models were installed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstalledSpeech {
    pub ears: Option<PathBuf>,
    /// Folders of voices, the usual one first.
    pub voices: Vec<PathBuf>,
    /// What hears whether somebody has finished.
    pub turn: Option<PathBuf>,
    /// The library of ONNX Runtime, where it is named; without it, one is looked for.
    pub library: Option<PathBuf>,
}

/// Whoever has ears and mouths, by the settings.
pub struct Engines {
    keys: SpeechKeys,
    installed: Box<dyn Fn() -> InstalledSpeech + Send + Sync>,
    models: Arc<Models>,
    ears: Kept<EarsChoice, Ears>,
    mouths: Kept<MouthChoice, Mouth>,
    sounds: Arc<SoundShelf>,
    realtime: Arc<dyn RealtimeServices>,
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
            models: Arc::default(),
            ears: Kept::default(),
            mouths: Kept::default(),
            sounds: Arc::default(),
            realtime: Arc::new(NoRealtime),
        }
    }

    /// With whoever reaches realtime services, for those who want one to hear and speak.
    #[must_use]
    pub fn with_realtime(self, realtime: Arc<dyn RealtimeServices>) -> Self {
        Self { realtime, ..self }
    }

    /// What settings want of realtime services.
    fn wish(&self, settings: &Settings) -> RealtimeWish {
        if settings.voice.mode != VoiceMode::Realtime {
            return RealtimeWish::None;
        }
        match self.realtime.chosen(settings) {
            Ok(service) => RealtimeWish::Service(service),
            Err(why) => RealtimeWish::Lacking(why),
        }
    }

    async fn ears(&self, choice: EarsChoice) -> Arc<Ears> {
        let (keys, models, wanted) = (self.keys.clone(), self.models.clone(), choice.clone());
        let making = Making {
            make: Box::new(move || Ears::of(&wanted, &keys, Having::Loaded(&models))),
            broken: || Ears::new(&EarsChoice::none(), &SpeechKeys::default()),
            is_whole: |ears| ears.status().ready,
        };
        self.ears.get(choice, making).await
    }

    async fn mouth(&self, choice: MouthChoice) -> Arc<Mouth> {
        let (keys, models, wanted) = (self.keys.clone(), self.models.clone(), choice.clone());
        let making = Making {
            make: Box::new(move || Mouth::of(&wanted, &keys, Having::Loaded(&models))),
            broken: || Mouth::new(&MouthChoice::none(), &SpeechKeys::default()),
            is_whole: |mouth| mouth.status().as_chosen,
        };
        self.mouths.get(choice, making).await
    }

    /// Tries what settings choose, where that is a server or a service, for so long: why ears and mouth cannot be used.
    pub async fn unreached(
        &self,
        settings: &Settings,
        within: Duration,
    ) -> (Option<Unreached>, Option<Unreached>) {
        let (ears, mouth) = self.choices(settings);
        let (ears, mouth) = tokio::join!(self.ears(ears), self.mouth(mouth));
        let patience = TrialTime::from_now(within);
        let (ears, mouth) = tokio::join!(ears.reach(patience), mouth.reach(patience));
        (ears.err(), mouth.err())
    }

    /// The realtime service that settings choose, tried: how it is asked, and what came of it. None where none is chosen, or
    /// none can be had.
    pub async fn try_realtime(
        &self,
        settings: &Settings,
        within: Duration,
    ) -> Option<(String, Result<(), RealtimeUnreached>)> {
        let RealtimeWish::Service(service) = self.wish(settings) else {
            return None;
        };
        let tried = service.try_out(within).await;
        Some((service.description(), tried))
    }

    /// Where the files of the voice are that settings choose; none where it has none, or a program or a service speaks.
    pub fn voice_folder(&self, settings: &Settings) -> Option<PathBuf> {
        let choice = self.choices(settings).1;
        match choice.engine {
            MouthEngine::Auto | MouthEngine::Piper | MouthEngine::Kokoro => choice.path,
            _ => None,
        }
    }

    /// What settings choose, of what is installed now.
    fn choices(&self, settings: &Settings) -> (EarsChoice, MouthChoice) {
        let installed = (self.installed)();
        let library = installed.library;
        let realtime = self.wish(settings);
        let off = |engine_is_off: bool| {
            if engine_is_off {
                RealtimeWish::None
            } else {
                realtime.clone()
            }
        };
        let pipeline = &settings.stt_pipeline;
        let ears = EarsChoice {
            library: library.clone(),
            realtime: off(pipeline.transcription_provider == TranscriptionProvider::Off),
            ..ears_choice(settings, installed.ears, installed.turn)
        };
        let mouth = MouthChoice {
            library,
            realtime: off(pipeline.tts_provider == SpeechProvider::Off),
            ..mouth_choice(settings, installed.voices)
        };
        (ears, mouth)
    }
}

/// The word by which `denizen models install` gets ears, where they are wanted.
fn install_ears(choice: &EarsChoice) -> Option<&'static str> {
    (choice.engine != EarsEngine::None).then_some("ears")
}

/// How something stands that was looked at: what is tried tells more than what is seen, unless that is missing.
fn looked_at<T>(seen: &Seen<T>, outlook: SpeechStatus, tried: impl Fn(&T) -> SpeechStatus) -> SpeechStatus {
    match seen {
        Seen::Ready(made) => tried(made),
        Seen::Lacking(made) if outlook.as_chosen => tried(made),
        Seen::Lacking(_) | Seen::Making | Seen::Unasked => outlook,
    }
}

#[async_trait]
impl SpeechEngines for Engines {
    async fn chosen(&self, settings: &Settings) -> ChosenSpeech {
        let (ears_choice, mouth_choice) = self.choices(settings);
        let install = install_ears(&ears_choice);
        let wishes = [&ears_choice.realtime, &mouth_choice.realtime];
        let realtime = wishes.into_iter().find_map(|wish| match wish {
            RealtimeWish::Service(service) => {
                service.warm_up();
                Some(service.news())
            }
            RealtimeWish::None | RealtimeWish::Lacking(_) => None,
        });
        let wants_native = settings.voice.realtime_reply_strategy == RealtimeReplyStrategy::Native;
        // One that does not speak cannot answer by itself, and one that does not hear has nothing to answer.
        let native = match (&ears_choice.realtime, &mouth_choice.realtime) {
            (RealtimeWish::Service(service), RealtimeWish::Service(_)) if wants_native => {
                Some(service.clone())
            }
            _ => None,
        };
        let (ears, mouth) = tokio::join!(self.ears(ears_choice), self.mouth(mouth_choice));
        let ears_standing = standing(ears.status(), install);
        let mouth_standing = standing(mouth.status(), None);
        ChosenSpeech {
            ears,
            mouth,
            ears_standing,
            mouth_standing,
            realtime,
            native,
        }
    }

    async fn standing(&self, settings: &Settings) -> SpeechOutlook {
        let (ears_choice, mouth_choice) = self.choices(settings);
        let (ears, mouth) = (self.ears.look(&ears_choice), self.mouths.look(&mouth_choice));
        let install = install_ears(&ears_choice);
        let keys = self.keys.clone();
        let looking = tokio::task::spawn_blocking(move || {
            let mouth = Mouth::outlook(&mouth_choice, &keys);
            (Ears::outlook(&ears_choice, &keys), mouth)
        });
        let (ears_outlook, mouth_outlook) = looking.await.unwrap_or_default();
        let loading = |standing: SpeechStanding, is_loading: bool| match is_loading {
            true => standing.loading(),
            false => standing,
        };
        SpeechOutlook {
            ears: loading(
                standing(looked_at(&ears, ears_outlook, Ears::status), install),
                matches!(ears, Seen::Making),
            ),
            mouth: loading(
                standing(looked_at(&mouth, mouth_outlook, Mouth::status), None),
                matches!(mouth, Seen::Making),
            ),
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
        let shelf = self.sounds.clone();
        let listed = tokio::task::spawn_blocking(move || shelf.names(Path::new(&folder))).await;
        listed.unwrap_or_default()
    }
}

/// How people are to be understood.
fn ears_choice(settings: &Settings, installed: Option<PathBuf>, turn: Option<PathBuf>) -> EarsChoice {
    let mut choice = EarsChoice::from_settings(&settings.stt_pipeline);
    if choice.folder.is_none() && is_by_folder(&choice) {
        choice.folder = installed;
    }
    choice.turn_path = choice.turn_path.or(turn);
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
fn mouth_choice(settings: &Settings, installed: Vec<PathBuf>) -> MouthChoice {
    let pipeline = &settings.stt_pipeline;
    let mut choice = MouthChoice::from_settings(pipeline, &pipeline.transcription_language);
    if choice.path.is_none() {
        let mut installed = installed.into_iter();
        choice.path = match choice.engine {
            MouthEngine::Auto if choice.url.trim().is_empty() => installed.next(),
            MouthEngine::Piper | MouthEngine::Kokoro => {
                installed.find(|folder| voice_in(folder) == Some(choice.engine))
            }
            _ => None,
        };
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
        (true, _) => {
            let makeshift = (!status.as_chosen).then(|| status.detail.clone());
            status.last_fault.clone().or(makeshift)
        }
    };
    SpeechStanding {
        engine: status.engine,
        works: status.ready,
        loading: false,
        failing: status.last_fault.is_some(),
        detail: status.detail,
        remedy,
    }
}

#[cfg(test)]
#[path = "engines_tests.rs"]
mod tests;
