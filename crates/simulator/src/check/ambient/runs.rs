//! Every run ends once, asks one thing at a time, shares its turn with nobody; and a trial leaves no trace but its view.

use std::collections::{BTreeMap, BTreeSet};

use mind::ambient::RunOutcome;
use mind::{Answer, Effect, Input, JournalEvent, RoomWish, ShellEvent};
use vocabulary::{AskId, AskPurpose, Moment, Span, TurnId};

use super::super::Report;
use super::replay::Replay;
use crate::trace::Trace;

/// A prompt is halved at most three times because it is too long.
const SHRINKS_MAX: u64 = 3;
/// Longer than a run of a healthy world takes.
const LONGEST: Span = Span::minutes(4);

pub(super) fn check(trace: &Trace, replay: &Replay, report: &mut Report) {
    let end = trace
        .steps
        .last()
        .map_or(Moment::default(), |step| step.now.moment);
    for run in replay.runs.values() {
        if run.ends > 1 {
            report.add(
                "run_ends_once",
                run.started,
                format!("thought {} ends {} times", run.turn, run.ends),
            );
        }
        if run.ends == 0 && end.since(run.started) > LONGEST {
            report.add(
                "run_ends_once",
                run.started,
                format!("thought {} never ends", run.turn),
            );
        }
        let is_trial = run.ended.is_some_and(|(_, outcome)| outcome == RunOutcome::Trial);
        if run.ended.is_some() && is_trial != run.trial {
            report.add(
                "trial_stays_one",
                run.started,
                format!("thought {} is no trial, or not only", run.turn),
            );
        }
    }
    asks(trace, replay, report);
    turns(trace, replay, report);
    trials(trace, replay, report);
}

fn asks(trace: &Trace, replay: &Replay, report: &mut Report) {
    let mut in_flight: Option<AskId> = None;
    let mut asked: BTreeMap<TurnId, u64> = BTreeMap::new();
    // A run may have begun under settings that allowed more.
    let mut steps_allowed = 0;
    for step in &trace.steps {
        steps_allowed = steps_allowed.max(step.settings.initiative.max_tool_steps);
        match &step.input {
            Input::Answer(Answer::AskEnded { ask, .. }) => in_flight = in_flight.filter(|open| open != ask),
            Input::Shell(ShellEvent::Restarted { .. }) => in_flight = None,
            _ => {}
        }
        for effect in &step.effects {
            match effect {
                Effect::CancelAsk { ask } => in_flight = in_flight.filter(|open| open != ask),
                Effect::Ask(asking) if asking.request.purpose == AskPurpose::AmbientThought => {
                    let at = step.now.moment;
                    if let Some(other) = in_flight.replace(asking.ask) {
                        let what = format!("ask {} while ask {other} is under way", asking.ask);
                        report.add("one_thought_at_a_time", at, what);
                    }
                    let under_way = |run: &super::replay::Run| run.ended.is_none_or(|(ended, _)| ended >= at);
                    if !replay.runs.get(&asking.turn).is_some_and(under_way) {
                        let what = format!("ask {} belongs to no thought under way", asking.ask);
                        report.add("asks_of_a_run", at, what);
                    }
                    let count = asked.entry(asking.turn).or_default();
                    *count += 1;
                    if *count > 1 + steps_allowed + SHRINKS_MAX {
                        let what = format!("thought {} has asked {count} times", asking.turn);
                        report.add("thought_asks_bounded", at, what);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Neither replies nor comments are made in the turn of a thought, and nothing follows its end but what came back for it.
fn turns(trace: &Trace, replay: &Replay, report: &mut Report) {
    let mut ended: BTreeSet<TurnId> = BTreeSet::new();
    for entry in trace.journal() {
        let Some(turn) = entry.scope.turn.filter(|turn| replay.runs.contains_key(turn)) else {
            continue;
        };
        let (at, name) = (entry.moment, entry.event.name());
        match &entry.event {
            JournalEvent::TurnOpened { .. }
            | JournalEvent::TurnEnded { .. }
            | JournalEvent::CommentaryStarted { .. }
            | JournalEvent::SentReply { .. }
            | JournalEvent::SentMessage { .. } => {
                report.add(
                    "turn_of_its_own",
                    at,
                    format!("{name} in the turn of thought {turn}"),
                );
            }
            JournalEvent::AmbientRunEnded { .. } => {
                ended.insert(turn);
            }
            JournalEvent::AmbientOutcomeCounted { .. } => {}
            _ if ended.contains(&turn) => {
                report.add(
                    "run_ends_once",
                    at,
                    format!("{name} of thought {turn}, which has ended"),
                );
            }
            _ => {}
        }
    }
}

fn trials(trace: &Trace, replay: &Replay, report: &mut Report) {
    let is_trial = |turn: TurnId| replay.runs.get(&turn).is_some_and(|run| run.trial);
    for step in &trace.steps {
        for effect in &step.effects {
            let broken = match effect {
                Effect::Room(_, RoomWish::Send(delivery)) => is_trial(delivery.turn),
                Effect::Journal(entry) => {
                    let trial = entry.scope.turn.is_some_and(is_trial);
                    let acts = matches!(
                        entry.event,
                        JournalEvent::InitiativePost { .. }
                            | JournalEvent::InitiativeSkip { .. }
                            | JournalEvent::AmbientMediaWanted { .. }
                            | JournalEvent::AmbientSourceAdded { .. }
                            | JournalEvent::AmbientSourceRemoved { .. }
                            | JournalEvent::DeliveryStarted { .. }
                    );
                    trial && acts
                }
                _ => false,
            };
            if broken {
                report.add("trial_leaves_no_trace", step.now.moment, format!("{effect:?}"));
            }
        }
    }
}
