//! Memory: no turn is lost and none made into gems twice, one run at a time, each ends once.

use std::collections::BTreeMap;

use mind::{Answer, Effect, Input, JournalEvent, ShellEvent};
use vocabulary::{AskId, AskPurpose, ExtractionId, Moment};

use super::Report;
use crate::trace::Trace;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut open: Option<(ExtractionId, Moment)> = None;
    let mut asked: BTreeMap<AskId, Moment> = BTreeMap::new();
    for step in &trace.steps {
        let at = step.now.moment;
        if let Input::Answer(Answer::AskEnded { ask, .. }) = &step.input {
            asked.remove(ask);
        }
        if matches!(step.input, Input::Shell(ShellEvent::Restarted { .. })) {
            asked.clear();
        }
        if matches!(step.input, Input::Shell(ShellEvent::StateSalvaged { .. })) {
            open = None;
        }
        for effect in &step.effects {
            match effect {
                Effect::CancelAsk { ask } => {
                    asked.remove(ask);
                }
                Effect::Ask(asking) if asking.request.purpose == AskPurpose::GemExtraction => {
                    asked.insert(asking.ask, at);
                    if asked.len() > 1 {
                        report.add(
                            "one_extraction_at_a_time",
                            at,
                            "a second ask while one is under way",
                        );
                    }
                }
                Effect::Journal(entry) => run_line(&entry.event, &mut open, at, report),
                _ => {}
            }
        }
    }
    for (turn, times) in &trace.memory.stored_from {
        if *times > 1 {
            report.add(
                "no_turn_gemmed_twice",
                Moment::default(),
                format!("{turn}: {times} times"),
            );
        }
    }
    let memory = &trace.memory;
    let waiting = memory.waiting.iter().map(|turn| &turn.id);
    let known = memory.settled.iter().chain(&memory.forgotten).chain(waiting);
    let known: std::collections::BTreeSet<_> = known.collect();
    for turn in memory.captured.iter().filter(|turn| !known.contains(turn)) {
        report.add("no_turn_lost", Moment::default(), turn.to_string());
    }
}

fn run_line(
    event: &JournalEvent,
    open: &mut Option<(ExtractionId, Moment)>,
    at: Moment,
    report: &mut Report,
) {
    match event {
        JournalEvent::MemoryExtractionStarted {
            extraction, turns, ..
        } => {
            if *turns == 0 {
                report.add("runs_have_turns", at, format!("{extraction}"));
            }
            if let Some((unended, _)) = open {
                report.add(
                    "extractions_end",
                    at,
                    format!("{extraction} began, and {unended} had not ended"),
                );
            }
            *open = Some((*extraction, at));
        }
        JournalEvent::MemoryGemsStored { extraction, .. }
            if open.is_none_or(|(known, _)| known != *extraction) =>
        {
            report.add(
                "extractions_end_once",
                at,
                format!("{extraction} was stored, and was not under way"),
            );
        }
        JournalEvent::MemoryGemsStored { .. }
        | JournalEvent::MemoryExtractionDropped { .. }
        | JournalEvent::MemoryExtractionFailed {
            falls_back: false, ..
        } => *open = None,
        _ => {}
    }
}
