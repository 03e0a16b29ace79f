//! Ticks come a minute apart and none is made up for; each leaves one receipt, told by a line of its own or counted in
//! the line that closes a row of equal ones.

use mind::JournalEvent;
use mind::ambient::TICK;
use vocabulary::Moment;

use super::super::Report;
use super::replay::Replay;
use crate::trace::Trace;

pub(super) fn check(trace: &Trace, replay: &Replay, report: &mut Report) {
    for at in &replay.unexpected {
        report.add(
            "ticks_a_minute_apart",
            *at,
            "a receipt is written between two ticks",
        );
    }
    let mut ran: Option<Moment> = None;
    for tick in replay.ticks.iter().filter(|tick| tick.ran) {
        if ran.is_some_and(|before| tick.at.since(before) < TICK) {
            report.add("ticks_a_minute_apart", tick.at, "two ticks asked within a minute");
        }
        ran = Some(tick.at);
    }
    let end = trace
        .steps
        .last()
        .map_or(Moment::default(), |step| step.now.moment);
    let told: u64 = trace
        .journal()
        .filter_map(|entry| match entry.event {
            JournalEvent::AmbientTickDecided { repeated, .. } => Some(repeated.max(1)),
            _ => None,
        })
        .sum();
    // The newest row of equal ones is still open.
    let receipts = trace.ambient.iter().flat_map(|view| &view.receipts);
    let mut ticks = receipts.filter(|receipt| receipt.room.is_none());
    let newest = ticks.next();
    let untold = newest.map_or(0, |receipt| receipt.ticks - 1);
    let due = replay.due;
    if told + untold != due {
        let what = format!("{due} receipts were due, {told} are told and {untold} are not told yet");
        report.add("one_receipt_per_tick", end, what);
    }
}
