//! The queue of a room is bounded.

use std::collections::{BTreeMap, BTreeSet};

use mind::JournalEvent;
use mind::reasons::TurnOutcome;
use vocabulary::{MessageId, RoomId, TurnId};

use super::Report;
use crate::trace::Trace;

/// Messages that may wait in one channel.
const WAITING_MAX: usize = 60;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut waiting: BTreeMap<RoomId, BTreeSet<MessageId>> = BTreeMap::new();
    let mut turns: BTreeMap<TurnId, Vec<MessageId>> = BTreeMap::new();
    let mut deleted: BTreeSet<MessageId> = BTreeSet::new();
    for step in &trace.steps {
        for entry in step.journal() {
            let Some(room) = &entry.scope.room else { continue };
            let about = &entry.scope.messages;
            let waiting = waiting.entry(room.clone()).or_default();
            match &entry.event {
                JournalEvent::MessageQueued { queue_length, .. } => {
                    waiting.extend(about.iter().cloned());
                    if *queue_length > WAITING_MAX {
                        let what = format!("{queue_length} messages wait in {room}");
                        report.add("queue_bounded", entry.moment, what);
                    }
                }
                JournalEvent::TurnOpened {
                    trigger_message_ids, ..
                } => {
                    waiting.retain(|id| !trigger_message_ids.contains(id));
                    if let Some(turn) = entry.scope.turn {
                        turns.insert(turn, trigger_message_ids.clone());
                    }
                }
                JournalEvent::ReplySkipped { .. } => waiting.retain(|id| !about.contains(id)),
                JournalEvent::MessageDeleted { .. } => {
                    waiting.retain(|id| !about.contains(id));
                    deleted.extend(about.iter().cloned());
                }
                JournalEvent::TurnEnded {
                    outcome: TurnOutcome::Superseded,
                    ..
                } => {
                    let back = entry
                        .scope
                        .turn
                        .and_then(|turn| turns.remove(&turn))
                        .unwrap_or_default();
                    waiting.extend(back.into_iter().filter(|id| !deleted.contains(id)));
                }
                _ => {}
            }
        }
        for (room, waiting) in &waiting {
            if waiting.len() > WAITING_MAX {
                let what = format!("{} messages wait in {room}", waiting.len());
                report.add("queue_bounded", step.now.moment, what);
            }
        }
    }
}
