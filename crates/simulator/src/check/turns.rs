//! Every admitted turn ends exactly once, and nothing is left once the world is quiet.

use std::collections::{BTreeMap, BTreeSet};

use mind::JournalEvent;
use vocabulary::{Moment, TurnId};

use super::Report;
use super::ambient::thought_turns;
use crate::trace::Trace;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    // When each turn was opened, and whether it has ended.
    let mut turns: BTreeMap<TurnId, (Moment, bool)> = BTreeMap::new();
    // A comment has a number like a turn and answers nobody, and so have a thought and a notice.
    let mut comments: BTreeSet<TurnId> = thought_turns(trace);
    for entry in trace.journal() {
        let Some(turn) = entry.scope.turn else { continue };
        let (at, name) = (entry.moment, entry.event.name());
        if let JournalEvent::CommentaryStarted { .. } | JournalEvent::VoiceThoughtStarted { .. } = entry.event
        {
            comments.insert(turn);
        }
        if let JournalEvent::DeliveryStarted { .. } = entry.event
            && entry.scope.messages.is_empty()
        {
            comments.insert(turn);
        }
        if comments.contains(&turn) {
            continue;
        }
        if let JournalEvent::TurnOpened { .. } | JournalEvent::VoiceTurnOpened { .. } = entry.event {
            if turns.insert(turn, (at, false)).is_some() {
                report.add("turn_opened_once", at, format!("turn {turn} is opened again"));
            }
            continue;
        }
        match turns.get_mut(&turn) {
            None => report.add(
                "turn_opened_first",
                at,
                format!("{name} of turn {turn}, which was not opened"),
            ),
            Some((_, true)) => report.add(
                "turn_ends_once",
                at,
                format!("{name} of turn {turn}, which has ended"),
            ),
            Some((_, ended)) => {
                *ended = matches!(
                    entry.event,
                    JournalEvent::TurnEnded { .. } | JournalEvent::VoiceTurnEnded { .. }
                );
            }
        }
    }
    let open = turns.iter().filter(|(_, (_, ended))| !ended);
    for (turn, (at, _)) in open {
        report.add("turn_ends_once", *at, format!("turn {turn} never ended"));
    }
    if trace.busy_rooms > 0 {
        let end = trace
            .steps
            .last()
            .map_or(Moment::default(), |step| step.now.moment);
        report.add(
            "nothing_pending",
            end,
            format!("{} rooms are still busy", trace.busy_rooms),
        );
    }
}
