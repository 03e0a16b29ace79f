//! What the operator chose to hear and to speak with: plain data, from the settings.

use std::path::PathBuf;
use std::time::Duration;

use audio::segment::SegmentRules;
use settings::{EndOfTurn, SpeechProvider, SttPipelineSettings, TranscriptionProvider};

use crate::ears::AT_ONCE;
use crate::realtime::RealtimeWish;

/// What understands speech.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EarsEngine {
    /// The first that is named and works: Moonshine in its folder, the server at its address; else none.
    #[default]
    Auto,
    None,
    /// A folder with the models, by ONNX Runtime.
    Moonshine,
    /// Any server that speaks OpenAI's language; where the address ends with `/inference`, that of whisper.cpp.
    Compatible,
    OpenAi,
    ElevenLabs,
}

/// What speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MouthEngine {
    /// The first that is named and works: Piper (or Kokoro) in its folder, the server at its address; else what is built in, and for
    /// other languages than English espeak-ng.
    #[default]
    Auto,
    None,
    BuiltIn,
    /// The program espeak-ng.
    Espeak,
    /// A Piper voice, by ONNX Runtime and espeak-ng, or by the program piper.
    Piper,
    /// A voice of Kokoro, by ONNX Runtime and espeak-ng.
    Kokoro,
    /// Any server that speaks OpenAI's language.
    Compatible,
    OpenAi,
    ElevenLabs,
}

/// What tells that somebody has finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TurnEngine {
    /// The model where one is named or installed, else silence.
    #[default]
    Auto,
    /// Silence alone.
    Silence,
    /// Silence, and a model that hears how they spoke.
    Model,
}

/// How people are understood.
#[derive(Clone, Debug, PartialEq)]
pub struct EarsChoice {
    pub engine: EarsEngine,
    /// Empty: the service's usual one.
    pub model: String,
    /// Of a server of the operator's own.
    pub url: String,
    /// Where the files of a local model are.
    pub folder: Option<PathBuf>,
    /// The library of ONNX Runtime; without it, one is looked for.
    pub library: Option<PathBuf>,
    /// The tag of the language people speak; empty: the engine finds out.
    pub language: String,
    /// Names and words that are likely to be said, for engines that can be told.
    pub hints: Vec<String>,
    /// Where OpenAI or ElevenLabs is, where not at its own address: for doubles of them. Never from the settings.
    pub home: String,
    /// How long the words of one clip may take.
    pub timeout: Duration,
    /// Clips that are understood at a time; others wait.
    pub at_once: usize,
    /// Whether words are told while somebody still speaks, where that costs nothing.
    pub partials: bool,
    pub rules: SegmentRules,
    pub turn: TurnEngine,
    /// The model that hears ends of turns, or the folder it is in.
    pub turn_path: Option<PathBuf>,
    /// A realtime service in front of it.
    pub realtime: RealtimeWish,
}

impl Default for EarsChoice {
    fn default() -> Self {
        Self {
            engine: EarsEngine::Auto,
            model: String::new(),
            url: String::new(),
            folder: None,
            library: None,
            language: String::new(),
            hints: Vec::new(),
            home: String::new(),
            timeout: Duration::from_secs(15),
            at_once: AT_ONCE,
            partials: true,
            rules: SegmentRules::default(),
            turn: TurnEngine::Auto,
            turn_path: None,
            realtime: RealtimeWish::None,
        }
    }
}

impl EarsChoice {
    /// No ears at all.
    pub(crate) fn none() -> Self {
        Self {
            engine: EarsEngine::None,
            ..Self::default()
        }
    }

    /// As the settings have it.
    pub fn from_settings(settings: &SttPipelineSettings) -> Self {
        Self {
            engine: match settings.transcription_provider {
                TranscriptionProvider::Auto => EarsEngine::Auto,
                TranscriptionProvider::Local => EarsEngine::Moonshine,
                TranscriptionProvider::Compatible => EarsEngine::Compatible,
                TranscriptionProvider::OpenAi => EarsEngine::OpenAi,
                TranscriptionProvider::ElevenLabs => EarsEngine::ElevenLabs,
                TranscriptionProvider::Off => EarsEngine::None,
            },
            model: settings.transcription_model.trim().to_owned(),
            url: settings.transcription_url.trim().to_owned(),
            folder: path(&settings.transcription_path),
            library: library(),
            language: settings.transcription_language.trim().to_owned(),
            turn: match settings.end_of_turn {
                EndOfTurn::Auto => TurnEngine::Auto,
                EndOfTurn::Silence => TurnEngine::Silence,
                EndOfTurn::Model => TurnEngine::Model,
            },
            turn_path: path(&settings.end_of_turn_path),
            ..Self::default()
        }
    }
}

