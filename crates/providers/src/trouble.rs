//! Why a try failed: which kind of failure it is, what to tell a person, and whether leaving something out helps.

use std::time::Duration;

use vocabulary::{AskFailure, AskFailureKind, Span};

use crate::catalogue::Provider;
use crate::error_body::ErrorReport;
use crate::http;

/// The most of a provider's own message that is passed on.
const MESSAGE_CHARS_MAX: usize = 240;

/// A try that failed.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) failure: AskFailure,
    /// The server stumbled over this part of the request.
    pub(crate) refuses: Option<Feature>,
}

/// What a request can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    StructuredOutput,
    Temperature,
    Pictures,
}

/// Whom a try was made with, for the wording of its failure.
#[derive(Clone, Copy)]
pub(crate) struct Party<'a> {
    pub(crate) provider: Provider,
    pub(crate) model: &'a str,
    pub(crate) url: &'a str,
    /// Only to take it out of messages.
    pub(crate) key: Option<&'a str>,
}

impl Trouble {
    pub(crate) fn new(kind: AskFailureKind, detail: String) -> Self {
        Self {
            failure: AskFailure {
                kind,
                detail,
                retry_after: None,
                usage: None,
                tries: 1,
            },
            refuses: None,
        }
    }
}

impl Party<'_> {
    /// Judges what a server said, by its status and its own words.
    pub(crate) fn judge(&self, status: Option<u16>, report: &ErrorReport, wait: Option<Span>) -> Trouble {
        let status = status.or(report.status);
        let words = format!("{} {}", report.codes, report.message.to_lowercase());
        let says = |needles: &[&str]| needles.iter().any(|needle| words.contains(needle));
        let provider = self.provider;
        let quoted = self.quoted(status, &report.message);

        let kind = self.kind(status, &says);
        let detail = match kind {
            AskFailureKind::ContextTooLong => format!(
                "the prompt is too long for {provider} model `{}`{quoted}. Lower llm.contextTokens, or use a model that takes more",
                self.model
            ),
            AskFailureKind::RateLimited => format!(
                "{provider} asks to slow down{quoted}. It passes by itself; a smaller model or a higher plan has more room"
            ),
            AskFailureKind::Refused => format!("{provider} declined to answer{quoted}"),
            AskFailureKind::Unavailable => {
                format!("{provider} model `{}` cannot see pictures{quoted}", self.model)
            }
            AskFailureKind::ServerError => {
                format!("{provider} is in trouble{quoted}. It usually passes by itself")
            }
            AskFailureKind::Rejected if says(NO_CREDIT) => {
                format!(
                    "the {provider} account has no credit{quoted}. Add some on the provider's billing page, or use another llm.provider"
                )
            }
            AskFailureKind::Rejected if matches!(status, Some(401 | 403)) || says(BAD_KEY) => {
                format!("{provider} rejected the key{quoted}. Check {}", self.key_advice())
            }
            AskFailureKind::Rejected if status == Some(404) => format!(
                "{provider} does not know this model or address{quoted}. Check llm.model (now `{}`) and {}",
                self.model,
                self.address_advice()
            ),
            AskFailureKind::Rejected if status.is_some_and(|status| (300..400).contains(&status)) => format!(
                "{} points elsewhere{quoted}, and a key is not sent after it. Check {}",
                self.host(),
                self.address_advice()
            ),
            _ => format!(
                "{provider} rejected the request{quoted}. Check llm.model (now `{}`) and what it supports",
                self.model
            ),
        };
        let refuses = match (kind, status) {
            (AskFailureKind::Unavailable, _) => Some(Feature::Pictures),
            (AskFailureKind::Rejected | AskFailureKind::ServerError, Some(400 | 404 | 422 | 500 | 501))
                if says(STRUCTURED_OUTPUT) =>
            {
                Some(Feature::StructuredOutput)
            }
            (AskFailureKind::Rejected, Some(400 | 422)) if says(&["temperature"]) => {
                Some(Feature::Temperature)
            }
            _ => None,
        };
        Trouble {
            failure: AskFailure {
                kind,
                detail,
                retry_after: wait.or(report.retry_after),
                usage: None,
                tries: 1,
            },
            refuses,
        }
    }

    fn kind(&self, status: Option<u16>, says: &dyn Fn(&[&str]) -> bool) -> AskFailureKind {
        let client_error = status.is_none_or(|status| (400..500).contains(&status));
        if status != Some(429) && says(CANNOT_SEE) {
            AskFailureKind::Unavailable
        } else if status == Some(413) || (status != Some(429) && says(CONTEXT_TOO_LONG)) {
            AskFailureKind::ContextTooLong
        } else if says(NO_CREDIT) || status == Some(402) {
            AskFailureKind::Rejected
        } else if matches!(status, Some(429 | 529)) || says(OVERLOADED) {
            AskFailureKind::RateLimited
        } else if client_error && says(DECLINED) {
            AskFailureKind::Refused
        } else {
            match status {
                Some(408 | 425) | Some(500..) | None => AskFailureKind::ServerError,
                Some(_) => AskFailureKind::Rejected,
            }
        }
    }

    /// The connection could not be made or was lost before the answer began.
    pub(crate) fn unreachable(&self, error: reqwest::Error) -> Trouble {
        let cause = self.scrubbed(&innermost(error));
        let remedy = match self.provider {
            Provider::Compatible => "Start the server, or correct llm.compatibleBaseUrl".to_owned(),
            _ => format!("Check this machine's network and {}", self.address_advice()),
        };
        Trouble::new(
            AskFailureKind::Unreachable,
            format!("{} cannot be reached: {cause}. {remedy}", self.host()),
        )
    }

    /// The question was taken, and nothing came.
    pub(crate) fn no_first_byte(&self, waited: Duration) -> Trouble {
        let key = match http::is_nearby(self.url) {
            true => "llm.localFirstByteSeconds",
            false => "llm.firstByteSeconds",
        };
        Trouble::new(
            AskFailureKind::NoFirstByte,
            format!(
                "{} took the question and sent nothing for {} s. Raise {key}, or use a faster model than `{}`",
                self.host(),
                waited.as_secs(),
                self.model
            ),
        )
    }

    /// An answer began, and nothing more of it came.
    pub(crate) fn stalled(&self, waited: Duration) -> Trouble {
        Trouble::new(
            AskFailureKind::StreamStalled,
            format!(
                "the answer of {} model `{}` began and then stood still for {} s. Raise llm.stallSeconds if it is only slow",
                self.provider,
                self.model,
                waited.as_secs()
            ),
        )
    }

    /// Something came, but not an answer.
    pub(crate) fn malformed(&self, what: &str) -> Trouble {
        Trouble::new(
            AskFailureKind::Malformed,
            format!(
                "{} model `{}` did not give an answer that can be used: {what}. If it stays so, check llm.model and {}",
                self.provider,
                self.model,
                self.address_advice()
            ),
        )
    }

    pub(crate) fn refused(&self, what: &str) -> Trouble {
        Trouble::new(
            AskFailureKind::Refused,
            format!(
                "{} model `{}` declined to answer: {what}",
                self.provider, self.model
            ),
        )
    }

    /// ` (400: their words)`, shortened, without the key.
    fn quoted(&self, status: Option<u16>, message: &str) -> String {
        let message = self.scrubbed(message);
        match (status, message.is_empty()) {
            (Some(status), false) => format!(" ({status}: {message})"),
            (Some(status), true) => format!(" ({status})"),
            (None, false) => format!(" ({message})"),
            (None, true) => String::new(),
        }
    }

    fn scrubbed(&self, message: &str) -> String {
        scrubbed(message, self.key)
    }

    fn host(&self) -> String {
        reqwest::Url::parse(self.url).map_or_else(
            |_| self.provider.to_string(),
            |url| url.origin().ascii_serialization(),
        )
    }

    fn key_advice(&self) -> String {
        format!(
            "{} or `{}` in keys.toml",
            self.provider.key_variables().join(" or "),
            self.provider
        )
    }

    fn address_advice(&self) -> &'static str {
        match self.provider {
            Provider::Compatible => "llm.compatibleBaseUrl",
            provider => provider.base_url_variable().unwrap_or("llm.provider"),
        }
    }
}

