//! The admission gate, asked with a room's surroundings filled in.

use settings::Settings;
use vocabulary::{JournalSeq, Message, MessageId, PersonId, RoomFacts, RoomId};

use super::burst::{Trigger, is_complete};
use super::ending::skip;
use crate::addressing::{AddressReason, AddressSignal};
use crate::admission::text::{Admission, Question, decide};
use crate::admission::{AdmissionReason, Gate};
use crate::journal::{JournalEvent, Scope};
use crate::replies::ReplyContext;
use crate::reply::SkipReason;
use crate::step_context::StepContext;

/// Asks the gate about a message that arrived, or reads otherwise now.
pub(super) fn at_gate(
    message: &Message,
    signal: AddressSignal,
    joins_burst: bool,
    scope: Scope,
    context: &ReplyContext<'_>,
    step: &mut StepContext<'_>,
) -> Result<Trigger, Denied> {
    let at = AtGate {
        gate: Gate::BeforeQueueing,
        author: &message.author.id,
        signal: &signal,
        except: &[],
        joins_burst,
        is_wished: false,
        scope,
    };
    let (admission, cause) = at.ask(context, step);
    if !admission.allow {
        return Err(Denied::of(&admission, cause, context));
    }
    Ok(Trigger {
        message: message.id.clone(),
        author: message.author.id.clone(),
        reason: admission.reason,
        forced: admission.forced,
        complete: is_complete(&message.text),
        signal,
        cause,
    })
}

/// The gate said no, in this line; and what is said of that.
#[derive(Debug)]
pub(crate) struct Denied {
    cause: JournalSeq,
    reason: SkipReason,
    detail: String,
}

impl Denied {
    pub(super) fn of(admission: &Admission, cause: JournalSeq, context: &ReplyContext<'_>) -> Self {
        let quiet = context
            .quiet
            .filter(|_| admission.reason == AdmissionReason::Quiet);
        Self {
            cause,
            reason: quiet.map_or(SkipReason::NotAdmitted, |_| SkipReason::Quiet),
            detail: quiet.map(|quiet| quiet.words()).unwrap_or_default(),
        }
    }

    /// What is said of it where nothing else is.
    pub fn or_because(self, detail: &str) -> Self {
        match self.detail.is_empty() {
            true => Self {
                detail: detail.to_owned(),
                ..self
            },
            false => self,
        }
    }

    /// Says that there is no reply.
    pub fn skip(self, scope: Scope, step: &mut StepContext<'_>) {
        skip(scope.because(Some(self.cause)), self.reason, &self.detail, step);
    }
}

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
            quiet: context.quiet.is_some_and(|quiet| quiet.holds(step.moment())),
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
            score: self.signal.score.clone(),
        };
        let line = step.ledger.write(self.scope, event);
        (admission, line)
    }
}

impl AddressSignal {
    /// What the classifier's yes amounts to.
    pub(super) fn classified(confidence: f64) -> Self {
        Self {
            reason: AddressReason::LlmDirectAddress,
            confidence,
            triggered: true,
            rule: "classifier".to_owned(),
            score: None,
        }
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
