//! The mouth that the operator chose, and what it takes to have it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use fetching::service::ServiceClients;

use super::built_in::BuiltIn;
use super::elevenlabs::{self, ElevenLabsSpeech};
use super::espeak::{self, Espeak};
use super::in_front::with_service;
use super::kokoro::{self, Kokoro, KokoroFiles};
use super::openai::{self, OpenAiSpeech};
use super::piper::{Piper, VoiceFiles};
use super::piper_program::{self, PiperProgram};
use super::program::Program;
use super::speaking::Speaking;
use super::unloaded::Unloaded;
use super::voicebox::Voicebox;
use crate::choice::{MouthChoice, MouthEngine, knobs};
use crate::keys::SpeechKeys;
use crate::models::{Having, Models};
use crate::services::{Api, Purpose, Service, TrialTime, Unreached, Usual};
use crate::speakable::Tongue;
use crate::status::{Description, SpeechStatus};

/// Denizen's voice.
pub struct Mouth {
    pub(super) speaking: Option<Speaking>,
    pub(super) status: SpeechStatus,
    pub(super) last_fault: Mutex<Option<String>>,
}

/// An engine that was made ready, how it is described, and its language where it has only one.
pub(super) struct Ready {
    pub(super) voicebox: Arc<dyn Voicebox>,
    pub(super) described: Description,
    pub(super) tongue: Option<Tongue>,
}

impl Ready {
    pub(super) fn of_a_service(voicebox: impl Voicebox + 'static, detail: String) -> Self {
        Self {
            voicebox: Arc::new(voicebox),
            described: detail.into(),
            tongue: None,
        }
    }
}

impl Mouth {
    /// Makes the chosen voice ready. Loads files and may take a second: to be called from a thread that may be busy.
    pub fn new(choice: &MouthChoice, keys: &SpeechKeys) -> Self {
        Self::of(choice, keys, Having::Loaded(&Models::default()))
    }

    /// How the chosen voice would stand, by what is there: nothing is loaded.
    pub(crate) fn outlook(choice: &MouthChoice, keys: &SpeechKeys) -> SpeechStatus {
        Self::of(choice, keys, Having::SeenOnly).status()
    }

    /// As [`Mouth::new`], with models that others may have loaded.
    pub(crate) fn of(choice: &MouthChoice, keys: &SpeechKeys, having: Having<'_>) -> Self {
        let chosen = Tongue::of(&choice.language);
        let (ready, behind) = with_service(
            ready(choice.engine, choice, keys, &chosen, having),
            &choice.realtime,
        );
        // Where no language is chosen, the voice's own is spoken: a German voice reads German numbers.
        let of_voice = ready.as_ref().ok().and_then(|ready| ready.tongue.clone());
        let tongue = match (choice.language.trim(), of_voice) {
            ("", Some(of_voice)) => of_voice,
            _ => chosen,
        };
        let can_fall_back = choice.fall_back && tongue.is_english() && choice.engine != MouthEngine::None;
        let built_in = || can_fall_back.then(|| Arc::new(BuiltIn::new(choice.pace)) as Arc<dyn Voicebox>);
        let reserve: Option<Arc<dyn Voicebox>> = behind.or_else(built_in);
        let (voicebox, status) = match (ready, &reserve) {
            (Ok(ready), _) => {
                let status = ready.described.status(ready.voicebox.engine());
                (Some(ready.voicebox), status)
            }
            (Err(why), Some(reserve)) => {
                let detail = format!("{why}. Until then the built-in voice speaks");
                let status = SpeechStatus::makeshift(reserve.engine(), detail);
                (Some(Arc::clone(reserve)), status)
            }
            (Err(why), None) => (None, SpeechStatus::missing(why)),
        };
        let speaking = voicebox.map(|voicebox| {
            let is_reserve = reserve
                .as_ref()
                .is_some_and(|reserve| reserve.engine() == voicebox.engine());
            let reserve = reserve.filter(|_| !is_reserve);
            Speaking::new(voicebox, reserve, tongue, choice.timeout)
        });
        Self {
            speaking,
            status,
            last_fault: Mutex::new(None),
        }
    }

    /// Whether it can speak, and with what.
    pub fn status(&self) -> SpeechStatus {
        let last = self.last_fault.lock().unwrap_or_else(PoisonError::into_inner);
        let status = self.status.clone().with_last_fault(last.clone());
        match &self.speaking {
            // Which model it is may be known only now.
            Some(speaking) => status.with_engine(speaking.engine()),
            None => status,
        }
    }

