//! What is on its way to the mind may have been edited, taken back or forgotten meanwhile: it arrives as it stands, or not.

use std::collections::VecDeque;
use std::time::Duration;

use gist::gems::redaction::redact;
use mind::{Answer, Forgotten, Input, MemoryEvent, Recollection, RoomEvent};
use serde::Serialize;
use tokio::time::Instant;
use vocabulary::{CapturedTurn, CommunityId, TurnKey};

/// Changes that are remembered; a turn is on its way for seconds.
const KEPT_MAX: usize = 256;
/// Whatever was looked up before something was forgotten is there after so long, or was given up.
const FORGOTTEN_LATELY: Duration = Duration::from_secs(60);
/// Forgotten texts, or turns, that are looked for in what arrives; a person may have said a lot.
const FORGOTTEN_MAX: usize = 10_000;
/// Shorter texts say nothing of anybody.
const FORGOTTEN_CHARS_MIN: usize = 4;

/// The newest changes of messages, the oldest first.
#[derive(Debug)]
pub(super) struct ChangedLately {
    community: CommunityId,
    /// The new words; none of what was taken back.
    changes: VecDeque<(TurnKey, Option<String>)>,
    /// Texts that were forgotten, as JSON writes them, and when.
    forgotten: VecDeque<(Instant, String)>,
    /// Turns that were forgotten, and when: memory may have handed one over just before.
    forgotten_turns: VecDeque<(Instant, TurnKey)>,
}

impl ChangedLately {
    pub fn of(community: &CommunityId) -> Self {
        Self {
            community: community.clone(),
            changes: VecDeque::new(),
            forgotten: VecDeque::new(),
            forgotten_turns: VecDeque::new(),
        }
    }

    /// An input as it is taken in: it changes messages, or tells turns, without words that do not stand any more.
    pub fn as_it_stands(&mut self, input: Input) -> Input {
        match input {
            Input::Room(room, RoomEvent::MessageEdited { id, text }) => {
                let key = TurnKey::of_message(&self.community, &id);
                self.note(key, Some(redact(&text).text));
                Input::Room(room, RoomEvent::MessageEdited { id, text })
            }
            Input::Room(room, RoomEvent::MessageDeleted { id }) => {
                self.note(TurnKey::of_message(&self.community, &id), None);
                Input::Room(room, RoomEvent::MessageDeleted { id })
            }
            Input::Memory(MemoryEvent::TurnsBuffered { mut turns }) => {
                turns.retain_mut(|turn| self.stands(turn));
                Input::Memory(MemoryEvent::TurnsBuffered { turns })
            }
            Input::Answer(Answer::Recalled { recall, mut found }) => {
                self.leave_forgotten_out(&mut found);
                Input::Answer(Answer::Recalled { recall, found })
            }
            Input::Answer(Answer::ToolEnded { run, mut result }) => {
                if self.retells(&result.text) {
                    result.text = "What was found has just been forgotten.".to_owned();
                }
                Input::Answer(Answer::ToolEnded { run, result })
            }
            other => other,
        }
    }

    /// This is forgotten now: what was looked up or handed over before brings it back to nobody, and into no recording.
    pub fn forgot(&mut self, forgotten: &Forgotten) {
        let telling = forgotten
            .texts
            .iter()
            .filter(|text| text.chars().count() >= FORGOTTEN_CHARS_MIN)
            .map(|text| as_json(text).trim_matches('"').to_owned());
        remember(&mut self.forgotten, telling);
        remember(&mut self.forgotten_turns, forgotten.turn_ids.iter().cloned());
    }

    fn leave_forgotten_out(&self, found: &mut Recollection) {
        if self.forgotten.is_empty() {
            return;
        }
        found.messages.retain(|message| !self.retells(message));
        found.facts.retain(|fact| !self.retells(fact));
        found.of_people.retain(|gem| !self.retells(gem));
        found.lasting.retain(|gem| !self.retells(gem));
    }

    fn retells(&self, found: &impl Serialize) -> bool {
        let mut lately = lately(&self.forgotten).peekable();
        if lately.peek().is_none() {
            return false;
        }
        let found = as_json(found);
        lately.any(|text| found.contains(text))
    }

    fn note(&mut self, key: TurnKey, text: Option<String>) {
        self.changes.retain(|(known, _)| *known != key);
        if self.changes.len() == KEPT_MAX {
            self.changes.pop_front();
        }
        self.changes.push_back((key, text));
    }

    /// Gives a turn its newest words; whether it still stands.
    fn stands(&self, turn: &mut CapturedTurn) -> bool {
        if lately(&self.forgotten_turns).any(|forgotten| *forgotten == turn.id) {
            return false;
        }
        match self.changes.iter().find(|(key, _)| *key == turn.id) {
            Some((_, None)) => false,
            Some((_, Some(text))) => {
                turn.text.clone_from(text);
                true
            }
            None => true,
        }
    }
}

/// Adds to what was forgotten lately; the oldest goes.
fn remember<T>(forgotten: &mut VecDeque<(Instant, T)>, more: impl Iterator<Item = T>) {
    let now = Instant::now();
    forgotten.retain(|(since, _)| now.duration_since(*since) < FORGOTTEN_LATELY);
    forgotten.extend(more.map(|one| (now, one)));
    let surplus = forgotten.len().saturating_sub(FORGOTTEN_MAX);
    forgotten.drain(..surplus);
}

fn lately<T>(forgotten: &VecDeque<(Instant, T)>) -> impl Iterator<Item = &T> {
    forgotten
        .iter()
        .filter(|(since, _)| since.elapsed() < FORGOTTEN_LATELY)
        .map(|(_, one)| one)
}

fn as_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
#[path = "changed_lately_tests.rs"]
mod changed_lately_tests;
