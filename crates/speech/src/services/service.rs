//! Who hears or speaks, as the operator chose: where it is, and with which key.

use fetching::service::{base_address, origin, without_key};
use secrecy::{ExposeSecret, SecretString};

use crate::choice::knobs;
use crate::keys::SpeechKeys;

/// The language it speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Api {
    OpenAi,
    WhisperCpp,
    ElevenLabs,
}

/// What it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Hearing,
    Speaking,
}

impl Purpose {
    fn url_knob(self) -> &'static str {
        match self {
            Purpose::Hearing => knobs::EARS_URL,
            Purpose::Speaking => knobs::MOUTH_URL,
        }
    }

    pub(crate) fn model_knob(self) -> &'static str {
        match self {
            Purpose::Hearing => knobs::EARS_MODEL,
            Purpose::Speaking => knobs::MOUTH_MODEL,
        }
    }

    fn variable(self) -> &'static str {
        match self {
            Purpose::Hearing => "TRANSCRIPTION_API_KEY",
            Purpose::Speaking => "SPEECH_API_KEY",
        }
    }
}

impl Api {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Api::OpenAi => "openai",
            Api::WhisperCpp => "whisper.cpp",
            Api::ElevenLabs => "elevenlabs",
        }
    }

    fn called(self) -> &'static str {
        match self {
            Api::OpenAi => "OpenAI",
            Api::WhisperCpp => "whisper.cpp",
            Api::ElevenLabs => "ElevenLabs",
        }
    }

    /// Its makers' own address; whisper.cpp has none.
    fn own_address(self) -> Option<&'static str> {
        match self {
            Api::OpenAi => Some("https://api.openai.com/v1"),
            Api::WhisperCpp => None,
            Api::ElevenLabs => Some("https://api.elevenlabs.io"),
        }
    }

    fn usual_path(self) -> &'static str {
        match self {
            Api::OpenAi => "/v1",
            Api::WhisperCpp | Api::ElevenLabs => "",
        }
    }

    fn makers_variable(self) -> Option<&'static str> {
        match self {
            Api::OpenAi => Some("OPENAI_API_KEY"),
            Api::WhisperCpp => None,
            Api::ElevenLabs => Some("ELEVENLABS_API_KEY"),
        }
    }
}

/// A service that can be asked.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    pub(crate) api: Api,
    pub(crate) purpose: Purpose,
    /// For a message: `OpenAI`, or `the server at http://127.0.0.1:8000`.
    pub(crate) who: String,
    /// Without a slash at its end.
    base: String,
    key: Option<SecretString>,
    /// The variable the key is in, or would be in.
    pub(crate) variable: &'static str,
    /// The operator's own server, whose prices nobody knows and who may have none.
    pub(crate) is_own: bool,
}

impl Service {
    /// A server of the operator's own, whose address must be there.
    pub(crate) fn own(api: Api, purpose: Purpose, url: &str, keys: &SpeechKeys) -> Result<Self, String> {
        if url.trim().is_empty() {
            return Err(format!(
                "a server of your own was chosen: set {} to its address, such as http://127.0.0.1:8000/v1",
                purpose.url_knob()
            ));
        }
        Self::of(api, purpose, url, keys)
    }

    /// Who does it; for a person, why nobody does.
    pub(crate) fn of(api: Api, purpose: Purpose, url: &str, keys: &SpeechKeys) -> Result<Self, String> {
        let base = match (url.trim(), api.own_address()) {
            ("", Some(own)) => own.to_owned(),
            (url, _) => base_address(url, api.usual_path())
                .map_err(|why| format!("{} is {why}", purpose.url_knob()))?,
        };
        // The makers' address, written out, is still theirs.
        let is_own = api.own_address() != Some(base.as_str());
        let (key, variable) = key(api, purpose, is_own, keys);
        if key.is_none() && !is_own {
            return Err(format!(
                "{} wants a key: set {} or {} and start Denizen again",
                api.called(),
                purpose.variable(),
                api.makers_variable().unwrap_or_default()
            ));
        }
        let who = match is_own {
            true => format!("the server at {}", origin(&base)),
            false => api.called().to_owned(),
        };
        Ok(Self {
            api,
            purpose,
            who,
            base,
            key,
            variable,
            is_own,
        })
    }

    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    pub(crate) fn key(&self) -> Option<&str> {
        self.key.as_ref().map(ExposeSecret::expose_secret)
    }

    pub(crate) fn url_knob(&self) -> &'static str {
        self.purpose.url_knob()
    }

    /// The name under which what it did is written down: `openai:whisper-1`.
    pub(crate) fn engine(&self, model: &str) -> String {
        match model {
            "" => self.api.name().to_owned(),
            model => format!("{}:{model}", self.api.name()),
        }
    }

    /// A text without the key.
    pub(crate) fn without_key(&self, text: &str) -> String {
        without_key(text, self.key())
    }

    /// How it is asked, for the page and the doctor.
    pub(crate) fn description(&self) -> String {
        match self.key() {
            Some(_) => format!("{}, with the key from {}", self.who, self.variable),
            None => format!("{}, without a key", self.who),
        }
    }
}

/// A maker's key is for the maker: a server of somebody else gets only a key that was meant for it.
fn key(api: Api, purpose: Purpose, is_own: bool, keys: &SpeechKeys) -> (Option<SecretString>, &'static str) {
    let own = match purpose {
        Purpose::Hearing => &keys.transcription,
        Purpose::Speaking => &keys.speech,
    };
    let makers = match api {
        Api::OpenAi => &keys.openai,
        Api::ElevenLabs => &keys.elevenlabs,
        Api::WhisperCpp => &None,
    };
    match (own, makers, api.makers_variable()) {
        (None, Some(makers), Some(variable)) if !is_own => (Some(makers.clone()), variable),
        (own, _, _) => (own.clone(), purpose.variable()),
    }
}

#[cfg(test)]
#[path = "service_tests.rs"]
mod tests;
