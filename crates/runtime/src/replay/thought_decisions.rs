//! How often it thought by itself and what came of it, and what stopped it otherwise.

use std::collections::BTreeMap;

use mind::ambient::RunOutcome;
use mind::{JournalEntry, JournalEvent};

/// Counted over a journal. Trials do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThoughtDecisions {
    /// Ticks on which a model was asked.
    pub thoughts: u64,
    pub posted: u64,
    pub held: u64,
    pub dropped: u64,
    pub failed: u64,
    /// Ticks that each gate stopped, by its name.
    pub stopped: BTreeMap<&'static str, u64>,
}

impl ThoughtDecisions {
    pub fn of(journal: &[JournalEntry]) -> Self {
        let mut decisions = Self::default();
        for entry in journal {
            match &entry.event {
                JournalEvent::AmbientTickDecided { gate, repeated, .. } => match gate {
                    // A line either is a tick, or says how often the one before it came again.
                    Some(gate) => *decisions.stopped.entry(gate.name()).or_default() += (*repeated).max(1),
                    None => decisions.thoughts += 1,
                },
                JournalEvent::AmbientRunEnded { outcome, .. } => match outcome {
                    RunOutcome::Posted => decisions.posted += 1,
                    RunOutcome::Held => decisions.held += 1,
                    RunOutcome::Dropped => decisions.dropped += 1,
                    RunOutcome::Failed | RunOutcome::Interrupted => decisions.failed += 1,
                    RunOutcome::Trial => {}
                },
                _ => {}
            }
        }
        decisions
    }
}
