//! Why words were not understood or said, on its way to a person.

use std::time::Duration;

use onnx::OnnxError;
use runtime::ports::SpeechFault;
use vocabulary::UnheardReason;

/// Longest piece of a service's own words.
const WORDS_CHARACTERS_MAX: usize = 300;

/// What went wrong with one clip or one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub(crate) reason: UnheardReason,
    pub(crate) detail: String,
    /// It may go better the next time without anybody doing something.
    pub(crate) retryable: bool,
    /// The service does not have what it was asked for: another model or voice may do.
    pub(crate) lacks: bool,
}

impl Trouble {
    /// Somebody has to do something about it.
    pub(crate) fn lasting(detail: impl Into<String>) -> Self {
        Self {
            reason: UnheardReason::Failed,
            detail: detail.into(),
            retryable: false,
            lacks: false,
        }
    }

    /// It may pass.
    pub(crate) fn passing(detail: impl Into<String>) -> Self {
        Self {
            reason: UnheardReason::Failed,
            detail: detail.into(),
            retryable: true,
            lacks: false,
        }
    }

    /// The time that it had is over.
    pub(crate) fn late(who: &str, time: Duration) -> Self {
        Self {
            reason: UnheardReason::TimedOut,
            detail: format!(
                "{who} took longer than {} s. A smaller model or another service may keep up",
                time.as_secs()
            ),
            retryable: true,
            lacks: false,
        }
    }

    /// A program or a thread of ours ended without a result.
    pub(crate) fn broken(who: &str) -> Self {
        Self::passing(format!("{who} ended without a result"))
    }
}

impl From<OnnxError> for Trouble {
    fn from(error: OnnxError) -> Self {
        Self::lasting(error.to_string())
    }
}

impl From<Trouble> for SpeechFault {
    fn from(trouble: Trouble) -> Self {
        SpeechFault {
            detail: trouble.detail,
            retryable: trouble.retryable,
        }
    }
}

/// A stranger's words on one line, cut.
pub(crate) fn one_line(text: &str) -> String {
    vocabulary::text::plain_words(text, WORDS_CHARACTERS_MAX)
}
