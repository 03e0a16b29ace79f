//! Every question to a model is told of from its start to its one end: answered, failed or given up.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Answer, Effect, Input, JournalEvent, ShellEvent};
use vocabulary::{AskId, AskPurpose, Moment};

use super::Report;
use crate::trace::{Stepped, Trace};

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut book = Book::default();
    for step in &trace.steps {
        book.read(step, report);
    }
}

/// Questions as the journal tells of them.
#[derive(Default)]
struct Book {
    started: BTreeSet<AskId>,
    open: BTreeMap<AskId, AskPurpose>,
}

impl Book {
    fn read(&mut self, step: &Stepped, report: &mut Report) {
        let at = step.now.moment;
        let mut over: Vec<AskId> = match &step.input {
            Input::Answer(Answer::AskEnded { ask, .. }) => vec![*ask],
            Input::Shell(ShellEvent::Restarted { .. }) => self.open.keys().copied().collect(),
            _ => Vec::new(),
        };
        for effect in &step.effects {
            match effect {
                Effect::Journal(entry) => self.line(&entry.event, at, report),
                Effect::Ask(asking) if !self.open.contains_key(&asking.ask) => {
                    let what = format!("ask {} was made and not told of", asking.ask);
                    report.add("ask_told", at, what);
                }
                Effect::CancelAsk { ask } => over.push(*ask),
                _ => {}
            }
        }
        for ask in over {
            if let Some(purpose) = self.open.remove(&ask) {
                let what = format!("ask {ask} for {} is over, and no line says how", purpose.name());
                report.add("ask_ends_once", at, what);
            }
        }
    }

    fn line(&mut self, event: &JournalEvent, at: Moment, report: &mut Report) {
        match event {
            JournalEvent::AskStarted { ask, purpose, .. } => {
                if !self.started.insert(*ask) {
                    report.add("ask_told", at, format!("ask {ask} is started twice"));
                }
                self.open.insert(*ask, *purpose);
            }
            JournalEvent::AskCompleted { ask, .. }
            | JournalEvent::AskFailed { ask, .. }
            | JournalEvent::AskCancelled { ask, .. }
                if self.open.remove(ask).is_none() && self.started.contains(ask) =>
            {
                report.add("ask_ends_once", at, format!("ask {ask} ends twice"));
            }
            _ => {}
        }
    }
}
