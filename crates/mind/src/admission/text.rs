//! Stage A for text: the free gate in front of every model call.

use serde::{Deserialize, Serialize};

use crate::addressing::{AddressReason, AddressSignal};

/// When the gate is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// As a message arrives.
    BeforeQueueing,
    /// Once more, right before the model is asked: the room may have moved on.
    BeforeGeneration,
}

/// Why the gate let a message pass, or did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AdmissionReason {
    /// Addressed, and a reply is owed.
    Forced,
    /// Addressed; the model may still stay silent.
    Addressed,
    /// Not addressed, but Denizen is part of the conversation; the model decides.
    RecentWindow,
    /// Not addressed by itself, but part of a burst of its author's that was let in.
    JoinsBurst,
    /// Somebody who looks after Denizen wants it answered.
    OperatorWish,
    /// Not addressed and unclear: the classifier is asked.
    AskClassifier,
    /// The platform lets Denizen read here and not write.
    MayNotWrite,
    /// Somebody wants nothing said here for a while.
    Quiet,
    /// The channel is not among those allowed.
    ChannelNotAllowed,
    ChannelBlocked,
    UserNotAllowed,
    UserBlocked,
    /// Not addressed, and joining in unasked is switched off (or its level is 0).
    InitiativeRepliesOff,
    /// Its author says by name that it is for somebody else.
    MeantForSomebodyElse,
    /// Not addressed, and Denizen said nothing lately.
    NotInRecentWindow,
}

/// What the gate looks at.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub signal: &'a AddressSignal,
    /// Denizen wrote one of the last few messages.
    pub bot_in_recent_window: bool,
    /// The platform lets Denizen read here and not write.
    pub read_only: bool,
    /// Somebody wants nothing said here for a while.
    pub quiet: bool,
    pub channel_allowed: bool,
    pub channel_blocked: bool,
    pub user_allowed: bool,
    pub user_blocked: bool,
    pub initiative_replies: bool,
    /// 0–100: how eager it is in this channel; 0 never joins in unasked.
    pub eagerness: u64,
    pub classifier: bool,
}

/// The gate's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    pub allow: bool,
    pub reason: AdmissionReason,
    /// A reply is owed: the model may not choose silence.
    pub forced: bool,
}

/// Decides whether a reply is attempted.
pub fn decide(question: &Question<'_>) -> Admission {
    let deny = |reason| Admission {
        allow: false,
        reason,
        forced: false,
    };
    let allow = |reason, forced| Admission {
        allow: true,
        reason,
        forced,
    };
    if question.read_only {
        return deny(AdmissionReason::MayNotWrite);
    }
    if question.quiet {
        return deny(AdmissionReason::Quiet);
    }
    if question.channel_blocked {
        return deny(AdmissionReason::ChannelBlocked);
    }
    if !question.channel_allowed {
        return deny(AdmissionReason::ChannelNotAllowed);
    }
    if question.user_blocked {
        return deny(AdmissionReason::UserBlocked);
    }
    if !question.user_allowed {
        return deny(AdmissionReason::UserNotAllowed);
    }
    if forces_reply(question.signal.reason) {
        return allow(AdmissionReason::Forced, true);
    }
    if question.signal.triggered {
        return allow(AdmissionReason::Addressed, false);
    }
    if question.signal.names_somebody_else() {
        return deny(AdmissionReason::MeantForSomebodyElse);
    }
    if !question.initiative_replies || question.eagerness == 0 {
        return deny(AdmissionReason::InitiativeRepliesOff);
    }
    if question.bot_in_recent_window {
        return allow(AdmissionReason::RecentWindow, false);
    }
    if question.classifier {
        return allow(AdmissionReason::AskClassifier, false);
    }
    deny(AdmissionReason::NotInRecentWindow)
}

/// Only high-certainty signals oblige to reply; a classifier's guess and a follow-up never do.
pub fn forces_reply(reason: AddressReason) -> bool {
    matches!(
        reason,
        AddressReason::Direct | AddressReason::NameExact | AddressReason::NameAlias
    )
}
