//! What happened in a run, counted.

use std::collections::BTreeMap;

use mind::JournalEvent;
use serde_json::Value;
use vocabulary::Span;

use crate::trace::Trace;

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub simulated: Span,
    pub steps: usize,
    pub journal_lines: usize,
    pub events: BTreeMap<&'static str, u64>,
    pub turns_by_outcome: BTreeMap<String, u64>,
    /// What thoughts of its own came to, and how many ticks each gate stopped.
    pub thoughts_by_outcome: BTreeMap<String, u64>,
    pub ticks_by_gate: BTreeMap<String, u64>,
    pub skips_by_reason: BTreeMap<String, u64>,
    pub ask_failures_by_kind: BTreeMap<String, u64>,
    pub faults: BTreeMap<&'static str, u64>,
}

/// Counts what happened.
pub(crate) fn count(trace: &Trace) -> Stats {
    let mut stats = Stats {
        steps: trace.steps.len(),
        ..Stats::default()
    };
    let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
    for entry in trace.journal() {
        stats.journal_lines += 1;
        *stats.events.entry(entry.event.name()).or_default() += 1;
        if let JournalEvent::AmbientTickDecided {
            gate: Some(gate),
            repeated,
            ..
        } = &entry.event
        {
            *stats.ticks_by_gate.entry(gate.name().to_owned()).or_default() += repeated.max(&1);
        }
        let (counts, value) = match &entry.event {
            JournalEvent::AmbientRunEnded { outcome, .. } => {
                (&mut stats.thoughts_by_outcome, serde_json::to_value(outcome))
            }
            JournalEvent::TurnEnded { outcome, .. } => {
                (&mut stats.turns_by_outcome, serde_json::to_value(outcome))
            }
            JournalEvent::ReplySkipped { reason, .. } => {
                (&mut stats.skips_by_reason, serde_json::to_value(reason))
            }
            JournalEvent::AskFailed { kind, .. } => {
                (&mut stats.ask_failures_by_kind, serde_json::to_value(kind))
            }
            _ => continue,
        };
        *counts.entry(value.map(word).unwrap_or_default()).or_default() += 1;
    }
    stats
}
