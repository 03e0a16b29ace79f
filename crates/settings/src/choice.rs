//! Knobs with a few named values: each is an enum, so that a value cannot be misspelt in code.

use vocabulary::Reach;

use crate::section::KnobValue;

/// Declares a choice: its names are what a document, the manual and error texts say.
macro_rules! choice {
    (
        $(#[doc = $doc:literal])+
        $name:ident { $($(#[doc = $variant_doc:literal])* $variant:ident = $text:literal,)+ }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[doc = $variant_doc])* $variant,)+
        }

        impl $name {
            /// Every name, as documents write it.
            pub const NAMES: &'static [&'static str] = &[$($text),+];

            /// The name, as documents write it.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)+
                }
            }

            /// The value of a name.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($text => Some($name::$variant),)+
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl KnobValue for $name {
            fn from_value(value: &serde_json::Value) -> Option<Self> {
                Self::named(value.as_str()?)
            }
        }
    };
}

choice! {
    /// Who may have something forgotten for good.
    Forgetting {
        /// People by commands in a room, of what is their own; the operator of everything.
        Everyone = "everyone",
        /// The operator alone.
        Operator = "operator",
    }
}

choice! {
    /// Who may have it say nothing in a room for a while.
    Quieting {
        /// Whoever is in the room, by a command typed there.
        Everyone = "everyone",
        /// The operator; on Discord people who may manage messages or the server, too, by `/denizen quiet`.
        Operator = "operator",
    }
}

choice! {
    /// How much a model thinks before it speaks. A model that knows only some of these takes the nearest below.
    Effort {
        /// Not at all, where a model can do without.
        None = "none",
        Minimal = "minimal",
        Low = "low",
        Medium = "medium",
        High = "high",
        /// As much as it likes: slow and dear.
        Max = "max",
    }
}

choice! {
    /// Whose model answers.
    ModelProvider {
        /// The first that there is.
        Auto = "auto",
        Anthropic = "anthropic",
        OpenAi = "openai",
        Gemini = "gemini",
        /// Any server that speaks OpenAI's chat completions.
        Compatible = "compatible",
        /// The built-in model.
        Offline = "offline",
    }
}

choice! {
    /// Whose model answers, or that it is whoever writes the replies.
    ProviderOrInherit {
        Inherit = "inherit",
        Auto = "auto",
        Anthropic = "anthropic",
        OpenAi = "openai",
        Gemini = "gemini",
        Compatible = "compatible",
        Offline = "offline",
    }
}

impl ProviderOrInherit {
    /// The provider of its own; none where it is inherited.
    pub fn own(self) -> Option<ModelProvider> {
        ModelProvider::named(self.name())
    }
}

choice! {
    /// Who does some work on words: a model, rules, or a model with the rules to fall back on.
    ModelOrOffline {
        Auto = "auto",
        Model = "model",
        Offline = "offline",
    }
}

choice! {
    /// Whether typed answers are asked for.
    StructuredOutput {
        Auto = "auto",
        On = "on",
        Off = "off",
    }
}

choice! {
    /// How much a prompt for a reply holds and asks for.
    PromptProfile {
        /// As the model is able to.
        Auto = "auto",
        /// For a small model: the conversation as a short script, one question, an answer in plain words.
        Plain = "plain",
        /// Everything that is known, tools, and a typed answer.
        Full = "full",
    }
}

choice! {
    /// Who tells what texts mean.
    EmbeddingProvider {
        Builtin = "builtin",
        Onnx = "onnx",
        OpenAi = "openai",
        Ollama = "ollama",
    }
}

choice! {
    /// Where gems are kept.
    GemStoreKind {
        Embedded = "embedded",
        Qdrant = "qdrant",
    }
}

choice! {
    /// Where captured turns wait.
    BufferKind {
        Embedded = "embedded",
        Redis = "redis",
    }
}

choice! {
    /// How a change on a screen is told from background motion.
    ThresholdMode {
        Absolute = "absolute",
        Relative = "relative",
    }
}

choice! {
    /// Who reads the text of a screen.
    TextReaderKind {
        Auto = "auto",
        Off = "off",
        Tesseract = "tesseract",
        Onnx = "onnx",
    }
}

choice! {
    /// How what is said aloud becomes an answer.
    VoiceMode {
        /// Ears write down what was said, a model answers, a voice says it.
        SttPipeline = "stt_pipeline",
        /// A realtime service hears and speaks.
        Realtime = "realtime",
    }
}

choice! {
    /// Who thinks where a realtime service hears and speaks.
    RealtimeReplyStrategy {
        /// Denizen's own model; the service is ears and mouth.
        Brain = "brain",
        /// The service; Denizen decides whether it answers.
        Native = "native",
    }
}

choice! {
    /// What a service that thinks for itself hears of people who speak at once.
    RealtimeOverlap {
        /// One after the other.
        Serialised = "serialised",
        /// Both at once, as everybody in the room does.
        Mixed = "mixed",
    }
}

choice! {
    /// Which realtime service hears and speaks.
    RealtimeProvider {
        OpenAi = "openai",
        Xai = "xai",
        Gemini = "gemini",
        ElevenLabs = "elevenlabs",
    }
}

choice! {
    /// When it goes into the voice of a room.
    VoiceJoinPolicy {
        /// Whenever somebody is there; it leaves with the last.
        WithPeople = "with_people",
        /// When somebody asks for it.
        OnRequest = "on_request",
    }
}

choice! {
    /// Who writes down what is said aloud.
    TranscriptionProvider {
        /// The first that there is.
        Auto = "auto",
        /// Models in a folder.
        Local = "local",
        /// Any server that speaks OpenAI's transcription.
        Compatible = "compatible",
        OpenAi = "openai",
        ElevenLabs = "elevenlabs",
        Off = "off",
    }
}

choice! {
    /// What tells that somebody has finished speaking.
    EndOfTurn {
        /// The model where there is one, else silence.
        Auto = "auto",
        Silence = "silence",
        /// A model hears by how they spoke whether more comes.
        Model = "model",
    }
}

choice! {
    /// Whose voice it has.
    SpeechProvider {
        /// The first that there is.
        Auto = "auto",
        /// The one inside the program.
        Builtin = "builtin",
        /// The program of that name.
        Espeak = "espeak",
        /// A Piper voice.
        Piper = "piper",
        /// A Kokoro voice.
        Kokoro = "kokoro",
        /// Any server that speaks OpenAI's speech.
        Compatible = "compatible",
        OpenAi = "openai",
        ElevenLabs = "elevenlabs",
        Off = "off",
    }
}

choice! {
    /// Who makes pictures or clips.
    MediaProvider {
        None = "none",
        OpenAi = "openai",
    }
}

choice! {
    /// Size of a picture.
    ImageSize {
        Auto = "auto",
        Small = "512x512",
        Square = "1024x1024",
        Portrait = "1024x1536",
        Landscape = "1536x1024",
    }
}

choice! {
    /// Who finds GIFs.
    GifProvider {
        None = "none",
        Giphy = "giphy",
        Tenor = "tenor",
    }
}

choice! {
    /// Who searches the web.
    SearchProvider {
        None = "none",
        Searxng = "searxng",
        Brave = "brave",
        Tavily = "tavily",
    }
}

/// The names of [`Reach`], which the vocabulary declares.
pub(crate) const REACHES: &[&str] = &["room", "community", "everywhere"];

impl KnobValue for Reach {
    fn from_value(value: &serde_json::Value) -> Option<Self> {
        serde_json::from_value(value.clone()).ok()
    }
}