/// Somebody's message, shortened and without keys.
pub(crate) fn scrubbed(message: &str, key: Option<&str>) -> String {
    let message = match key {
        Some(key) if !key.is_empty() => message.replace(key, "[key]"),
        _ => message.to_owned(),
    };
    let words: Vec<&str> = message
        .split_whitespace()
        .map(|word| {
            // Providers quote keys back with only some letters hidden.
            let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
            if bare.starts_with("sk-") || bare.starts_with("AIza") {
                "[key]"
            } else {
                word
            }
        })
        .collect();
    let message = words.join(" ");
    let short: String = message.chars().take(MESSAGE_CHARS_MAX).collect();
    let short = short.trim_end_matches('.');
    if message.chars().count() > MESSAGE_CHARS_MAX {
        format!("{short}…")
    } else {
        short.to_owned()
    }
}

/// The innermost cause says it plainly ("Connection refused"); the outer ones are plumbing.
pub(crate) fn innermost(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

pub(crate) const CONTEXT_TOO_LONG: &[&str] = &[
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "context length",
    "context window",
    "context limit",
    "context size",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "request_too_large",
    "exceeds the maximum number of tokens",
    "too many tokens",
];
pub(crate) const NO_CREDIT: &[&str] = &[
    "insufficient_quota",
    "credit balance",
    "billing_not_active",
    "billing_hard_limit",
];
const OVERLOADED: &[&str] = &[
    "overloaded",
    "rate_limit",
    "resource_exhausted",
    "too many requests",
];
const DECLINED: &[&str] = &[
    "content_policy_violation",
    "content_filter",
    "content management policy",
    "usage policies",
    "safety system",
    "invalid_prompt",
];
const BAD_KEY: &[&str] = &[
    "api_key_invalid",
    "api key not valid",
    "invalid_api_key",
    "authentication_error",
];
/// As OpenAI, Anthropic, Google, OpenRouter, Groq, Ollama, llama.cpp, LM Studio and vLLM put it.
const CANNOT_SEE: &[&str] = &[
    "not support image",
    "n't support image",
    "not support vision",
    "not support multimodal",
    "image input is not supported",
    "image inputs are not supported",
    "images are not supported",
    "image content is not supported",
    "image_url is only supported by certain models",
    "unsupported content part type: \"image_url\"",
    "unknown variant `image_url`",
    "found that support image input",
    "image input modality is not enabled",
    "missing data required for image input",
    "at most 0 image",
    "not a multimodal model",
    "not compiled for multimodal",
    "not configured with a mmproj",
    ".content must be a string",
];
const STRUCTURED_OUTPUT: &[&str] = &[
    "response_format",
    "json_schema",
    "json schema",
    "output_config",
    "output_format",
    "structured output",
    "structured_output",
    "responsejsonschema",
    "response_json_schema",
    "response_schema",
    "responsemimetype",
    "response_mime_type",
    "response mime type",
    "grammar",
    "guided",
];

#[cfg(test)]
#[path = "trouble_tests.rs"]
mod tests;