/// The library that the operator named for all models.
fn library() -> Option<PathBuf> {
    let named = std::env::var_os("ORT_DYLIB_PATH")?;
    (!named.is_empty()).then(|| PathBuf::from(named))
}

fn path(text: &str) -> Option<PathBuf> {
    let text = text.trim();
    (!text.is_empty()).then(|| PathBuf::from(text))
}

/// How Denizen speaks.
#[derive(Clone, Debug, PartialEq)]
pub struct MouthChoice {
    pub engine: MouthEngine,
    /// Empty: the service's usual one.
    pub model: String,
    /// The voice where whoever asks names none; empty: the engine's usual one.
    pub voice: String,
    /// Of a server of the operator's own.
    pub url: String,
    /// A Piper voice, or the folder it or Kokoro is in; for espeak-ng, the program.
    pub path: Option<PathBuf>,
    /// The library of ONNX Runtime; without it, one is looked for.
    pub library: Option<PathBuf>,
    /// The tag of the language that is spoken; empty: English.
    pub language: String,
    /// Where OpenAI or ElevenLabs is, where not at its own address: for doubles of them. Never from the settings.
    pub home: String,
    /// How quickly: 1 is the voice's own pace; 0.5 to 2.
    pub pace: f32,
    /// How long the next sound may take.
    pub timeout: Duration,
    /// Whether the built-in voice says what the chosen one could not.
    pub fall_back: bool,
    /// A realtime service in front of it.
    pub realtime: RealtimeWish,
}

impl Default for MouthChoice {
    fn default() -> Self {
        Self {
            engine: MouthEngine::Auto,
            model: String::new(),
            voice: String::new(),
            url: String::new(),
            path: None,
            library: None,
            language: String::new(),
            home: String::new(),
            pace: 1.0,
            timeout: Duration::from_secs(10),
            fall_back: true,
            realtime: RealtimeWish::None,
        }
    }
}

impl MouthChoice {
    /// No mouth at all.
    pub(crate) fn none() -> Self {
        Self {
            engine: MouthEngine::None,
            ..Self::default()
        }
    }

    /// As the settings have it; `language` is the one that Denizen speaks.
    pub fn from_settings(settings: &SttPipelineSettings, language: &str) -> Self {
        Self {
            engine: match settings.tts_provider {
                SpeechProvider::Auto => MouthEngine::Auto,
                SpeechProvider::Builtin => MouthEngine::BuiltIn,
                SpeechProvider::Espeak => MouthEngine::Espeak,
                SpeechProvider::Piper => MouthEngine::Piper,
                SpeechProvider::Kokoro => MouthEngine::Kokoro,
                SpeechProvider::Compatible => MouthEngine::Compatible,
                SpeechProvider::OpenAi => MouthEngine::OpenAi,
                SpeechProvider::ElevenLabs => MouthEngine::ElevenLabs,
                SpeechProvider::Off => MouthEngine::None,
            },
            model: settings.tts_model.trim().to_owned(),
            voice: settings.tts_voice.trim().to_owned(),
            url: settings.tts_url.trim().to_owned(),
            path: path(&settings.tts_path),
            library: library(),
            language: language.trim().to_owned(),
            pace: settings.tts_speed as f32,
            ..Self::default()
        }
    }
}

/// The settings that a message names.
pub(crate) mod knobs {
    pub(crate) const EARS: &str = "voice.sttPipeline.transcriptionProvider";
    pub(crate) const EARS_MODEL: &str = "voice.sttPipeline.transcriptionModel";
    pub(crate) const EARS_URL: &str = "voice.sttPipeline.transcriptionUrl";
    pub(crate) const EARS_PATH: &str = "voice.sttPipeline.transcriptionPath";
    pub(crate) const TURN: &str = "voice.sttPipeline.endOfTurn";
    pub(crate) const TURN_PATH: &str = "voice.sttPipeline.endOfTurnPath";
    pub(crate) const MOUTH: &str = "voice.sttPipeline.ttsProvider";
    pub(crate) const MOUTH_MODEL: &str = "voice.sttPipeline.ttsModel";
    pub(crate) const MOUTH_VOICE: &str = "voice.sttPipeline.ttsVoice";
    pub(crate) const MOUTH_URL: &str = "voice.sttPipeline.ttsUrl";
    pub(crate) const MOUTH_PATH: &str = "voice.sttPipeline.ttsPath";
}
