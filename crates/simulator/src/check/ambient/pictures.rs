//! Words are not lost because their picture is: a thought whose picture failed is posted or held, or had no words. And a
//! post is told once, with messages that are its own alone.

use std::collections::{BTreeMap, BTreeSet};

use mind::ambient::{InitiativeSkip, RunOutcome};
use mind::{Answer, Input, JournalEvent};
use serde_json::Value;
use vocabulary::{AskOutcome, MessageId, TurnId};

use super::super::Report;
use super::replay::Replay;
use crate::trace::Trace;

pub(super) fn check(trace: &Trace, replay: &Replay, report: &mut Report) {
    let mut pictureless: BTreeSet<TurnId> = BTreeSet::new();
    let mut reasons: BTreeMap<TurnId, InitiativeSkip> = BTreeMap::new();
    let mut answers: BTreeMap<vocabulary::AskId, String> = BTreeMap::new();
    let mut posted: BTreeSet<TurnId> = BTreeSet::new();
    let mut messages: BTreeSet<MessageId> = BTreeSet::new();
    for step in &trace.steps {
        if let Input::Answer(Answer::AskEnded {
            ask,
            outcome: AskOutcome::Answered(answer),
        }) = &step.input
        {
            answers.entry(*ask).or_insert_with(|| answer.text.clone());
        }
        for entry in step.journal() {
            let Some(turn) = entry.scope.turn else { continue };
            match &entry.event {
                JournalEvent::AmbientMediaFailed { .. } => {
                    pictureless.insert(turn);
                }
                JournalEvent::InitiativeSkip { reason, ask, .. } => {
                    reasons.insert(turn, *reason);
                    let text = ask.and_then(|ask| answers.get(&ask));
                    if *reason == InitiativeSkip::MediaFailed && text.is_some_and(|text| has_words(text)) {
                        let what = format!("the words of thought {turn} are lost with their picture");
                        report.add("words_outlive_pictures", step.now.moment, what);
                    }
                }
                JournalEvent::InitiativePost { messages: own, .. } => {
                    let fresh = own.iter().all(|id| messages.insert(id.clone()));
                    if !posted.insert(turn) || !fresh || own.is_empty() {
                        let what = format!("thought {turn} is posted again, or with messages of another");
                        report.add("posted_once", step.now.moment, what);
                    }
                }
                _ => {}
            }
        }
    }
    for turn in pictureless {
        let Some(run) = replay.runs.get(&turn) else {
            continue;
        };
        let Some((at, RunOutcome::Dropped)) = run.ended else {
            continue;
        };
        if reasons.get(&turn) != Some(&InitiativeSkip::MediaFailed) {
            let what = format!("thought {turn} is dropped for want of a picture");
            report.add("words_outlive_pictures", at, what);
        }
    }
}

fn has_words(answer: &str) -> bool {
    let answer: Option<Value> = serde_json::from_str(answer).ok();
    let text = answer.as_ref().and_then(|answer| answer["text"].as_str());
    text.is_some_and(|text| text.chars().any(char::is_alphanumeric))
}
