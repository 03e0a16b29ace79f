//! Standing properties: what must hold in every run, whatever people, models and rooms do.

mod ambient;
mod asks;
mod compaction_runs;
mod deliveries;
mod drafts;
mod fates;
mod flights;
mod folded_turns;
mod folding;
mod journal;
mod memory;
mod native;
mod pace;
mod prompts;
mod queue;
mod screens;
mod tools;
mod turns;
mod voice;
mod voice_thoughts;
mod voice_words;
mod wakes;
mod whole_window;

use std::fmt;

use mind::reasons::UtteranceDrop;
use mind::{Effect, JournalEvent};
use vocabulary::Moment;

use crate::render::clock;
use crate::trace::{Stepped, Trace};

#[cfg(test)]
mod check_tests;
#[cfg(test)]
mod folding_tests;
#[cfg(test)]
mod tools_tests;
#[cfg(test)]
mod voice_tests;

/// A property that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The property, in a word or two.
    pub property: &'static str,
    pub at: Moment,
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {}", self.property, clock(self.at), self.what)
    }
}

/// Whether what was said aloud is not taken in: it has no words, or nobody may keep them.
fn was_left_out(step: &Stepped) -> bool {
    step.effects.iter().any(|effect| match effect {
        Effect::Journal(entry) => matches!(
            entry.event,
            JournalEvent::UtteranceIgnored {
                reason: UtteranceDrop::NotListenedTo | UtteranceDrop::NotAPerson | UtteranceDrop::Empty
            }
        ),
        _ => false,
    })
}

/// Everything that is wrong with a run; in order of property, then of time.
pub fn check(trace: &Trace) -> Vec<Violation> {
    let checks: [fn(&Trace, &mut Report); 23] = [
        journal::check,
        turns::check,
        fates::check,
        asks::check,
        flights::check,
        deliveries::check,
        drafts::check,
        pace::check,
        queue::check,
        prompts::check,
        wakes::check,
        folding::check,
        folded_turns::check,
        whole_window::check,
        compaction_runs::check,
        memory::check,
        screens::check,
        ambient::check,
        tools::check,
        native::check,
        voice::check,
        voice_thoughts::check,
        voice_words::check,
    ];
    let mut report = Report::default();
    for check in checks {
        check(trace, &mut report);
    }
    report.violations
}

/// Collects what is found.
#[derive(Debug, Default)]
struct Report {
    violations: Vec<Violation>,
}

impl Report {
    fn add(&mut self, property: &'static str, at: Moment, what: impl Into<String>) {
        self.violations.push(Violation {
            property,
            at,
            what: what.into(),
        });
    }
}
