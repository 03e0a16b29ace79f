//! Look-ups: every call of an answer gets exactly one result, no budget is exceeded whatever a model does, and words from
//! outside stand in a frame that they cannot end.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Answer, Effect, Input, JournalEvent};
use settings::Settings;
use vocabulary::{
    AskId, AskOutcome, AskPurpose, ChatRole, ContentPart, ModelRequest, Moment, Span, ToolResult, ToolRunId,
    TurnId,
};

use super::Report;
use crate::trace::{Stepped, Trace};

/// Time for the look-ups of a turn, from its first call on.
const WALL_TIME: Span = Span::seconds(30);
/// Longest result.
const RESULT_CHARS_MAX: usize = 4_000;
const ENDS: &str = "⟦ OUTSIDE MATERIAL ENDS ⟧";

/// What is known of the look-ups of a turn.
#[derive(Debug, Default)]
struct Lookups {
    run: u64,
    first_call: Option<Moment>,
    /// Calls of the newest answer, which the next question must have the results of.
    awaited: Option<Vec<String>>,
}

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut turns: BTreeMap<TurnId, Lookups> = BTreeMap::new();
    let mut asked: BTreeMap<AskId, (TurnId, bool)> = BTreeMap::new();
    let mut runs: BTreeSet<ToolRunId> = BTreeSet::new();
    let mut completed: BTreeSet<ToolRunId> = BTreeSet::new();
    let mut in_the_making: BTreeSet<TurnId> = BTreeSet::new();
    // A turn may have begun under settings that allowed more.
    let mut calls_allowed = 0;
    for step in &trace.steps {
        let at = step.now.moment;
        calls_allowed = calls_allowed.max(allowed(&step.settings));
        for effect in &step.effects {
            match effect {
                Effect::RunTool(wanted) => {
                    let lookups = turns.entry(wanted.turn).or_default();
                    lookups.run += 1;
                    let first = *lookups.first_call.get_or_insert(at);
                    if lookups.run > calls_allowed {
                        report.add(
                            "tool_budget",
                            at,
                            format!("turn {} runs {} tools", wanted.turn, lookups.run),
                        );
                    }
                    if at + wanted.deadline > first + WALL_TIME || wanted.deadline == Span::ZERO {
                        report.add(
                            "tool_time",
                            at,
                            format!("tool run {} may take {:?}", wanted.run, wanted.deadline),
                        );
                    }
                    if !runs.insert(wanted.run) {
                        report.add(
                            "tool_once",
                            at,
                            format!("tool run {} is wanted twice", wanted.run),
                        );
                    }
                }
                Effect::Ask(asking) if may_call(asking.request.purpose) => {
                    asked.insert(asking.ask, (asking.turn, !asking.request.tools.is_empty()));
                    let lookups = turns.entry(asking.turn).or_default();
                    if let Some(awaited) = lookups.awaited.take() {
                        let given = newest_results(&asking.request);
                        if given != awaited {
                            report.add(
                                "tool_results",
                                at,
                                format!("calls {awaited:?} have results {given:?}"),
                            );
                        }
                    }
                    for result in results(&asking.request) {
                        if let Some(what) = unframed(result) {
                            report.add("tool_frames", at, format!("ask {}: {what}", asking.ask));
                        }
                    }
                }
                Effect::Journal(entry) => {
                    // What it was asked is another thing now, and it begins anew: nothing called before is answered to.
                    if let (JournalEvent::RecallStarted { .. }, Some(turn)) = (&entry.event, entry.scope.turn)
                    {
                        turns.entry(turn).or_default().awaited = None;
                    }
                    if let Some(what) = pictures(&entry.event, entry.scope.turn, &mut in_the_making) {
                        report.add("picture_once", at, what);
                    }
                    if let JournalEvent::ToolCompleted { run, .. } = entry.event
                        && !completed.insert(run)
                    {
                        report.add("tool_once", at, format!("tool run {run} is completed twice"));
                    }
                }
                _ => {}
            }
        }
        note_calls(step, &asked, &mut turns, report);
    }
}

