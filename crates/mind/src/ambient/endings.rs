//! How a thought can end, and why nothing came of it.

use serde::{Deserialize, Serialize};

/// Why nothing was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InitiativeSkip {
    /// It thinks of something, and keeps it for later.
    Held,
    /// It let the thought go, or had none.
    Dropped,
    /// The thought was held for too long.
    Expired,
    /// The operator dropped it.
    DroppedByOperator,
    /// Somebody wants forgotten what it speaks of.
    Forgotten,
    /// Somebody began to talk with it, or the operator changed what it may do.
    MomentPassed,
    /// It names a channel it may not post to.
    InvalidChannel,
    /// It said the same before.
    RepeatsItself,
    /// It shares something that was shared lately.
    SharedBefore,
    /// The picture it consists of could not be had.
    MediaFailed,
    /// The model could not be asked, or did not answer.
    ModelFailed,
    /// The budget of the day would not take another question.
    Budget,
    /// The room did not take the message.
    SendFailed,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    Posted,
    Held,
    Dropped,
    Failed,
    /// The process ended, or what it was based on is gone.
    Interrupted,
    /// It was a trial, and nothing came of it.
    Trial,
}

impl RunOutcome {
    pub(super) fn action(self) -> &'static str {
        match self {
            RunOutcome::Posted => "post_now",
            RunOutcome::Held => "hold",
            RunOutcome::Dropped => "drop",
            RunOutcome::Failed | RunOutcome::Interrupted => "failed",
            RunOutcome::Trial => "trial",
        }
    }
}

impl InitiativeSkip {
    /// How a run ends for this reason.
    pub(super) fn outcome(self) -> RunOutcome {
        match self {
            InitiativeSkip::Held => RunOutcome::Held,
            InitiativeSkip::MomentPassed => RunOutcome::Interrupted,
            InitiativeSkip::ModelFailed | InitiativeSkip::SendFailed => RunOutcome::Failed,
            InitiativeSkip::Dropped
            | InitiativeSkip::Expired
            | InitiativeSkip::DroppedByOperator
            | InitiativeSkip::Forgotten
            | InitiativeSkip::InvalidChannel
            | InitiativeSkip::RepeatsItself
            | InitiativeSkip::SharedBefore
            | InitiativeSkip::MediaFailed
            | InitiativeSkip::Budget => RunOutcome::Dropped,
        }
    }

    /// Whether a thought that was held until then is over with it; else it stays as it was.
    pub(super) fn ends_held_thought(self) -> bool {
        matches!(
            self,
            InitiativeSkip::Dropped
                | InitiativeSkip::RepeatsItself
                | InitiativeSkip::SharedBefore
                | InitiativeSkip::SendFailed
        )
    }

    /// In words, to follow "nothing was posted".
    pub fn words(self) -> &'static str {
        match self {
            InitiativeSkip::Held => "the thought is held for later",
            InitiativeSkip::Dropped => "the thought was dropped",
            InitiativeSkip::Expired => "the thought was held for too long",
            InitiativeSkip::DroppedByOperator => "the operator dropped the thought",
            InitiativeSkip::Forgotten => "the thought spoke of something that is forgotten now",
            InitiativeSkip::MomentPassed => "the moment had passed",
            InitiativeSkip::InvalidChannel => "it named a channel it may not post to",
            InitiativeSkip::RepeatsItself => "it said the same before",
            InitiativeSkip::SharedBefore => "it shares what was shared lately",
            InitiativeSkip::MediaFailed => "the post was to be a picture, and that could not be had",
            InitiativeSkip::ModelFailed => "the model did not answer",
            InitiativeSkip::Budget => "the day's budget would not take another question",
            InitiativeSkip::SendFailed => "the room did not take the message",
        }
    }
}
