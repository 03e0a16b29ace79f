//! Thoughts of its own: ticks and their receipts, runs, pace, the held thought, the budget, and when it must be quiet.

mod allowance;
mod budget;
mod gates;
mod held;
mod pictures;
mod quiet;
mod replay;
mod runs;
mod ticks;

use super::Report;
use crate::trace::Trace;

#[cfg(test)]
mod ambient_tests;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let replay = replay::Replay::of(trace);
    ticks::check(trace, &replay, report);
    gates::check(&replay, report);
    runs::check(trace, &replay, report);
    held::check(trace, &replay, report);
    allowance::check(trace, report);
    budget::check(trace, report);
    quiet::check(trace, &replay, report);
    pictures::check(trace, &replay, report);
}

/// Turns of thoughts: they are numbered like turns, and answer nobody.
pub(super) fn thought_turns(trace: &Trace) -> std::collections::BTreeSet<vocabulary::TurnId> {
    let started = |entry: &&mind::JournalEntry| entry.event.name() == "ambient_run_started";
    trace
        .journal()
        .filter(started)
        .filter_map(|entry| entry.scope.turn)
        .collect()
}
