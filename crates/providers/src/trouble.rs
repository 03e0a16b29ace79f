//! Why a try failed: which kind of failure it is, what to tell a person, and whether leaving something out helps.

use std::time::Duration;

use settings::ModelKeys;
use vocabulary::text::counted;
use vocabulary::{AskFailure, AskFailureKind, Span};

use crate::catalogue::Provider;
use crate::error_body::ErrorReport;
use crate::heard::Heard;
use crate::http;
use crate::overfull::Overfull;
use crate::refused::Parameter;

/// The most of a provider's own message that is passed on.
const MESSAGE_CHARS_MAX: usize = 240;
/// How long a model is left alone whose account has nothing left.
const SPENT_REST: Span = Span::hours(1);

/// A try that failed.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) failure: AskFailure,
    /// The server stumbled over this part of the request.
    pub(crate) refuses: Option<Feature>,
    /// Parameters that it says it does not take.
    pub(crate) parameters: Vec<Parameter>,
    /// There is nothing at the address, whatever the model.
    pub(crate) is_missing: bool,
    /// It may be a picture that it stumbled over, although it does not say so.
    pub(crate) may_be_a_picture: bool,
    /// It failed as a server does that is in trouble, or one that falls over something in the request.
    pub(crate) says_nothing: bool,
    /// The question was refused, and nothing says why.
    pub(crate) is_wordless: bool,
    /// The prompt is longer than the model reads.
    pub(crate) overfull: Option<Overfull>,
}

/// What a request can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    StructuredOutput,
    Temperature,
    Pictures,
    /// One of its pictures, which cannot be read.
    OnePicture,
    Tools,
    /// A word for how much to think.
    Effort,
    /// Being told to think, or not to.
    ThinkingSwitch,
    /// To think where tools are on offer.
    ThoughtWithTools,
    /// To be asked by chat completions.
    ChatCompletions,
    /// To be asked by the Responses API.
    Responses,
    /// To speak without thinking first: it was seen to think.
    Thoughtlessness,
    /// To think within the usual room: it was seen to fill it, and to say nothing.
    ShortThought,
}

impl Feature {
    /// For people, and for what is remembered of a model.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Feature::StructuredOutput => "a schema for its answer",
            Feature::Temperature => "a temperature",
            Feature::Pictures => "pictures",
            Feature::OnePicture => "a picture",
            Feature::Tools => "tools",
            Feature::Effort => "a word for effort",
            Feature::ThinkingSwitch => "a switch for thinking",
            Feature::ThoughtWithTools => "thinking beside tools",
            Feature::ChatCompletions => "chat completions",
            Feature::Responses => "the Responses API",
            Feature::Thoughtlessness => "an answer without thinking",
            Feature::ShortThought => "a short thought",
        }
    }
}

/// Whom a try was made with, for the wording of its failure.
#[derive(Clone, Copy)]
pub(crate) struct Party<'a> {
    pub(crate) provider: Provider,
    pub(crate) model: &'a str,
    pub(crate) url: &'a str,
    /// Only to take it out of messages.
    pub(crate) key: Option<&'a str>,
    /// The settings that say so, for the advice.
    pub(crate) keys: ModelKeys,
}

impl Trouble {
    pub(crate) fn new(kind: AskFailureKind, detail: String) -> Self {
        Self {
            failure: AskFailure::new(kind, detail),
            refuses: None,
            parameters: Vec::new(),
            is_missing: false,
            may_be_a_picture: false,
            says_nothing: kind == AskFailureKind::Malformed,
            is_wordless: false,
            overfull: None,
        }
    }
}

