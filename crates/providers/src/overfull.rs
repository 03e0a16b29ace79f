//! How much a model reads, learnt from a server that refuses a longer prompt: by its number, by its words, or by trying less.

use crate::error_body::ErrorReport;

/// What a server says that a prompt is too long for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overfull {
    /// It reads so many tokens.
    Reads(u64),
    /// It does not say how many it reads.
    Untold,
}

/// How much a model was found to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoundWindow {
    pub(crate) tokens: u64,
    /// Its server said so; otherwise less than it refused is tried.
    pub(crate) is_told: bool,
}

/// Nobody reads fewer tokens, or more: such a number is about something else.
const WINDOW_MIN: u64 = 256;
const WINDOW_MAX: u64 = 100_000_000;
/// What stands before the number.
const BEFORE: &[&str] = &[
    "context length",
    "context length is",
    "context length of",
    "context length of only",
    "context size",
    "context size is",
    "context size of",
    "context window",
    "context window is",
    "context window of",
    "context limit",
    "context limit is",
    "context limit of",
    "model length",
    "model length is",
    "model length of",
    "tokens allowed",
    "tokens allowed is",
    "token limit",
    "token limit is",
    "token limit of",
];
/// What stands after it.
const AFTER: &[&str] = &["maximum", "token limit", "token context", "context"];

impl Overfull {
    /// By the field of llama.cpp, or the sentence that all others have.
    pub(crate) fn told_by(report: &ErrorReport) -> Self {
        let told = report.window.or_else(|| in_words(&report.message.to_lowercase()));
        match told.filter(|tokens| (WINDOW_MIN..=WINDOW_MAX).contains(tokens)) {
            Some(tokens) => Self::Reads(tokens),
            None => Self::Untold,
        }
    }

    /// Tokens that it is given at most from now on, where these were too many by our estimate. Its tokens may be shorter
    /// than ours, so that a number of its own may not be enough; what a picture takes, nobody can tell.
    pub(crate) fn lesson(self, sent: u64, has_pictures: bool) -> Option<FoundWindow> {
        match self {
            Self::Reads(tokens) if tokens < sent || has_pictures => Some(FoundWindow {
                tokens,
                is_told: true,
            }),
            Self::Untold if has_pictures => None,
            Self::Reads(_) | Self::Untold => {
                let tokens = Some(sent * 3 / 4).filter(|tokens| *tokens >= WINDOW_MIN)?;
                Some(FoundWindow {
                    tokens,
                    is_told: false,
                })
            }
        }
    }
}

/// The number that is said to be the most.
fn in_words(words: &str) -> Option<u64> {
    let is_figure = |letter: char| letter.is_ascii_digit() || letter == ',';
    let mut at = 0;
    while let Some(start) = words[at..].find(|letter: char| letter.is_ascii_digit()) {
        let start = at + start;
        let length = words[start..].find(|letter: char| !is_figure(letter));
        let end = length.map_or(words.len(), |length| start + length);
        at = end;
        let before = words[..start].trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let after = words[end..].trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let after = after.strip_prefix("tokens").unwrap_or(after).trim_start();
        let is_most = BEFORE.iter().any(|phrase| before.ends_with(phrase))
            || AFTER.iter().any(|phrase| after.starts_with(phrase));
        if is_most {
            return words[start..end].replace(',', "").parse().ok();
        }
    }
    None
}

#[cfg(test)]
#[path = "overfull_tests.rs"]
mod tests;
