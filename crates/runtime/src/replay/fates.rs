//! What became of each message, and where two journals differ in it.

use std::collections::BTreeMap;

use mind::{JournalEntry, JournalEvent};
use vocabulary::{MessageId, WallTime};

/// What became of one message, in a word or two for each decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// The gate's answer as the message arrived.
    pub admission: String,
    /// What followed from it.
    pub outcome: String,
}

/// One message whose fate differs between two journals.
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
pub fn differences(before: &[JournalEntry], after: &[JournalEntry]) -> Vec<Difference> {
    let (old, new) = (fates(before), fates(after));
    let mut differing: Vec<Difference> = old
        .iter()
        .filter_map(|(message, (at, fate))| {
            let after = new.get(message).map(|(_, fate)| fate.clone()).unwrap_or_default();
            (after != *fate).then(|| Difference {
                message: message.clone(),
                at: *at,
                before: fate.clone(),
                after,
            })
        })
        .collect();
    differing.sort_by_key(|difference| (!difference.changes_outcome(), difference.at));
    differing
}

fn fates(journal: &[JournalEntry]) -> BTreeMap<MessageId, (WallTime, Fate)> {
    let mut fates: BTreeMap<MessageId, (WallTime, Fate)> = BTreeMap::new();
    for entry in journal {
        let said = match &entry.event {
            JournalEvent::MessageReceived { .. } => {
                for message in &entry.scope.messages {
                    fates.insert(message.clone(), (entry.wall, Fate::default()));
                }
                continue;
            }
            JournalEvent::AdmissionDecided {
                gate: mind::admission::Gate::BeforeQueueing,
                allow,
                reason,
                ..
            } => {
                let word = if *allow { "let in" } else { "turned away" };
                let reason = serde_json::to_value(reason).unwrap_or_default();
                for message in &entry.scope.messages {
                    if let Some((_, fate)) = fates.get_mut(message) {
                        fate.admission = format!("{word}: {}", reason.as_str().unwrap_or_default());
                    }
                }
                continue;
            }
            JournalEvent::AskStarted { .. } => "asked the model".to_owned(),
            JournalEvent::ReplySkipped { reason, .. } => {
                format!(
                    "silent: {}",
                    serde_json::to_value(reason)
                        .unwrap_or_default()
                        .as_str()
                        .unwrap_or_default()
                )
            }
            JournalEvent::SentReply {
                trigger_message_ids, ..
            } => format!("reply to {}", count(trigger_message_ids.len())),
            JournalEvent::SentMessage {
                trigger_message_ids, ..
            } => format!("message about {}", count(trigger_message_ids.len())),
            _ => continue,
        };
        for message in &entry.scope.messages {
            if let Some((_, fate)) = fates.get_mut(message) {
                fate.outcome.clone_from(&said);
            }
        }
    }
    fates
}

fn count(messages: usize) -> String {
    if messages == 1 {
        "it alone".to_owned()
    } else {
        format!("{messages} messages")
    }
}