    /// Tries whether what was chosen answers, where it is not on this machine.
    pub(crate) async fn reach(&self, patience: TrialTime) -> Result<(), Unreached> {
        match &self.speaking {
            Some(speaking) => speaking.reach(patience).await,
            None => Ok(()),
        }
    }
}

impl std::fmt::Debug for Mouth {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Mouth")
            .field("status", &self.status)
            .finish()
    }
}

/// The first of those that are named, or else of those that are here, which can be used; what was wrong with those that were
/// named is told.
fn first_of(
    choice: &MouthChoice,
    keys: &SpeechKeys,
    tongue: &Tongue,
    having: Having<'_>,
) -> Result<Ready, String> {
    let named = [
        choice
            .path
            .as_deref()
            .map(|path| voice_in(path).unwrap_or(MouthEngine::Piper)),
        (!choice.url.trim().is_empty()).then_some(MouthEngine::Compatible),
    ];
    let here = match tongue.is_english() {
        true => MouthEngine::BuiltIn,
        false => MouthEngine::Espeak,
    };
    let mut passed_over = Vec::new();
    for engine in named.into_iter().flatten().chain([here]) {
        match ready(engine, choice, keys, tongue, having) {
            Ok(ready) => {
                return Ok(Ready {
                    described: ready.described.instead_of(&passed_over),
                    ..ready
                });
            }
            Err(why) => passed_over.push(why),
        }
    }
    Err(passed_over.join(". And "))
}

/// Whose voice is in a folder, where one is.
pub(crate) fn voice_in(path: &Path) -> Option<MouthEngine> {
    match (VoiceFiles::find(path), KokoroFiles::find(path)) {
        (Ok(_), _) => Some(MouthEngine::Piper),
        (_, Ok(_)) => Some(MouthEngine::Kokoro),
        _ => None,
    }
}

fn ready(
    engine: MouthEngine,
    choice: &MouthChoice,
    keys: &SpeechKeys,
    tongue: &Tongue,
    having: Having<'_>,
) -> Result<Ready, String> {
    let makers = |api| Service::makers(api, Purpose::Speaking, &choice.url, &choice.home, keys);
    match engine {
        MouthEngine::Auto => first_of(choice, keys, tongue, having),
        MouthEngine::None => Err(format!(
            "it does not speak: {} is off. Choose builtin to hear it",
            knobs::MOUTH
        )),
        MouthEngine::BuiltIn if !tongue.is_english() => Err(format!(
            "the built-in voice speaks English only, and {} is spoken. Choose espeak for {}",
            tongue.tag(),
            knobs::MOUTH
        )),
        MouthEngine::BuiltIn => Ok(Ready {
            voicebox: Arc::new(BuiltIn::new(choice.pace)),
            described: "the voice inside Denizen, English".to_owned().into(),
            tongue: None,
        }),
        MouthEngine::Espeak => {
            let program = espeak_program(choice)?;
            let detail = format!("the program {}", program.display());
            let voice = match choice.voice.as_str() {
                "" => espeak::voice_for(&choice.language),
                voice => voice.to_owned(),
            };
            Ok(Ready {
                voicebox: Arc::new(Espeak {
                    program,
                    voice,
                    pace: choice.pace,
                }),
                described: detail.into(),
                tongue: None,
            })
        }
        MouthEngine::Piper => piper(choice, having),
        MouthEngine::Kokoro => kokoro(choice, tongue, having),
        MouthEngine::OpenAi | MouthEngine::Compatible => {
            let service = match engine {
                MouthEngine::Compatible => Service::own(Api::OpenAi, Purpose::Speaking, &choice.url, keys)?,
                _ => makers(Api::OpenAi)?,
            };
            let detail = service.description();
            let voicebox = OpenAiSpeech {
                model: openai::model(&choice.model, &service),
                service,
                clients: ServiceClients::default(),
                voice: choice.voice.trim().to_owned(),
                pace: choice.pace,
                timeout: choice.timeout,
            };
            Ok(Ready::of_a_service(voicebox, detail))
        }
        MouthEngine::ElevenLabs => {
            let service = makers(Api::ElevenLabs)?;
            let detail = service.description();
            let voicebox = ElevenLabsSpeech {
                service,
                clients: ServiceClients::default(),
                model: Usual::new(&choice.model, &elevenlabs::MODELS, &[]),
                voice: Usual::new(&choice.voice, &elevenlabs::VOICES, &elevenlabs::ANY),
                pace: choice.pace,
                timeout: choice.timeout,
            };
            Ok(Ready::of_a_service(voicebox, detail))
        }
    }
}

