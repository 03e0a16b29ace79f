//! The providers, their default models, addresses and prices: everything about them that changes with time.

use std::fmt;

use vocabulary::{AskPurpose, Usage};

/// Whose model answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provider {
    Anthropic,
    OpenAi,
    Gemini,
    /// Any server that speaks OpenAI's chat completions: Ollama, llama.cpp, LM Studio, vLLM…
    Compatible,
    /// The built-in model.
    Offline,
}

// Each of these can see, the small ones too: notes on shared screens are taken with them.
const ANTHROPIC_MODEL: &str = "claude-sonnet-4-5";
const ANTHROPIC_SMALL_MODEL: &str = "claude-haiku-4-5";
/// Not a reasoning model on purpose: in a room the first word should come soon, and answers are short.
const OPENAI_MODEL: &str = "gpt-4.1-mini";
const OPENAI_SMALL_MODEL: &str = "gpt-4.1-nano";
const GEMINI_MODEL: &str = "gemini-2.5-flash";
const GEMINI_SMALL_MODEL: &str = "gemini-2.5-flash-lite";
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

    /// The model taken when none is named; a compatible server's own list decides for that one.
    pub(crate) fn default_model(self, purpose: AskPurpose) -> Option<&'static str> {
        let small = matches!(
            purpose,
            AskPurpose::AddressClassifier
                | AskPurpose::ContextCompaction
                | AskPurpose::GemExtraction
                | AskPurpose::ScreenNote
        );
        Some(match (self, small) {
            (Provider::Anthropic, false) => ANTHROPIC_MODEL,
            (Provider::Anthropic, true) => ANTHROPIC_SMALL_MODEL,
            (Provider::OpenAi, false) => OPENAI_MODEL,
            (Provider::OpenAi, true) => OPENAI_SMALL_MODEL,
            (Provider::Gemini, false) => GEMINI_MODEL,
            (Provider::Gemini, true) => GEMINI_SMALL_MODEL,
            (Provider::Offline, _) => OFFLINE_MODEL,
            (Provider::Compatible, _) => return None,
        })
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

/// Dollars per million tokens, which is the same number as micro-dollars per token.
struct Price {
    model: &'static str,
    input: f64,
    cached: f64,
    output: f64,
}

const fn price(model: &'static str, input: f64, cached: f64, output: f64) -> Price {
    Price {
        model,
        input,
        cached,
        output,
    }
}

/// List prices as last looked up; check the provider's page before relying on them.
const PRICES: &[Price] = &[
    price("claude-opus-4-5", 5.0, 0.5, 25.0),
    price("claude-opus-4-1", 15.0, 1.5, 75.0),
    price("claude-sonnet-4-5", 3.0, 0.3, 15.0),
    price("claude-sonnet-4", 3.0, 0.3, 15.0),
    price("claude-haiku-4-5", 1.0, 0.1, 5.0),
    price("gpt-5", 1.25, 0.125, 10.0),
    price("gpt-5-mini", 0.25, 0.025, 2.0),
    price("gpt-5-nano", 0.05, 0.005, 0.4),
    price("gpt-4.1", 2.0, 0.5, 8.0),
    price("gpt-4.1-mini", 0.4, 0.1, 1.6),
    price("gpt-4.1-nano", 0.1, 0.025, 0.4),
    price("gpt-4o", 2.5, 1.25, 10.0),
    price("gpt-4o-mini", 0.15, 0.075, 0.6),
    price("gemini-2.5-flash", 0.3, 0.03, 2.5),
    price("gemini-2.5-flash-lite", 0.1, 0.01, 0.4),
];

/// What Anthropic asks for keeping input for the next question, beside its price.
const CACHE_WRITE_SURCHARGE: f64 = 0.25;

/// What an answer cost in millionths of a dollar; none where the price is not known.
pub(crate) fn cost(provider: Provider, url: &str, model: &str, usage: &Usage) -> Option<u64> {
    match provider {
        Provider::Offline => return Some(0),
        Provider::Compatible => return fetching::service::is_loopback(url).then_some(0),
        Provider::Anthropic | Provider::OpenAi | Provider::Gemini => {}
    }
    let price = PRICES.iter().find(|price| is_version_of(model, price.model))?;
    let fresh = usage.input_tokens.saturating_sub(usage.cached_input_tokens);
    let micro_dollars = fresh as f64 * price.input
        + usage.cached_input_tokens as f64 * price.cached
        + usage.cache_written_tokens as f64 * price.input * CACHE_WRITE_SURCHARGE
        + usage.output_tokens as f64 * price.output;
    Some(micro_dollars.ceil() as u64)
}

/// Whether `model` is the listed one or a dated release of it (`gpt-4.1-mini-2025-04-14`), not a sibling.
fn is_version_of(model: &str, listed: &str) -> bool {
    let Some(rest) = model.strip_prefix(listed) else {
        return false;
    };
    // Four digits and more make a date; one or two would make `claude-sonnet-4-6` a release of `claude-sonnet-4`.
    let dated = rest.starts_with('-')
        && rest.chars().all(|c| c == '-' || c.is_ascii_digit())
        && rest.chars().filter(char::is_ascii_digit).count() >= 4;
    rest.is_empty() || rest == "-latest" || dated
}

#[cfg(test)]
#[path = "catalogue_tests.rs"]
mod tests;
