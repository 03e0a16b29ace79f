//! Journal lines are numbered without gaps, in order of time, and caused by earlier lines.

use vocabulary::Moment;

use super::Report;
use crate::trace::Trace;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut expected = 1;
    let mut last_at = Moment::default();
    for entry in trace.journal() {
        let (seq, at) = (entry.seq.0, entry.moment);
        if seq != expected {
            report.add(
                "journal_gapless",
                at,
                format!("line {seq} follows {}", expected - 1),
            );
        }
        expected = seq + 1;
        if at < last_at {
            report.add(
                "journal_in_order",
                at,
                format!("line {seq} is older than the one before"),
            );
        }
        last_at = at;
        if let Some(cause) = entry.scope.cause
            && (cause.0 == 0 || cause.0 >= seq)
        {
            let what = format!(
                "line {seq} ({}) says it is caused by line {cause}",
                entry.event.name()
            );
            report.add("journal_causes", at, what);
        }
    }
    for broken in &trace.broken_snapshots {
        report.add("snapshot_restores", last_at, broken.clone());
    }
}
