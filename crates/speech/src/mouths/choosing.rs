//! The mouth that the operator chose, and what it takes to have it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use fetching::service::ServiceClients;
use runtime::ports::{Speech, SpeechFault, Spoken, SpokenSound};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::built_in::BuiltIn;
use super::elevenlabs::ElevenLabsSpeech;
use super::espeak::{self, Espeak};
use super::openai::OpenAiSpeech;
use super::piper::{Piper, VoiceFiles};
use super::piper_program::{self, PiperProgram};
use super::program::Program;
use super::speaking::Speaking;
use super::voicebox::Voicebox;
use crate::choice::{MouthChoice, MouthEngine, knobs};
use crate::keys::SpeechKeys;
use crate::services::{Api, Purpose, Service};
use crate::speakable::Tongue;
use crate::status::{SpeechOption, SpeechStatus};

/// Denizen's voice.
pub struct Mouth {
    speaking: Option<Speaking>,
    status: SpeechStatus,
    last_fault: Mutex<Option<String>>,
}

/// An engine that was made ready, and how it is described.
type Ready = (Arc<dyn Voicebox>, String);

impl Mouth {
    /// Makes the chosen voice ready. Loads files and may take a second: to be called from a thread that may be busy.
    pub fn new(choice: &MouthChoice, keys: &SpeechKeys) -> Self {
        let tongue = Tongue::of(&choice.language);
        let engine = engine(choice, &tongue);
        let built_in: Arc<dyn Voicebox> = Arc::new(BuiltIn { pace: choice.pace });
        let can_fall_back = choice.fall_back
            && tongue.is_english()
            && !matches!(engine, MouthEngine::None | MouthEngine::BuiltIn);
        let reserve = can_fall_back.then(|| Arc::clone(&built_in));
        let options = options(choice, &tongue);
        let (voicebox, status) = match ready(engine, choice, keys, &tongue) {
            Ok((voicebox, detail)) => {
                let status = SpeechStatus::ready(voicebox.engine(), detail, options);
                (Some(voicebox), status)
            }
            Err(why) => match &reserve {
                Some(reserve) => {
                    let detail = format!("{why}. Until then the built-in voice speaks");
                    let status = SpeechStatus::makeshift(reserve.engine(), detail, options);
                    (Some(Arc::clone(reserve)), status)
                }
                None => (None, SpeechStatus::missing(why, options)),
            },
        };
        let speaking = voicebox.map(|voicebox| Speaking {
            voicebox,
            reserve,
            tongue,
            timeout: choice.timeout,
        });
        Self {
            speaking,
            status,
            last_fault: Mutex::new(None),
        }
    }

