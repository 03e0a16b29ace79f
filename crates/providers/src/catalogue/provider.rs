//! The providers: their names, addresses and the variables that hold their keys.

use std::fmt;

/// Whose model answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provider {
    Anthropic,
    OpenAi,
    Gemini,
    /// Any server that speaks OpenAI's chat completions: Ollama, llama.cpp, LM Studio, vLLM…
    Compatible,
    /// The built-in model.
    Offline,
}

/// The name of the built-in model.
pub const OFFLINE_MODEL: &str = "lookup";

/// The usual loopback ports of model servers, most wanted first.
pub(crate) const LOOPBACK_PORTS: &[(u16, &str)] = &[
    (11434, "Ollama"),
    (1234, "LM Studio"),
    (8080, "llama.cpp"),
    (8000, "vLLM"),
];

impl Provider {
    /// The providers that need a key, in the order `auto` prefers them.
    pub(crate) const WITH_KEYS: [Provider; 3] = [Provider::Anthropic, Provider::OpenAi, Provider::Gemini];

    /// Reads a provider's name as settings write it; `auto` is not one.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "anthropic" => Some(Provider::Anthropic),
            "openai" => Some(Provider::OpenAi),
            "gemini" => Some(Provider::Gemini),
            "compatible" => Some(Provider::Compatible),
            "offline" => Some(Provider::Offline),
            _ => None,
        }
    }

    /// The name as settings write it.
    pub fn name(self) -> &'static str {
        match self {
            Provider::Anthropic => "anthropic",
            Provider::OpenAi => "openai",
            Provider::Gemini => "gemini",
            Provider::Compatible => "compatible",
            Provider::Offline => "offline",
        }
    }

    /// Where the provider lives unless told otherwise.
    pub(crate) fn home(self) -> Option<&'static str> {
        match self {
            Provider::Anthropic => Some("https://api.anthropic.com"),
            Provider::OpenAi => Some("https://api.openai.com/v1"),
            Provider::Gemini => Some("https://generativelanguage.googleapis.com"),
            Provider::Compatible | Provider::Offline => None,
        }
    }

    /// The variables a key may stand in, the preferred one first.
    pub(crate) fn key_variables(self) -> &'static [&'static str] {
        match self {
            Provider::Anthropic => &["ANTHROPIC_API_KEY"],
            Provider::OpenAi => &["OPENAI_API_KEY"],
            Provider::Gemini => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            Provider::Compatible => &["COMPATIBLE_API_KEY"],
            Provider::Offline => &[],
        }
    }

    /// Variables that stand for a header each, as the official clients have them: the header, and what comes before the
    /// value.
    pub(crate) fn header_variables(self) -> &'static [(&'static str, &'static str, &'static str)] {
        match self {
            Provider::Anthropic => &[("ANTHROPIC_AUTH_TOKEN", "authorization", "Bearer ")],
            Provider::OpenAi => &[
                ("OPENAI_ORG_ID", "openai-organization", ""),
                ("OPENAI_PROJECT_ID", "openai-project", ""),
            ],
            Provider::Gemini | Provider::Compatible | Provider::Offline => &[],
        }
    }

    /// The variable that gives another address, such as a proxy's.
    pub(crate) fn base_url_variable(self) -> Option<&'static str> {
        match self {
            Provider::Anthropic => Some("ANTHROPIC_BASE_URL"),
            Provider::OpenAi => Some("OPENAI_BASE_URL"),
            Provider::Gemini => Some("GEMINI_BASE_URL"),
            Provider::Compatible => Some("COMPATIBLE_BASE_URL"),
            Provider::Offline => None,
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
