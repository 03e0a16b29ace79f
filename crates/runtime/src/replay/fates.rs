//! What became of each message, typed or said aloud, and where two reruns differ in it.

use std::collections::{BTreeMap, BTreeSet};

use mind::JournalEvent;
use mind::admission::VoiceAdmissionReason;
use mind::reasons::VoiceTurnReason;
use mind::reply::SkipReason;
use serde::Serialize;
use vocabulary::{MessageId, WallTime};

use super::Rerunning;

/// What is told where a question would have been asked that was not asked then.
pub const NOT_KNOWN: &str = "would have asked a model; what it would have said is not known";

/// What became of one message, in a word or two for each decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// The gate's answer as the message arrived.
    pub admission: String,
    /// What followed from it.
    pub outcome: String,
}

/// One message whose fate differs between two reruns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub message: MessageId,
    pub at: WallTime,
    pub before: Fate,
    pub after: Fate,
}

impl Difference {
    /// Whether something else came of it, and not only for another reason.
    pub fn changes_outcome(&self) -> bool {
        let is_silent = |fate: &Fate| fate.outcome.is_empty() || fate.outcome.starts_with("silent");
        is_silent(&self.before) != is_silent(&self.after) || self.before.outcome != self.after.outcome
    }
}

/// The messages whose fate differs: those first of which something else came, each in the order they arrived.
pub fn differences(before: &Rerunning, after: &Rerunning) -> Vec<Difference> {
    let (old, mut new) = (fates(before), fates(after));
    let mut differing = Vec::new();
    let mut note = |message: MessageId, at: WallTime, before: Fate, after: Fate| {
        if before != after {
            differing.push(Difference {
                message,
                at,
                before,
                after,
            });
        }
    };
    for (message, (at, fate)) in old {
        let after = new.remove(&message).map(|(_, fate)| fate).unwrap_or_default();
        note(message, at, fate, after);
    }
    for (message, (at, fate)) in new {
        note(message, at, Fate::default(), fate);
    }
    differing.sort_by_key(|difference| (!difference.changes_outcome(), difference.at));
    differing
}

type Fates = BTreeMap<MessageId, (WallTime, Fate)>;

fn fates(rerun: &Rerunning) -> Fates {
    let mut fates = Fates::new();
    // Messages about which something was asked that nobody had asked.
    let mut open: BTreeSet<MessageId> = BTreeSet::new();
    for entry in rerun.iter() {
        let messages = &entry.scope.messages;
        if is_arrival(&entry.event) {
            for message in messages {
                fates
                    .entry(message.clone())
                    .or_insert_with(|| (entry.wall, Fate::default()));
            }
        }
        if let JournalEvent::AskStarted { ask, .. } = &entry.event {
            let is_open = rerun.not_known.contains(ask);
            for message in messages {
                match is_open {
                    true => open.insert(message.clone()),
                    false => open.remove(message),
                };
            }
        }
        for message in messages {
            let Some((_, fate)) = fates.get_mut(message) else {
                continue;
            };
            let outcome = outcome(&entry.event);
            // What follows from a question without an answer is not known either.
            let outcome = match open.contains(message) && is_of_no_answer(&entry.event) {
                true => Some(NOT_KNOWN.to_owned()),
                false => outcome,
            };
            if let Some(admission) = admission(&entry.event).filter(|_| outcome.as_deref() != Some(NOT_KNOWN))
            {
                fate.admission = admission;
            }
            if let Some(outcome) = outcome {
                fate.outcome = outcome;
            }
        }
    }
    fates
}

fn is_arrival(event: &JournalEvent) -> bool {
    matches!(
        event,
        JournalEvent::MessageReceived { .. }
            | JournalEvent::UtteranceHeard { .. }
            | JournalEvent::UtteranceIgnored { .. }
    )
}

/// Whether it tells that a question was asked, or that no answer came to one.
fn is_of_no_answer(event: &JournalEvent) -> bool {
    match event {
        JournalEvent::AskStarted { .. } => true,
        JournalEvent::ReplySkipped { reason, .. } => *reason == SkipReason::ModelFailed,
        JournalEvent::VoiceTurnAddressing { reason, .. } => matches!(
            reason,
            VoiceAdmissionReason::LlmError | VoiceAdmissionReason::SessionEnded
        ),
        JournalEvent::VoiceTurnEnded { reason, .. } => {
            matches!(reason, VoiceTurnReason::AskFailed | VoiceTurnReason::Stale)
        }
        _ => false,
    }
}

/// What a gate said, in a word or two.
fn admission(event: &JournalEvent) -> Option<String> {
    let (allow, reason, waits) = match event {
        JournalEvent::AdmissionDecided {
            gate: mind::admission::Gate::BeforeQueueing,
            allow,
            reason,
            ..
        } => (allow, named(reason), false),
        JournalEvent::VoiceTurnAddressing {
            allow,
            reason,
            retry_after,
            ..
        } => (allow, named(reason), retry_after.is_some()),
        _ => return None,
    };
    let word = match (allow, waits) {
        (true, _) => "let in",
        (false, true) => "waits",
        (false, false) => "turned away",
    };
    Some(format!("{word}: {reason}"))
}

/// What came of a message, in a word or two.
fn outcome(event: &JournalEvent) -> Option<String> {
    Some(match event {
        JournalEvent::AskStarted { .. } => "asked the model".to_owned(),
        JournalEvent::ReplySkipped { reason, .. } => format!("silent: {}", named(reason)),
        JournalEvent::SentReply {
            trigger_message_ids, ..
        } => format!("reply to {}", count(trigger_message_ids.len())),
        JournalEvent::SentMessage {
            trigger_message_ids, ..
        } => format!("message about {}", count(trigger_message_ids.len())),
        JournalEvent::ReactionSent { emoji, .. } => format!("reaction: {emoji}"),
        JournalEvent::UtteranceIgnored { reason } => format!("silent: {}", named(reason)),
        JournalEvent::VoiceTurnAddressing {
            allow: false,
            retry_after: None,
            ..
        } => "silent: not_admitted".to_owned(),
        JournalEvent::VoiceTurnEnded { outcome, reason, .. } => {
            format!("{}: {}", named(outcome), named(reason))
        }
        _ => return None,
    })
}

/// The name that a reason has in the journal.
fn named(reason: impl Serialize) -> String {
    let value = serde_json::to_value(reason).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

fn count(messages: usize) -> String {
    if messages == 1 {
        "it alone".to_owned()
    } else {
        format!("{messages} messages")
    }
}