    /// Whether it can speak, with what, and what else there is.
    pub fn status(&self) -> SpeechStatus {
        let last = self.last_fault.lock().unwrap_or_else(PoisonError::into_inner);
        self.status.clone().with_last_fault(last.clone())
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

#[async_trait]
impl Speech for Mouth {
    async fn speak(
        &self,
        voice: &str,
        sentences: mpsc::Receiver<String>,
        sound: mpsc::Sender<SpokenSound>,
        cancel: CancellationToken,
    ) -> Spoken {
        let Some(speaking) = &self.speaking else {
            return Spoken {
                fault: Some(SpeechFault {
                    detail: self.status.detail.clone(),
                    retryable: false,
                }),
                ..Spoken::default()
            };
        };
        let troubled = |trouble: &crate::trouble::Trouble| {
            tracing::warn!("speaking: {}", trouble.detail);
            let mut last = self.last_fault.lock().unwrap_or_else(PoisonError::into_inner);
            *last = Some(trouble.detail.clone());
        };
        speaking.speak(voice, sentences, sound, &cancel, troubled).await
    }
}

/// Who is meant where nobody is named.
fn engine(choice: &MouthChoice, tongue: &Tongue) -> MouthEngine {
    match choice.engine {
        MouthEngine::Auto if choice.path.is_some() => MouthEngine::Piper,
        MouthEngine::Auto if !choice.url.trim().is_empty() => MouthEngine::Compatible,
        MouthEngine::Auto if tongue.is_english() => MouthEngine::BuiltIn,
        MouthEngine::Auto => MouthEngine::Espeak,
        engine => engine,
    }
}

fn ready(
    engine: MouthEngine,
    choice: &MouthChoice,
    keys: &SpeechKeys,
    tongue: &Tongue,
) -> Result<Ready, String> {
    match engine {
        MouthEngine::Auto | MouthEngine::None => Err(format!(
            "it does not speak: {} is off. Choose builtin to hear it",
            knobs::MOUTH
        )),
        MouthEngine::BuiltIn if !tongue.is_english() => Err(format!(
            "the built-in voice speaks English only, and {} is spoken. Choose espeak for {}",
            tongue.tag(),
            knobs::MOUTH
        )),
        MouthEngine::BuiltIn => Ok((
            Arc::new(BuiltIn { pace: choice.pace }),
            "the voice inside Denizen, English".to_owned(),
        )),
        MouthEngine::Espeak => {
            let program = espeak_program(choice).ok_or_else(espeak::missing)?;
            let detail = format!("the program {}", program.display());
            let voice = match choice.voice.as_str() {
                "" => espeak::voice_for(&choice.language),
                voice => voice.to_owned(),
            };
            Ok((
                Arc::new(Espeak {
                    program,
                    voice,
                    pace: choice.pace,
                }),
                detail,
            ))
        }
        MouthEngine::Piper => piper(choice),
        MouthEngine::OpenAi | MouthEngine::Compatible => {
            let service = match engine {
                MouthEngine::Compatible => Service::own(Api::OpenAi, Purpose::Speaking, &choice.url, keys)?,
                _ => Service::of(Api::OpenAi, Purpose::Speaking, "", keys)?,
            };
            let detail = service.description();
            Ok((
                Arc::new(OpenAiSpeech {
                    service,
                    clients: ServiceClients::default(),
                    model: choice.model.trim().to_owned(),
                    voice: choice.voice.trim().to_owned(),
                    pace: choice.pace,
                    timeout: choice.timeout,
                }),
                detail,
            ))
        }
        MouthEngine::ElevenLabs => {
            let service = Service::of(Api::ElevenLabs, Purpose::Speaking, &choice.url, keys)?;
            let detail = service.description();
            Ok((
                Arc::new(ElevenLabsSpeech {
                    service,
                    clients: ServiceClients::default(),
                    model: choice.model.trim().to_owned(),
                    voice: choice.voice.trim().to_owned(),
                    pace: choice.pace,
                    timeout: choice.timeout,
                }),
                detail,
            ))
        }
    }
}

/// The program that the settings name, or the one that is installed.
fn espeak_program(choice: &MouthChoice) -> Option<PathBuf> {
    let named = choice.path.as_ref().filter(|path| path.is_file());
    named.cloned().or_else(|| Program::find(espeak::PROGRAM))
}

/// In this process where that can be, else by the program.
fn piper(choice: &MouthChoice) -> Result<Ready, String> {
    let path = choice.path.as_ref().ok_or_else(|| {
        format!(
            "a Piper voice is a folder with NAME.onnx and NAME.onnx.json; {} names none",
            knobs::MOUTH_PATH
        )
    })?;
    let files = VoiceFiles::find(path)?;
    let by_program = |program: PathBuf| -> Ready {
        let detail = format!("the voice {} by the program {}", files.name, program.display());
        let piper = PiperProgram {
            program,
            model: files.model.clone(),
            rate: files.description.audio.sample_rate,
            name: files.name.clone(),
            pace: choice.pace,
        };
        (Arc::new(piper), detail)
    };
    let here = match Program::find(espeak::PROGRAM) {
        None => Err(format!(
            "a Piper voice needs espeak-ng for its sounds: {}",
            espeak::missing()
        )),
        Some(espeak) => Piper::load(files.clone(), choice.library.as_deref(), espeak, choice.pace),
    };
    match here {
        Ok(piper) => Ok((
            Arc::new(piper),
            format!("the voice {} by ONNX Runtime and espeak-ng", files.name),
        )),
        Err(why) => Program::find(piper_program::PROGRAM).map(by_program).ok_or(why),
    }
}

/// What there is to speak with, chosen or not.
fn options(choice: &MouthChoice, tongue: &Tongue) -> Vec<SpeechOption> {
    let built_in = match tongue.is_english() {
        true => SpeechOption::there("builtin", "inside Denizen, English"),
        false => SpeechOption::missing("builtin", "speaks English only"),
    };
    let espeak = match Program::find(espeak::PROGRAM) {
        Some(path) => SpeechOption::there("espeak", path.display().to_string()),
        None => SpeechOption::missing("espeak", espeak::missing()),
    };
    let piper = match choice.path.as_deref().map(VoiceFiles::find) {
        Some(Ok(files)) => SpeechOption::there("piper", files.model.display().to_string()),
        Some(Err(why)) => SpeechOption::missing("piper", why),
        None => SpeechOption::missing(
            "piper",
            format!("{} names no folder with a voice", knobs::MOUTH_PATH),
        ),
    };
    vec![built_in, espeak, piper]
}
