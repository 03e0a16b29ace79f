//! The admission gate, asked with a room's surroundings filled in.

use settings::Settings;
use vocabulary::{JournalSeq, MessageId, PersonId, RoomFacts, RoomId};

use crate::addressing::AddressSignal;
use crate::admission::text::{Admission, Question, decide};
use crate::admission::{AdmissionReason, Gate};
use crate::journal::{JournalEvent, Scope};
use crate::replies::ReplyContext;
use crate::step_context::StepContext;

/// What is at the gate.
#[derive(Debug)]
pub(super) struct AtGate<'a> {
    pub gate: Gate,
    pub author: &'a PersonId,
    pub signal: &'a AddressSignal,
    /// Messages that do not count when the gate looks whether Denizen spoke lately.
    pub except: &'a [MessageId],
    /// The message continues a burst of its author's that is waiting already.
    pub joins_burst: bool,
    /// An operator wants it answered.
    pub is_wished: bool,
    pub scope: Scope,
}

impl AtGate<'_> {
    /// Asks the gate, and journals its answer.
    pub fn ask(self, context: &ReplyContext<'_>, step: &mut StepContext<'_>) -> (Admission, JournalSeq) {
        let (room, facts, log) = (context.room, context.facts, context.log.log());
        let settings = step.settings;
        let window = settings.addressing.recent_window_messages as usize;
        let replies = &settings.replies;
        let eagerness = eagerness(room, settings);
        let bot_in_recent_window = log.denizen_among_newest(window, self.except);
        let author = self.author.as_str();
        let mut admission = decide(&Question {
            signal: self.signal,
            bot_in_recent_window,
            read_only: facts.is_some_and(|facts| facts.read_only),
            channel_allowed: is_among_allowed(room, facts, settings),
            channel_blocked: is_blocked(room, facts, settings),
            user_allowed: is_allowed(&replies.allowed_user_ids, author),
            user_blocked: contains(&replies.blocked_user_ids, author),
            initiative_replies: settings.permissions.allow_initiative_replies,
            eagerness,
            classifier: settings.address_classifier.enabled,
        });
        let not_addressed = matches!(
            admission.reason,
            AdmissionReason::InitiativeRepliesOff
                | AdmissionReason::NotInRecentWindow
                | AdmissionReason::AskClassifier
        );
        let is_for_somebody_else = admission.reason == AdmissionReason::MeantForSomebodyElse;
        if self.is_wished && (not_addressed || is_for_somebody_else) {
            admission = Admission {
                allow: true,
                reason: AdmissionReason::OperatorWish,
                forced: true,
            };
        }
        if self.joins_burst && not_addressed && !self.is_wished {
            admission = Admission {
                allow: true,
                reason: AdmissionReason::JoinsBurst,
                forced: false,
            };
        }
        let event = JournalEvent::AdmissionDecided {
            gate: self.gate,
            allow: admission.allow,
            reason: admission.reason,
            address: self.signal.reason,
            rule: self.signal.rule.clone(),
            confidence: self.signal.confidence,
            forced: admission.forced,
            bot_in_recent_window,
            eagerness,
        };
        let line = step.ledger.write(self.scope, event);
        (admission, line)
    }
}

/// Whether Denizen may speak in a room at all.
pub(crate) fn may_speak_in(room: &RoomId, facts: Option<&RoomFacts>, settings: &Settings) -> bool {
    let read_only = facts.is_some_and(|facts| facts.read_only);
    !read_only && is_among_allowed(room, facts, settings) && !is_blocked(room, facts, settings)
}

/// A thread is allowed with its channel, and a channel with its category.
fn is_among_allowed(room: &RoomId, facts: Option<&RoomFacts>, settings: &Settings) -> bool {
    let allowed = &settings.replies.allowed_channel_ids;
    allowed.is_empty() || is_listed(allowed, room, facts)
}

fn is_blocked(room: &RoomId, facts: Option<&RoomFacts>, settings: &Settings) -> bool {
    is_listed(&settings.replies.blocked_channel_ids, room, facts)
}

fn is_listed(list: &[String], room: &RoomId, facts: Option<&RoomFacts>) -> bool {
    let parent = facts.and_then(|facts| facts.parent.as_ref());
    contains(list, room.as_str()) || parent.is_some_and(|parent| contains(list, parent.as_str()))
}

/// Whether somebody may be answered aloud in a room.
pub(crate) fn may_be_answered(room: &RoomId, person: &PersonId, settings: &Settings) -> bool {
    let replies = &settings.replies;
    may_speak_in(room, None, settings)
        && is_allowed(&replies.allowed_user_ids, person.as_str())
        && !contains(&replies.blocked_user_ids, person.as_str())
}

/// Whether a room is one where Denizen is among friends.
pub(super) fn is_initiative_channel(room: &RoomId, settings: &Settings) -> bool {
    contains(&settings.replies.reply_channel_ids, room.as_str())
}

/// How eager it is in a room: a signal to the gate and to the model, not a chance.
pub(super) fn eagerness(room: &RoomId, settings: &Settings) -> u64 {
    if is_initiative_channel(room, settings) {
        settings.activity.reply_level_initiative
    } else {
        settings.activity.reply_level_non_initiative
    }
}

fn contains(list: &[String], id: &str) -> bool {
    list.iter().any(|entry| entry == id)
}

fn is_allowed(list: &[String], id: &str) -> bool {
    list.is_empty() || contains(list, id)
}