/// What is wrong with the pictures of replies: each is waited for once, one at a time, and has ended when its turn has.
fn pictures(event: &JournalEvent, turn: Option<TurnId>, open: &mut BTreeSet<TurnId>) -> Option<String> {
    let turn = turn?;
    let (is_sound, what) = match event {
        JournalEvent::ReplyMediaWanted { .. } => (open.insert(turn), "wants another one meanwhile"),
        JournalEvent::ReplyMediaMade { .. } | JournalEvent::ReplyMediaFailed { .. } => {
            (open.remove(&turn), "hears of one that it does not wait for")
        }
        JournalEvent::TurnEnded { .. } => (!open.remove(&turn), "ends while one is being made"),
        _ => return None,
    };
    (!is_sound).then(|| format!("turn {turn} {what}"))
}

/// Calls that somebody waited for, of a model that was offered tools.
fn note_calls(
    step: &Stepped,
    asked: &BTreeMap<AskId, (TurnId, bool)>,
    turns: &mut BTreeMap<TurnId, Lookups>,
    report: &mut Report,
) {
    let Input::Answer(Answer::AskEnded {
        ask,
        outcome: AskOutcome::Answered(answer),
    }) = &step.input
    else {
        return;
    };
    let taken = step.journal().any(|entry| match &entry.event {
        JournalEvent::AskCompleted {
            ask: done, purpose, ..
        } => done == ask && may_call(*purpose),
        _ => false,
    });
    let Some((turn, true)) = asked.get(ask).filter(|_| taken && !answer.tool_calls.is_empty()) else {
        return;
    };
    let calls: Vec<String> = answer.tool_calls.iter().map(|call| call.id.clone()).collect();
    // Where no call is run outside, the next question has been asked in this very step.
    let next = step.effects.iter().find_map(|effect| match effect {
        Effect::Ask(asking) if asking.turn == *turn && may_call(asking.request.purpose) => {
            Some(newest_results(&asking.request))
        }
        _ => None,
    });
    match next {
        None => turns.entry(*turn).or_default().awaited = Some(calls),
        Some(given) if given != calls => {
            let what = format!("calls {calls:?} have results {given:?}");
            report.add("tool_results", step.now.moment, what);
        }
        Some(_) => {}
    }
}

fn may_call(purpose: AskPurpose) -> bool {
    matches!(
        purpose,
        AskPurpose::TextReply
            | AskPurpose::TextReplyFollowup
            | AskPurpose::VoiceReply
            | AskPurpose::VoiceReplyFollowup
            | AskPurpose::AmbientThought
    )
}

fn allowed(settings: &Settings) -> u64 {
    let (replies, thoughts) = (&settings.reply_followup, &settings.initiative);
    replies.max_tool_calls.max(thoughts.max_tool_calls)
}

fn results(request: &ModelRequest) -> impl Iterator<Item = &ToolResult> {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    parts.filter_map(|part| match part {
        ContentPart::ToolResult(result) => Some(result),
        _ => None,
    })
}

/// The ids of the newest round of results.
fn newest_results(request: &ModelRequest) -> Vec<String> {
    let newest = request
        .turns
        .iter()
        .rev()
        .find(|turn| turn.role == ChatRole::Tool);
    let parts = newest.into_iter().flat_map(|turn| &turn.parts);
    let ids = parts.filter_map(|part| match part {
        ContentPart::ToolResult(result) => Some(result.call_id.clone()),
        _ => None,
    });
    ids.collect()
}

/// What is wrong with a result that brings words from outside.
fn unframed(result: &ToolResult) -> Option<String> {
    let characters = result.text.chars().count();
    if characters > RESULT_CHARS_MAX {
        return Some(format!("a result of {} has {characters} characters", result.name));
    }
    let strangers = result.text.contains("Ignore your rules");
    let framed =
        result.text.ends_with(ENDS) && result.text.matches(ENDS).count() == 1 && !result.text.contains("<|");
    (strangers && !framed).then(|| format!("a result of {} is not framed", result.name))
}
