//! The keys of realtime services; they do not print themselves.

use std::fmt;

use fetching::service;
use secrecy::SecretString;

/// What each service is reached with. None where there is none.
#[derive(Clone, Default)]
pub struct RealtimeKeys {
    /// OPENAI_API_KEY, for OpenAI's own address.
    pub openai: Option<SecretString>,
    /// XAI_API_KEY, for xAI's own address.
    pub xai: Option<SecretString>,
    /// GEMINI_API_KEY or GOOGLE_API_KEY, for Google's own address.
    pub gemini: Option<SecretString>,
    /// ELEVENLABS_API_KEY, for ElevenLabs' own address.
    pub elevenlabs: Option<SecretString>,
    /// REALTIME_API_KEY, for a server that the operator names.
    pub own: Option<SecretString>,
}

impl RealtimeKeys {
    /// Takes them from the environment; an empty one is none.
    pub fn from_env(env: impl Fn(&str) -> Option<String>) -> Self {
        let key = |name| service::key(&env, name);
        Self {
            openai: key("OPENAI_API_KEY"),
            xai: key("XAI_API_KEY"),
            gemini: key("GEMINI_API_KEY").or_else(|| key("GOOGLE_API_KEY")),
            elevenlabs: key("ELEVENLABS_API_KEY"),
            own: key("REALTIME_API_KEY"),
        }
    }
}

impl fmt::Debug for RealtimeKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let there = [
            ("openai", &self.openai),
            ("xai", &self.xai),
            ("gemini", &self.gemini),
            ("elevenlabs", &self.elevenlabs),
            ("own", &self.own),
        ];
        let names = there
            .iter()
            .filter(|(_, key)| key.is_some())
            .map(|(name, _)| name);
        formatter.debug_set().entries(names).finish()
    }
}
