//! Who hears or speaks, as the operator chose: where it is, and with which key.

use fetching::service::{base_address, origin, without_key};
use reqwest::RequestBuilder;
use secrecy::{ExposeSecret, SecretString};
use url::{Host, Url};

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

    pub(crate) fn provider_knob(self) -> &'static str {
        match self {
            Purpose::Hearing => knobs::EARS,
            Purpose::Speaking => knobs::MOUTH,
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

    /// Whether an address is its makers', written out or that of one of their regions.
    fn is_makers(self, base: &str) -> bool {
        let Some(own) = self.own_address() else {
            return false;
        };
        let parts = |address: &str| {
            let url = Url::parse(address).ok()?;
            let host = url.host_str()?.to_owned();
            Some((
                url.scheme().to_owned(),
                host,
                url.path().trim_end_matches('/').to_owned(),
            ))
        };
        let (Some(theirs), Some(named)) = (parts(own), parts(base)) else {
            return false;
        };
        let domain = match self {
            Api::ElevenLabs => "elevenlabs.io",
            _ => theirs.1.as_str(),
        };
        let is_host = named.1 == theirs.1 || named.1.ends_with(&format!(".{domain}"));
        base == own || is_host && named.0 == theirs.0 && named.2 == theirs.2
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
    /// It is its makers' own: their key goes there, and their prices count.
    pub(crate) is_makers: bool,
    /// It is a server that the operator named, with the language of somebody else's.
    is_own: bool,
    /// Nobody is paid for it: a server in the house, which wants no key. A server elsewhere, or one with a key, may be paid
    /// by somebody, and what it costs is not known.
    pub(crate) is_free: bool,
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
        let service = Self::of(api, purpose, url, keys)?;
        let is_own = !service.is_makers;
        Ok(Self { is_own, ..service })
    }

    /// The makers themselves: an address of somebody else's beside them is a mistake that would send people's voices where
    /// nobody means them to go, or ask the wrong server. `home` is where they are, for a double of them; empty: at their own.
    pub(crate) fn makers(
        api: Api,
        purpose: Purpose,
        url: &str,
        home: &str,
        keys: &SpeechKeys,
    ) -> Result<Self, String> {
        if !home.is_empty() {
            return Self::of(api, purpose, home, keys);
        }
        let service = Self::of(api, purpose, url, keys);
        let is_theirs = match (url.trim(), &service) {
            ("", _) => true,
            (url, Err(_)) => base_address(url, api.usual_path()).is_ok_and(|base| api.is_makers(&base)),
            (_, Ok(service)) => service.is_makers,
        };
        match is_theirs {
            true => service,
            false => Err(format!(
                "{} names a server, and {} is {}, which has an address of its own. Choose compatible to use that server, or empty {}",
                purpose.url_knob(),
                purpose.provider_knob(),
                api.name(),
                purpose.url_knob()
            )),
        }
    }

    /// Who does it; for a person, why nobody does.
    pub(crate) fn of(api: Api, purpose: Purpose, url: &str, keys: &SpeechKeys) -> Result<Self, String> {
        let base = match (url.trim(), api.own_address()) {
            ("", Some(own)) => own.to_owned(),
            (url, _) => base_address(url, api.usual_path())
                .map_err(|why| format!("{} is {why}", purpose.url_knob()))?,
        };
        let is_makers = api.is_makers(&base);
        let (key, variable) = key(api, purpose, is_makers, keys);
        if key.is_none() && is_makers {
            return Err(format!(
                "{} wants a key: set {} or {} and start Denizen again",
                api.called(),
                purpose.variable(),
                api.makers_variable().unwrap_or_default()
            ));
        }
        let who = match is_makers {
            false => format!("the server at {}", origin(&base)),
            true => api.called().to_owned(),
        };
        let is_free = !is_makers && key.is_none() && is_in_the_house(&base);
        Ok(Self {
            api,
            purpose,
            who,
            base,
            key,
            variable,
            is_makers,
            is_own: false,
            is_free,
        })
    }

    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    pub(crate) fn key(&self) -> Option<&str> {
        self.key.as_ref().map(ExposeSecret::expose_secret)
    }

    /// A request with the key where the service looks for it.
    pub(crate) fn with_key(&self, request: RequestBuilder) -> RequestBuilder {
        match (self.key(), self.api) {
            (None, _) => request,
            (Some(key), Api::ElevenLabs) => request.header("xi-api-key", key),
            (Some(key), Api::OpenAi | Api::WhisperCpp) => request.bearer_auth(key),
        }
    }

    pub(crate) fn url_knob(&self) -> &'static str {
        self.purpose.url_knob()
    }

    /// The name under which what it did is written down: `openai:whisper-1` of OpenAI itself, and `compatible:whisper-1` of a
    /// server that speaks its language.
    pub(crate) fn engine(&self, model: &str) -> String {
        let kind = match self.api {
            Api::OpenAi if self.is_own => "compatible",
            api => api.name(),
        };
        match model {
            "" => kind.to_owned(),
            model => format!("{kind}:{model}"),
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

/// Whether an address is on this machine or in its network.
fn is_in_the_house(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else {
        return false;
    };
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_private() || address.is_link_local(),
        Some(Host::Ipv6(address)) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
        // Names without a domain are those of a network at home, or of containers.
        Some(Host::Domain(name)) => {
            let inside = [".local", ".lan", ".internal", ".home.arpa", ".localhost"];
            !name.contains('.') || inside.iter().any(|ending| name.ends_with(ending))
        }
        None => false,
    }
}

/// A maker's key is for the maker: a server of somebody else gets only a key that was meant for it.
fn key(
    api: Api,
    purpose: Purpose,
    is_makers: bool,
    keys: &SpeechKeys,
) -> (Option<SecretString>, &'static str) {
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
        (None, Some(makers), Some(variable)) if is_makers => (Some(makers.clone()), variable),
        (own, _, _) => (own.clone(), purpose.variable()),
    }
}

#[cfg(test)]
#[path = "service_tests.rs"]
mod tests;
