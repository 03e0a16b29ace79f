//! Drafts only grow while one answer is being written, and what was shown is how the message begins.

use std::collections::{BTreeMap, BTreeSet};

use mind::reasons::TurnOutcome;
use mind::{Effect, Input, JournalEvent, RoomWish, ShellEvent};
use vocabulary::TurnId;

use super::Report;
use crate::trace::Trace;

#[derive(Default)]
struct Shown {
    draft: Option<String>,
    sent: String,
    repaired: bool,
}

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut turns: BTreeMap<TurnId, Shown> = BTreeMap::new();
    for step in &trace.steps {
        let at = step.now.moment;
        if let Input::Shell(ShellEvent::Restarted { .. }) = step.input {
            // Whoever was looking has lost the page's draft with the process.
            turns.values_mut().for_each(|shown| shown.draft = None);
        }
        let mut sent_now = BTreeSet::new();
        for effect in &step.effects {
            match effect {
                // A summary is asked for beside the turn's answer, and shows nothing.
                Effect::Ask(asking) if super::asks::is_beside(asking.request.purpose) => {}
                Effect::Ask(asking) => {
                    // The next answer starts over.
                    let shown = turns.entry(asking.turn).or_default();
                    if shown.draft.is_some() {
                        let what = format!("turn {} asks again under a draft", asking.turn);
                        report.add("draft_taken_back", at, what);
                    }
                    *shown = Shown::default();
                }
                Effect::Room(_, RoomWish::ShowDraft { turn, text, .. }) => {
                    let shown = turns.entry(*turn).or_default();
                    if let Some(before) = &shown.draft
                        && !text.starts_with(before.as_str())
                    {
                        let what = format!("turn {turn} showed {:?}, then {:?}", end(before), end(text));
                        report.add("drafts_grow", at, what);
                    }
                    shown.draft = Some(text.clone());
                }
                Effect::Room(_, RoomWish::DropDraft { turn, .. }) => {
                    turns.entry(*turn).or_default().draft = None
                }
                Effect::Room(_, RoomWish::Send(delivery)) => {
                    let shown = turns.entry(delivery.turn).or_default();
                    if sent_now.insert(delivery.id.clone()) {
                        shown.sent.push_str(&delivery.text);
                    }
                }
                Effect::Journal(entry) => {
                    let Some(turn) = entry.scope.turn else { continue };
                    match &entry.event {
                        JournalEvent::AnswerRepaired { .. } => turns.entry(turn).or_default().repaired = true,
                        JournalEvent::DeliveryFailed { .. } => {
                            // The same piece is sent again: what was sent says nothing about order any more.
                            turns.entry(turn).or_default().repaired = true;
                        }
                        JournalEvent::TurnEnded { outcome, .. } => {
                            let shown = turns.remove(&turn).unwrap_or_default();
                            ended(turn, *outcome, shown, at, report);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
}

fn ended(turn: TurnId, outcome: TurnOutcome, shown: Shown, at: vocabulary::Moment, report: &mut Report) {
    let Some(draft) = shown.draft else { return };
    if outcome != TurnOutcome::Sent {
        report.add("draft_taken_back", at, format!("turn {turn} left a draft behind"));
        return;
    }
    // A long answer is cut short at its last piece, and code blocks are closed and opened again between pieces.
    let (draft, sent) = (essence(&draft), essence(&shown.sent));
    let begins = match sent.strip_suffix('…') {
        Some(cut_short) => sent.starts_with(&draft) || draft.starts_with(cut_short),
        None => sent.starts_with(&draft),
    };
    if !shown.repaired && !begins {
        let what = format!("turn {turn} showed {:?} and sent {:?}", end(&draft), end(&sent));
        report.add("draft_is_the_beginning", at, what);
    }
}

fn essence(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_whitespace() && !"`\u{200b}".contains(*letter))
        .collect()
}

fn end(text: &str) -> String {
    let letters = text.chars().count();
    text.chars().skip(letters.saturating_sub(60)).collect()
}
