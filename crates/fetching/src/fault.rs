//! Why nothing came, in one line for a person.

use std::error::Error;
use std::fmt::Write;
use std::time::Duration;

use thiserror::Error;
use url::Url;

/// Why nothing came; each says what to do about it where there is something to do.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FetchFault {
    /// It is not done: the address, the type, the size or the redirect is one that is refused.
    #[error("{0}")]
    Refused(String),
    /// It was tried and did not work out.
    #[error("{0}")]
    Failed(String),
    /// The server answered, but not with what was wanted.
    #[error("{words}")]
    Answered {
        status: u16,
        /// How long the server asks to be left alone.
        retry_after: Option<Duration>,
        words: String,
    },
}

impl FetchFault {
    /// The status the server answered with, where it did.
    pub fn status(&self) -> Option<u16> {
        match self {
            FetchFault::Answered { status, .. } => Some(*status),
            FetchFault::Refused(_) | FetchFault::Failed(_) => None,
        }
    }

    /// How long the server asked to be left alone.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            FetchFault::Answered { retry_after, .. } => *retry_after,
            FetchFault::Refused(_) | FetchFault::Failed(_) => None,
        }
    }

    pub(crate) fn refused(url: &Url, why: impl std::fmt::Display) -> Self {
        FetchFault::Refused(format!("{} was refused: {why}", shown(url)))
    }

    /// The same, told by the address that was asked for where redirects led elsewhere.
    pub(crate) fn led_to(mut self, seen: &[Url]) -> Self {
        if let [start, _, ..] = seen {
            let (FetchFault::Refused(words) | FetchFault::Failed(words) | FetchFault::Answered { words, .. }) =
                &mut self;
            *words = format!("{} leads on: {words}", shown(start));
        }
        self
    }

    pub(crate) fn failed(url: &Url, why: impl std::fmt::Display) -> Self {
        FetchFault::Failed(format!("{} could not be fetched: {why}", shown(url)))
    }
}

/// An address for a message: short, and without the query, which may hold a key.
pub(crate) fn shown(url: &Url) -> String {
    one_line(
        &format!("{}{}", url.origin().ascii_serialization(), url.path()),
        160,
    )
}

/// What strangers wrote, fit for a message: no control characters, and no more than `limit` characters.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let mut line: String = text
        .chars()
        .take(limit)
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    if text.chars().nth(limit).is_some() {
        let _ = write!(line, "…");
    }
    line
}

/// The innermost cause, which is the one that says something to a person.
pub(crate) fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut innermost: &(dyn Error + 'static) = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    one_line(&innermost.to_string(), 160)
}
