//! A turn on its way from the buffer to the mind may have been edited or taken back meanwhile: it arrives as it stands.

use std::collections::VecDeque;

use gist::gems::redaction::redact;
use mind::{Input, MemoryEvent, RoomEvent};
use vocabulary::{CapturedTurn, CommunityId, TurnKey};

/// Changes that are remembered; a turn is on its way for seconds.
const KEPT_MAX: usize = 256;

/// The newest changes of messages, the oldest first.
#[derive(Debug)]
pub(super) struct ChangedLately {
    community: CommunityId,
    /// The new words; none of what was taken back.
    changes: VecDeque<(TurnKey, Option<String>)>,
}

impl ChangedLately {
    pub fn of(community: &CommunityId) -> Self {
        Self {
            community: community.clone(),
            changes: VecDeque::new(),
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
            other => other,
        }
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

#[cfg(test)]
#[path = "changed_lately_tests.rs"]
mod changed_lately_tests;
