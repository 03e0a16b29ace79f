//! What stops a thought of its own, and how one can end.

use serde::{Deserialize, Serialize};
use vocabulary::named;

named! {
    /// What stops a tick.
    pub enum AmbientGate {
        /// `initiative.text.enabled` is off.
        Disabled = "disabled",
        /// No channel of the pool may be posted to.
        NoChannels = "no_channels",
        /// None of the channels it may post to exists.
        UnknownChannels = "unknown_channels",
        /// So many posts of its own were made in the last 24 hours.
        DailyCap = "daily_cap",
        /// The budget of the last 24 hours is used up.
        BudgetCalls = "budget_calls",
        BudgetTokens = "budget_tokens",
        BudgetCost = "budget_cost",
        /// Somebody is talking with it.
        AttentionActive = "attention_active",
        /// A thought is under way.
        ThinkingAlready = "thinking_already",
        /// The held thought was looked at not long ago, and rests.
        HeldTooYoung = "held_too_young",
        /// It looked for a fresh thought not long ago.
        Gap = "gap",
        /// Something is in the way of a message of its own in its channels, as for a comment.
        RoomBusy = "room_busy",
        /// Chance was against it.
        Eagerness = "eagerness",
    }
}

impl AmbientGate {
    /// In words, with what would open it.
    pub fn words(self) -> &'static str {
        match self {
            AmbientGate::Disabled => "thoughts of its own are switched off (initiative.text.enabled)",
            AmbientGate::NoChannels => {
                "no channel may be posted to: name one in permissions.replies.discoveryChannelIds that is neither blocked nor left out"
            }
            AmbientGate::UnknownChannels => {
                "no channel of permissions.replies.discoveryChannelIds exists: name a room that does"
            }
            AmbientGate::DailyCap => {
                "as many posts of its own as are allowed in 24 hours were made (initiative.text.maxPostsPerDay)"
            }
            AmbientGate::BudgetCalls => {
                "as many model calls as are allowed in 24 hours were made (initiative.budget.maxCallsPerDay)"
            }
            AmbientGate::BudgetTokens => {
                "another thought might go over the tokens of 24 hours (initiative.budget.maxTokensPerDay)"
            }
            AmbientGate::BudgetCost => {
                "another thought might go over the money of 24 hours (initiative.budget.maxDollarsPerDay)"
            }
            AmbientGate::AttentionActive => {
                "somebody is talking with it, and that comes first (attention.activeSeconds)"
            }
            AmbientGate::ThinkingAlready => "a thought is under way",
            AmbientGate::HeldTooYoung => "the thought it holds was looked at not long ago, and rests",
            AmbientGate::Gap => {
                "it looked for a fresh thought not long ago (initiative.text.minMinutesBetweenPosts)"
            }
            AmbientGate::RoomBusy => {
                "somebody writes or waits for a reply there, or it wrote a moment ago or enough for an hour (activity.minSecondsBetweenMessages, activity.maxMessagesPerHour)"
            }
            AmbientGate::Eagerness => "chance was against it (initiative.text.eagerness)",
        }
    }
}

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
    /// The answer could not be understood.
    Unreadable,
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

impl InitiativeSkip {
    /// How a run ends for this reason.
    pub(crate) fn outcome(self) -> RunOutcome {
        match self {
            InitiativeSkip::Held => RunOutcome::Held,
            InitiativeSkip::MomentPassed => RunOutcome::Interrupted,
            InitiativeSkip::ModelFailed | InitiativeSkip::SendFailed | InitiativeSkip::Unreadable => {
                RunOutcome::Failed
            }
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
    pub(crate) fn ends_held_thought(self) -> bool {
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
            InitiativeSkip::Unreadable => "the answer could not be understood",
            InitiativeSkip::RepeatsItself => "it said the same before",
            InitiativeSkip::SharedBefore => "it shares what was shared lately",
            InitiativeSkip::MediaFailed => "the post was to be a picture, and that could not be had",
            InitiativeSkip::ModelFailed => "the model did not answer",
            InitiativeSkip::Budget => "the day's budget would not take another question",
            InitiativeSkip::SendFailed => "the room did not take the message",
        }
    }
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
    pub(crate) fn action(self) -> &'static str {
        match self {
            RunOutcome::Posted => "post_now",
            RunOutcome::Held => "hold",
            RunOutcome::Dropped => "drop",
            RunOutcome::Failed | RunOutcome::Interrupted => "failed",
            RunOutcome::Trial => "trial",
        }
    }
}

/// Why the moment of a thought has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassedMoment {
    /// Somebody began to talk with Denizen.
    SomebodyTalks,
    /// The operator switched thoughts off.
    SwitchedOff,
    /// There is nowhere left to post.
    NoChannels,
    /// The channel it is meant for may not be posted to any more.
    ChannelShut,
    DailyCap,
    TooOld,
}

impl PassedMoment {
    /// In words, to follow "the moment had passed".
    pub fn words(self) -> &'static str {
        match self {
            PassedMoment::SomebodyTalks => "somebody began to talk with it",
            PassedMoment::SwitchedOff => "thoughts of its own were switched off",
            PassedMoment::NoChannels => "no channel may be posted to any more",
            PassedMoment::ChannelShut => "its channel may not be posted to any more",
            PassedMoment::DailyCap => "no more posts are allowed in 24 hours",
            PassedMoment::TooOld => "it is too old by now",
        }
    }
}

/// Who took a source away that Denizen had added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceRemover {
    Denizen,
    Operator,
}
