//! Why a question to a model was not answered, and whose doing that is.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Span, Usage, named};

/// Why no answer came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AskFailure {
    pub kind: AskFailureKind,
    /// For a person: what happened and what to do about it. Never holds a key or message text.
    pub detail: String,
    /// What the provider asked us to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<Span>,
    /// What it took all the same, where the provider had counted before it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Requests that went out for it; every one counts.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub tries: u32,
}

fn once() -> u32 {
    1
}

fn is_once(tries: &u32) -> bool {
    *tries == 1
}

named! {
    pub enum AskFailureKind {
        TimedOut = "timed_out",
        RateLimited = "rate_limited",
        /// Declined by the provider before or instead of answering.
        Refused = "refused",
        /// No connection could be made, or it broke before an answer began.
        Unreachable = "unreachable",
        /// The provider was reached and has trouble of its own, such as HTTP 500.
        ServerError = "server_error",
        /// The provider took the question and has not sent a byte of an answer.
        NoFirstByte = "no_first_byte",
        /// An answer began and nothing more of it came.
        StreamStalled = "stream_stalled",
        /// The provider said something that cannot be understood, or stopped halfway.
        Malformed = "malformed",
        ContextTooLong = "context_too_long",
        /// The provider rejected the request.
        Rejected = "rejected",
        /// The provider does not accept the key, or not for this.
        KeyRefused = "key_refused",
        /// The provider answers nobody from the country that it is asked from.
        RegionRefused = "region_refused",
        /// The provider has no such model, or not for this key.
        UnknownModel = "unknown_model",
        /// The process ended while the ask was under way.
        Interrupted = "interrupted",
        /// It was not asked: nothing is left of what may be spent today.
        BudgetSpent = "budget_spent",
        /// Nothing that is set up here can do this.
        Unavailable = "unavailable",
        /// The provider's account has no credit or quota left; waiting a little does not help.
        QuotaSpent = "quota_spent",
        /// It wrote all that it may, thoughts included, and nothing of it was a word.
        OutOfRoom = "out_of_room",
        /// It ended its answer without a word where one is owed.
        EmptyAnswer = "empty_answer",
    }
}

/// Whose doing it is that no answer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    /// The model, its server or the way there: it may be otherwise a little later.
    ModelForNow,
    /// The model's server, until somebody changes something here.
    ModelForGood,
    /// What was asked, or what may be spent on it.
    Question,
    /// This process, which ended meanwhile.
    Process,
}

impl AskFailureKind {
    fn doing(self) -> Doing {
        match self {
            AskFailureKind::TimedOut
            | AskFailureKind::RateLimited
            | AskFailureKind::Unreachable
            | AskFailureKind::ServerError
            | AskFailureKind::NoFirstByte
            | AskFailureKind::StreamStalled
            | AskFailureKind::Malformed => Doing::ModelForNow,
            AskFailureKind::Rejected
            | AskFailureKind::KeyRefused
            | AskFailureKind::RegionRefused
            | AskFailureKind::UnknownModel
            | AskFailureKind::QuotaSpent
            | AskFailureKind::OutOfRoom
            | AskFailureKind::EmptyAnswer => Doing::ModelForGood,
            AskFailureKind::Refused
            | AskFailureKind::BudgetSpent
            | AskFailureKind::ContextTooLong
            | AskFailureKind::Unavailable => Doing::Question,
            AskFailureKind::Interrupted => Doing::Process,
        }
    }

    /// Whether the same question may succeed a little later.
    pub fn is_retryable(self) -> bool {
        matches!(self.doing(), Doing::ModelForNow | Doing::Process)
    }

    /// Whether it says something of the model, rather than of what was asked or of this process.
    pub fn is_the_models(self) -> bool {
        matches!(self.doing(), Doing::ModelForNow | Doing::ModelForGood)
    }

    /// Whether it stays so until somebody changes something here.
    pub fn lasts(self) -> bool {
        self.doing() == Doing::ModelForGood
    }

    /// Whether it is the account's, whatever it is asked for: one answer says that it is over.
    pub fn is_the_accounts(self) -> bool {
        matches!(
            self,
            AskFailureKind::KeyRefused | AskFailureKind::RegionRefused | AskFailureKind::QuotaSpent
        )
    }

    /// Whether a room has waited long for nothing: trying it again and again would hold up everybody in it.
    pub fn took_its_time(self) -> bool {
        matches!(
            self,
            AskFailureKind::TimedOut | AskFailureKind::NoFirstByte | AskFailureKind::StreamStalled
        )
    }

    /// Whether nobody has read the question, so that it has cost nothing for certain.
    pub fn was_not_read(self) -> bool {
        matches!(
            self,
            AskFailureKind::Unreachable
                | AskFailureKind::Unavailable
                | AskFailureKind::Rejected
                | AskFailureKind::KeyRefused
                | AskFailureKind::RegionRefused
                | AskFailureKind::UnknownModel
                | AskFailureKind::RateLimited
                | AskFailureKind::QuotaSpent
                | AskFailureKind::ServerError
                | AskFailureKind::ContextTooLong
        )
    }
}

impl AskFailure {
    /// A failure after which nobody asked us to wait.
    pub fn new(kind: AskFailureKind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            retry_after: None,
            usage: None,
            tries: 1,
        }
    }
}

impl fmt::Display for AskFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.detail)
    }
}
