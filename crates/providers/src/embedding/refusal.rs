//! What an embeddings server said instead of vectors: whether to try again, to send less, or what to tell a person.

use std::str::Chars;

use reqwest::StatusCode;
use runtime::ports::MemoryFault;
use vocabulary::Span;

use super::wire::Wire;
use crate::error_body::ErrorReport;
use crate::heard::CONTEXT_TOO_LONG;
use crate::trouble::scrubbed;

/// So many letters in a row that also stand in a text are a quotation of it.
const QUOTATION_CHARS: usize = 14;
/// Of an account that nothing is left on.
const NO_CREDIT: &[&str] = &[
    "insufficient_quota",
    "credit balance",
    "billing_not_active",
    "billing_hard_limit",
    "billing_error",
];

/// Why a try failed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It may pass by itself.
    Passing { detail: String, wait: Option<Span> },
    /// A text is longer than the model takes.
    TooLong { detail: String },
    /// Trying again makes no sense.
    Lasting(MemoryFault),
}

/// Whom a try was made with, for the wording of its failure.
#[derive(Clone, Copy)]
pub(super) struct Party<'a> {
    pub(super) wire: Wire,
    pub(super) model: &'a str,
    /// Scheme, host and port.
    pub(super) place: &'a str,
    /// It is OpenAI's own address, which nobody has to start.
    pub(super) is_home: bool,
    /// Where the key came from, or would stand.
    pub(super) key_advice: &'a str,
    /// Only to take it out of messages.
    pub(super) key: Option<&'a str>,
}

const TOO_LONG: &[&str] = &[
    "input is too large",
    "input is too long",
    "input length exceeds",
    "physical batch size",
    "maximum sequence length",
];

impl Party<'_> {
    /// Judges a status and the server's own words; `sent` are the texts, which must not come back in an error.
    pub(super) fn judge(&self, status: u16, body: &[u8], wait: Option<Span>, sent: &[String]) -> Trouble {
        let report = ErrorReport::from_body(body);
        let words = report.words();
        let says = |needles: &[&str]| needles.iter().any(|needle| words.contains(needle));
        let quoted = self.quoted(status, &report.message, sent);
        let Self { model, place, .. } = self;
        if status == 413 || (status != 429 && (says(CONTEXT_TOO_LONG) || says(TOO_LONG))) {
            return Trouble::TooLong {
                detail: format!("{} says a text is too long{quoted}", self.server()),
            };
        }
        let sentence = match status {
            _ if status == 402 || says(NO_CREDIT) => format!(
                "the account at {place} has no credit{quoted}. Add some, or set memory.embedding.provider to builtin"
            ),
            401 | 403 => format!(
                "{} at {place} rejected the key{quoted}. Check {}",
                self.server(),
                self.key_advice
            ),
            404 if self.wire == Wire::Ollama => format!(
                "Ollama at {place} does not have the model `{model}`{quoted}. Run `ollama pull {model}`, or name another in memory.embedding.model"
            ),
            404 | 405 => format!(
                "{} at {place} does not know the model `{model}` or the address{quoted}. Check memory.embedding.model and memory.embedding.url",
                self.server()
            ),
            300..=399 => format!(
                "{place} points elsewhere ({status}), and neither texts nor a key are sent after it. Check memory.embedding.url"
            ),
            501 => format!(
                "{} at {place} does not serve embeddings{quoted}. Start it with an embedding model, or name another in memory.embedding.url",
                self.server()
            ),
            408 | 425 | 429 | 500.. => {
                return Trouble::Passing {
                    detail: self.passing(status, &quoted),
                    wait: wait.or(report.retry_after),
                };
            }
            _ => format!(
                "{} at {place} refused to embed with `{model}`{quoted}. Check memory.embedding.model and memory.embedding.dimensions",
                self.server()
            ),
        };
        Trouble::Lasting(MemoryFault::Refused(sentence))
    }

    fn passing(&self, status: u16, quoted: &str) -> String {
        match status {
            429 => format!("it asks to slow down{quoted}"),
            _ => format!("it is in trouble{quoted}"),
        }
    }

    /// It cannot be had now, whatever the reason.
    pub(super) fn unreachable(&self, detail: String) -> MemoryFault {
        let remedy = match (self.wire, self.is_home) {
            (Wire::OpenAi, true) => {
                "It usually passes by itself; check this machine's network if it does not".to_owned()
            }
            (Wire::OpenAi, false) => "Start the server, or correct memory.embedding.url".to_owned(),
            (Wire::Ollama, _) => "Start it with `ollama serve`, or correct memory.embedding.url".to_owned(),
        };
        MemoryFault::Unreachable {
            what: self.server(),
            place: self.place.to_owned(),
            detail,
            remedy,
        }
    }

    /// Something came, but no vectors.
    pub(super) fn malformed(&self, detail: &str) -> MemoryFault {
        let Self { model, place, .. } = self;
        MemoryFault::Failed {
            doing: "embedding texts",
            detail: format!(
                "{} at {place} did not answer `{model}` as it should: {detail}. Check memory.embedding.url and memory.embedding.model",
                self.server()
            ),
        }
    }

    fn server(&self) -> &'static str {
        match (self.wire, self.is_home) {
            (Wire::OpenAi, true) => "OpenAI",
            (Wire::OpenAi, false) => "the embeddings server",
            (Wire::Ollama, _) => "Ollama",
        }
    }

    /// ` (400: their words)`, without keys; their words are left out where they repeat ours.
    fn quoted(&self, status: u16, message: &str, sent: &[String]) -> String {
        let known = StatusCode::from_u16(status)
            .ok()
            .and_then(|status| status.canonical_reason());
        let message = if repeats(message, sent) {
            known.unwrap_or("").to_owned()
        } else {
            scrubbed(message, self.key)
        };
        if message.is_empty() {
            format!(" ({status})")
        } else {
            format!(" ({status}: {message})")
        }
    }
}

/// Whether a message quotes any of the texts, wholly or in part, however it is punctuated.
fn repeats(message: &str, texts: &[String]) -> bool {
    // Only the beginning is passed on.
    let beginning: String = message.chars().take(400).collect();
    let message = letters(&beginning);
    let windows: Vec<String> = message
        .windows(QUOTATION_CHARS)
        .map(|window| window.iter().collect())
        .collect();
    let whole: String = message.into_iter().collect();
    texts.iter().any(|text| {
        let text: String = letters(text).into_iter().collect();
        // A word of three letters is in everything.
        (text.chars().count() > 3 && whole.contains(&text))
            || windows.iter().any(|window| text.contains(window))
    })
}

/// Letters and digits in small, with what servers escape written plainly.
fn letters(text: &str) -> Vec<char> {
    let mut letters = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let c = match c {
            '\\' => escaped(&mut rest),
            c => Some(c),
        };
        letters.extend(
            c.filter(|c| c.is_alphanumeric())
                .into_iter()
                .flat_map(char::to_lowercase),
        );
    }
    letters
}

/// What stands behind a backslash: `\u00e9` is a letter, `\n` is none.
fn escaped(rest: &mut Chars<'_>) -> Option<char> {
    if rest.next()? != 'u' {
        return None;
    }
    let digits: String = rest.take(4).collect();
    u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)
}

#[cfg(test)]
#[path = "refusal_tests.rs"]
mod tests;
