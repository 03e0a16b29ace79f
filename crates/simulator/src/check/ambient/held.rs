//! At most one thought is held, for two hours from when it came up at most, and a fresh one has to wait for it.

use mind::JournalEvent;
use mind::ambient::InitiativeSkip;
use vocabulary::Span;

use super::super::Report;
use super::replay::Replay;
use crate::trace::Trace;

const HELD_AT_MOST: Span = Span::hours(2);

pub(super) fn check(trace: &Trace, replay: &Replay, report: &mut Report) {
    for (step, after) in trace.steps.iter().zip(&replay.after) {
        let at = step.now.moment;
        if let Some(held) = after.held
            && !after.looking
            && at.since(held.created) >= HELD_AT_MOST
        {
            let what = format!("a thought of {:?} is still held", held.created);
            report.add("held_two_hours_at_most", at, what);
        }
    }
    // A fresh thought is held only where none was.
    for (index, step) in trace.steps.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| replay.after[index].held);
        for entry in step.journal() {
            let JournalEvent::InitiativeSkip {
                reason: InitiativeSkip::Held,
                ..
            } = entry.event
            else {
                continue;
            };
            let run = entry.scope.turn.and_then(|turn| replay.runs.get(&turn));
            if before.is_some() && run.is_some_and(|run| !run.revisits) {
                report.add(
                    "one_held_at_most",
                    step.now.moment,
                    "another thought is held beside it",
                );
            }
        }
    }
    for tick in replay.ticks.iter().filter(|tick| tick.ran) {
        if tick.revisits != tick.before.held.is_some() {
            let what = "a held thought comes before a fresh one, and a fresh one needs none";
            report.add("held_before_fresh", tick.at, what);
        }
    }
}
