//! The admission gate with this room's surroundings filled in.

use vocabulary::{JournalSeq, MessageId, PersonId, RoomId};

use super::room::TextRoom;
use crate::addressing::AddressSignal;
use crate::admission::text::{Admission, Question, decide};
use crate::admission::{AdmissionReason, Gate};
use crate::journal::{JournalEvent, Scope};
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
    pub scope: Scope,
}

impl TextRoom {
    /// Asks the gate, and journals its answer.
    pub(super) fn ask_gate(&self, at: AtGate<'_>, step: &mut StepContext<'_>) -> (Admission, JournalSeq) {
        let settings = step.settings;
        let window = settings.addressing.recent_window_messages as usize;
        let replies = &settings.replies;
        let eagerness = eagerness(&self.id, settings);
        let bot_in_recent_window = self.compaction.log.denizen_among_newest(window, at.except);
        let contains = |list: &[String], id: &str| list.iter().any(|entry| entry == id);
        let empty_or = |list: &[String], id: &str| list.is_empty() || contains(list, id);
        let mut admission = decide(&Question {
            signal: at.signal,
            bot_in_recent_window,
            channel_allowed: empty_or(&replies.allowed_channel_ids, self.id.as_str()),
            channel_blocked: contains(&replies.blocked_channel_ids, self.id.as_str()),
            user_allowed: empty_or(&replies.allowed_user_ids, at.author.as_str()),
            user_blocked: contains(&replies.blocked_user_ids, at.author.as_str()),
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
        if at.joins_burst && not_addressed {
            admission = Admission {
                allow: true,
                reason: AdmissionReason::JoinsBurst,
                forced: false,
            };
        }
        let event = JournalEvent::AdmissionDecided {
            gate: at.gate,
            allow: admission.allow,
            reason: admission.reason,
            address: at.signal.reason,
            rule: at.signal.rule.clone(),
            confidence: at.signal.confidence,
            forced: admission.forced,
            bot_in_recent_window,
            eagerness,
        };
        let line = step.ledger.write(at.scope, event);
        (admission, line)
    }
}

/// Whether a room is one where Denizen is among friends.
pub(super) fn is_initiative_channel(room: &RoomId, settings: &settings::Settings) -> bool {
    settings
        .replies
        .reply_channel_ids
        .iter()
        .any(|channel| channel == room.as_str())
}

/// How eager it is in a room: a signal to the gate and to the model, not a chance.
pub(super) fn eagerness(room: &RoomId, settings: &settings::Settings) -> u64 {
    if is_initiative_channel(room, settings) {
        settings.activity.reply_level_initiative
    } else {
        settings.activity.reply_level_non_initiative
    }
}