impl Party<'_> {
    /// Judges what a server said, by its status, its codes, and, where it has none for it, its own words.
    pub(crate) fn judge(&self, status: Option<u16>, report: &ErrorReport, wait: Option<Span>) -> Trouble {
        let told = status.or(report.status);
        let said = Heard::of((self.provider, self.model), told, report);
        let status = said.status;
        let provider = self.provider;
        let quoted = self.quoted(told, &report.message);
        let kind = said.kind();
        let detail = match kind {
            AskFailureKind::ContextTooLong => format!(
                "the prompt is too long for {provider} model `{}`{quoted}. Lower llm.contextTokens, or use a model that takes more",
                self.model
            ),
            AskFailureKind::RateLimited => {
                let when = how_long(wait.or(report.retry_after));
                format!(
                    "{provider} asks to slow down{quoted}. It passes by itself{when}; a smaller model or a higher plan has more room"
                )
            }
            AskFailureKind::QuotaSpent if said.is_day_quota() => format!(
                "the day's quota of {provider} model `{}` is used up{quoted}. It comes back by itself; a higher plan or another model ({}) has more",
                self.model, self.keys.model
            ),
            AskFailureKind::QuotaSpent => format!(
                "the {provider} account has no credit left or has reached its limit of spending{quoted}. Add credit or raise the limit on the provider's billing page, or use another {}",
                self.keys.provider
            ),
            AskFailureKind::Refused => format!("{provider} declined to answer{quoted}"),
            AskFailureKind::Unavailable => {
                format!("{provider} model `{}` cannot see pictures{quoted}", self.model)
            }
            AskFailureKind::ServerError if said.is_overloaded() => format!(
                "{provider} is overloaded{quoted}. It usually passes by itself; another model ({}) may have room",
                self.keys.model
            ),
            AskFailureKind::ServerError => {
                format!("{provider} is in trouble{quoted}. It usually passes by itself")
            }
            AskFailureKind::KeyRefused => {
                format!("{provider} rejected the key{quoted}. Check {}", self.key_advice())
            }
            AskFailureKind::RegionRefused => format!(
                "{provider} answers nobody from the country that it is asked from{quoted}. Go by an address that it answers ({}), or use another {}",
                self.address_advice(),
                self.keys.provider
            ),
            AskFailureKind::UnknownModel => format!(
                "{provider} has no model `{}` for this key{quoted}. Set {} to another one",
                self.model, self.keys.model
            ),
            AskFailureKind::Rejected if status == Some(404) => format!(
                "{provider} has nothing at this address{quoted}. Check {} and {} (now `{}`)",
                self.address_advice(),
                self.keys.model,
                self.model
            ),
            AskFailureKind::Rejected if status.is_some_and(|status| (300..400).contains(&status)) => format!(
                "{} points elsewhere{quoted}, and a key is not sent after it. Check {}",
                self.host(),
                self.address_advice()
            ),
            _ => format!(
                "{provider} rejected the request{quoted}. Check {} (now `{}`) and what it supports",
                self.keys.model, self.model
            ),
        };
        let retry_after = match kind {
            // What is asked for there is for the minute; nothing comes back before the day is over or somebody pays.
            AskFailureKind::QuotaSpent => Some(SPENT_REST.max(wait.unwrap_or_default())),
            _ => wait.or(report.retry_after),
        };
        Trouble {
            failure: AskFailure {
                retry_after,
                ..AskFailure::new(kind, detail)
            },
            refuses: said.refuses(kind),
            parameters: said.refused_parameters(kind),
            is_missing: said.is_missing(),
            may_be_a_picture: said.may_be_a_picture(kind),
            says_nothing: kind == AskFailureKind::ServerError
                && !said.is_overloaded()
                && retry_after.is_none(),
            is_wordless: kind == AskFailureKind::Rejected
                && matches!(status, Some(400 | 406 | 415 | 422 | 501))
                && report.is_wordless(),
            // A body may be too large for a gateway, whatever the model reads.
            overfull: (kind == AskFailureKind::ContextTooLong && status != Some(413))
                .then(|| Overfull::told_by(report)),
        }
    }

    /// What was asked did not leave any room for an answer.
    pub(crate) fn window_full(&self) -> Trouble {
        Trouble::new(
            AskFailureKind::ContextTooLong,
            format!(
                "the prompt leaves {} model `{}` no room for an answer. Lower llm.contextTokens, or use a model that takes more",
                self.provider, self.model
            ),
        )
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

    /// All the time that it had is over.
    pub(crate) fn timed_out(&self, deadline: Span) -> AskFailure {
        let detail = format!(
            "{} model `{}` was not done within {:.1} s. {}",
            self.provider,
            self.model,
            deadline.0 as f64 / 1_000.0,
            self.keys.when_slow()
        );
        AskFailure::new(AskFailureKind::TimedOut, detail)
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
                "{} model `{}` did not give an answer that can be used: {what}. If it stays so, check {} and {}",
                self.provider,
                self.model,
                self.keys.model,
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

/// ` in about 24 hours`, where a provider asks for more than a few minutes.
fn how_long(wait: Option<Span>) -> String {
    let minutes = wait.map_or(0, |wait| wait.0.div_ceil(60_000) as usize);
    match minutes {
        0..=5 => String::new(),
        6..120 => format!(" in about {}", counted(minutes, "minute")),
        _ => format!(" in about {}", counted(minutes.div_ceil(60), "hour")),
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

#[cfg(test)]
#[path = "trouble_tests.rs"]
mod tests;