/// The program that the settings name, or the one that is installed.
fn espeak_program(choice: &MouthChoice) -> Result<PathBuf, String> {
    match &choice.path {
        // The folder or file of a Piper voice, from when that was chosen.
        Some(path) if path.is_dir() || path.extension().is_some_and(|extension| extension == "onnx") => {
            Program::find(espeak::PROGRAM).ok_or_else(espeak::missing)
        }
        Some(path) => Program::find(&path.to_string_lossy()).ok_or_else(|| {
            format!(
                "{} is {}, which is no program. Empty it to use the {} that is installed",
                knobs::MOUTH_PATH,
                path.display(),
                espeak::PROGRAM
            )
        }),
        None => Program::find(espeak::PROGRAM).ok_or_else(espeak::missing),
    }
}

/// In this process where that can be, else by the program.
fn piper(choice: &MouthChoice, having: Having<'_>) -> Result<Ready, String> {
    let path = choice.path.as_ref().ok_or_else(|| {
        format!(
            "a Piper voice is a folder with NAME.onnx and NAME.onnx.json; {} names none. Get one with `denizen models install voice`",
            knobs::MOUTH_PATH
        )
    })?;
    let files = VoiceFiles::find(path)?;
    let speaker = files.speaker(&choice.voice)?;
    let tongue = files.tongue();
    let described = |by: String| match (choice.language.trim(), &tongue) {
        ("", Some(tongue)) => format!("the voice {} by {by}, {}", files.name, tongue.tag()),
        (language, Some(tongue)) if !tongue.is_same_language(&Tongue::of(language)) => format!(
            "the voice {} by {by}. It speaks {}, and {language} is spoken: choose a voice of that language",
            files.name,
            tongue.tag()
        ),
        _ => format!("the voice {} by {by}", files.name),
    };
    let here: Result<Arc<dyn Voicebox>, String> = match (Program::find(espeak::PROGRAM), having) {
        (None, _) => Err(format!(
            "a Piper voice needs espeak-ng for its sounds: {}",
            espeak::missing()
        )),
        (Some(_), Having::SeenOnly) => Ok(Arc::new(Unloaded(files.engine()))),
        (Some(espeak), Having::Loaded(models)) => {
            let library = choice.library.as_deref();
            Piper::load(files.clone(), library, models, espeak, choice.pace, speaker)
                .map(|piper| Arc::new(piper) as Arc<dyn Voicebox>)
        }
    };
    let (voicebox, detail): (Arc<dyn Voicebox>, String) = match here {
        Ok(piper) => (piper, described("ONNX Runtime and espeak-ng".to_owned())),
        Err(why) => {
            let program = Program::find(piper_program::PROGRAM).ok_or(why)?;
            let detail = described(format!("the program {}", program.display()));
            let piper = PiperProgram {
                program,
                model: files.model.clone(),
                rate: files.description.audio.sample_rate,
                name: files.name.clone(),
                speaker,
                pace: choice.pace,
            };
            (Arc::new(piper), detail)
        }
    };
    Ok(Ready {
        voicebox,
        described: detail.into(),
        tongue,
    })
}

fn kokoro(choice: &MouthChoice, tongue: &Tongue, having: Having<'_>) -> Result<Ready, String> {
    let path = choice.path.as_ref().ok_or_else(|| {
        format!(
            "Kokoro is a folder with a network and its voices; {} names none. Get one with `denizen models install kokoro`",
            knobs::MOUTH_PATH
        )
    })?;
    let files = KokoroFiles::find(path)?;
    let voice = files.voice(&choice.voice, tongue)?.to_owned();
    let espeak = Program::find(espeak::PROGRAM)
        .ok_or_else(|| format!("Kokoro needs espeak-ng for its sounds: {}", espeak::missing()))?;
    let of_voice = KokoroFiles::tongue(&voice);
    let detail = match &of_voice {
        Some(of_voice) if !of_voice.is_same_language(tongue) => format!(
            "the voice {voice} of Kokoro. It speaks {}, and {} is spoken: choose a voice of that language",
            of_voice.tag(),
            tongue.tag()
        ),
        _ => format!("the voice {voice} of Kokoro by ONNX Runtime and espeak-ng"),
    };
    let voicebox: Arc<dyn Voicebox> = match having {
        Having::SeenOnly => Arc::new(Unloaded(kokoro::engine_of(&voice))),
        Having::Loaded(models) => {
            let library = choice.library.as_deref();
            Arc::new(Kokoro::load(files, library, models, espeak, choice.pace, voice)?)
        }
    };
    Ok(Ready {
        voicebox,
        described: detail.into(),
        tongue: of_voice,
    })
}
