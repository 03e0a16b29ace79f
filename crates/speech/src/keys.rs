//! The keys of the services; they do not print themselves.

use std::fmt;

use fetching::service;
use secrecy::SecretString;

/// What each service is reached with. None where there is none.
#[derive(Clone, Default)]
pub struct SpeechKeys {
    /// TRANSCRIPTION_API_KEY, for ears.
    pub transcription: Option<SecretString>,
    /// SPEECH_API_KEY, for mouths.
    pub speech: Option<SecretString>,
    /// OPENAI_API_KEY, for OpenAI's own address.
    pub openai: Option<SecretString>,
    /// ELEVENLABS_API_KEY, for ElevenLabs' own address.
    pub elevenlabs: Option<SecretString>,
}

impl SpeechKeys {
    /// Takes them from the environment; an empty one is none.
    pub fn from_env(env: impl Fn(&str) -> Option<String>) -> Self {
        let key = |name| service::key(&env, name);
        Self {
            transcription: key("TRANSCRIPTION_API_KEY"),
            speech: key("SPEECH_API_KEY"),
            openai: key("OPENAI_API_KEY"),
            elevenlabs: key("ELEVENLABS_API_KEY"),
        }
    }
}

impl fmt::Debug for SpeechKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let there = [
            ("transcription", &self.transcription),
            ("speech", &self.speech),
            ("openai", &self.openai),
            ("elevenlabs", &self.elevenlabs),
        ];
        let names = there
            .iter()
            .filter(|(_, key)| key.is_some())
            .map(|(name, _)| name);
        formatter.debug_set().entries(names).finish()
    }
}
