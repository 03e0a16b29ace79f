//! Every message that arrived is answered, skipped, ignored or deleted; and never answered twice.

use std::collections::{BTreeMap, BTreeSet};

use mind::reasons::TurnOutcome;
use mind::{Input, JournalEvent, RoomEvent};
use vocabulary::{AuthorKind, MessageId, Moment, TurnId};

use super::Report;
use crate::trace::Trace;

#[derive(Default)]
struct Fate {
    answered_by: BTreeSet<TurnId>,
    skipped: bool,
    ignored: bool,
    deleted: bool,
    /// It may call Denizen since, or not any more.
    edited: bool,
}

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut arrived: BTreeMap<MessageId, Moment> = BTreeMap::new();
    let mut fates: BTreeMap<MessageId, Fate> = BTreeMap::new();
    let mut failed_halfway: BTreeSet<TurnId> = BTreeSet::new();
    for step in &trace.steps {
        if let Input::Room(_, RoomEvent::MessageArrived(message) | RoomEvent::MessageMissed(message)) =
            &step.input
            && message.author.kind != AuthorKind::Denizen
        {
            arrived.entry(message.id.clone()).or_insert(step.now.moment);
        }
        for entry in step.journal() {
            let about = &entry.scope.messages;
            let mut each = |change: &mut dyn FnMut(&mut Fate)| {
                for id in about {
                    change(fates.entry(id.clone()).or_default());
                }
            };
            match &entry.event {
                // An operator wants it answered: whatever became of it before, something must once more.
                JournalEvent::ReplyRequested { refused: None } => each(&mut |fate| *fate = Fate::default()),
                JournalEvent::ReplySkipped { .. } => each(&mut |fate| fate.skipped = true),
                JournalEvent::MessageIgnored { .. }
                | JournalEvent::CommandTaken { .. }
                // It was typed where speech is not understood: the voice of the room decides on it.
                | JournalEvent::VoiceTurnAddressing { .. }
                | JournalEvent::CommandHeld { .. } => {
                    each(&mut |fate| fate.ignored = true);
                }
                JournalEvent::MessageEdited { .. } => each(&mut |fate| fate.edited = true),
                JournalEvent::MessageDeleted { .. } => each(&mut |fate| fate.deleted = true),
                JournalEvent::SentReply {
                    trigger_message_ids, ..
                }
                | JournalEvent::SentMessage {
                    trigger_message_ids, ..
                } => {
                    let Some(turn) = entry.scope.turn else { continue };
                    for id in trigger_message_ids {
                        fates.entry(id.clone()).or_default().answered_by.insert(turn);
                    }
                }
                JournalEvent::ReactionSent { .. } => {
                    let Some(turn) = entry.scope.turn else { continue };
                    each(&mut |fate| {
                        fate.answered_by.insert(turn);
                    });
                }
                JournalEvent::TurnEnded {
                    outcome: TurnOutcome::Failed,
                    ..
                } => {
                    failed_halfway.extend(entry.scope.turn);
                }
                _ => {}
            }
        }
    }
    for (id, at) in &arrived {
        let fate = fates.remove(id).unwrap_or_default();
        let answers = fate.answered_by.len();
        if answers > 1 {
            let what = format!("{id} was answered by turns {:?}", fate.answered_by);
            report.add("answered_once", *at, what);
        }
        let sent_whole = fate.answered_by.iter().any(|turn| !failed_halfway.contains(turn));
        if sent_whole && fate.skipped && !fate.edited {
            report.add("one_fate", *at, format!("{id} was both answered and skipped"));
        }
        if answers == 0 && !fate.skipped && !fate.ignored && !fate.deleted {
            report.add("every_message_has_a_fate", *at, format!("nothing became of {id}"));
        }
    }
}
