//! The newest messages of a room, as they stand after edits and deletions.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::{AuthorKind, Message, MessageId, PersonId};

/// As many as the largest context window takes (`memory.maxRecentMessages`).
const HISTORY_MESSAGES_MAX: usize = 200;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct History {
    messages: VecDeque<Message>,
}

impl History {
    /// Takes a message in, and forgets the oldest that nobody needs any more.
    pub fn push(&mut self, message: Message, is_needed: impl Fn(&MessageId) -> bool) {
        if self.messages.len() >= HISTORY_MESSAGES_MAX
            && let Some(oldest) = self.messages.iter().position(|old| !is_needed(&old.id))
        {
            self.messages.remove(oldest);
        }
        self.messages.push_back(message);
    }

    /// The newest `count` messages, oldest first.
    pub fn newest(&self, count: usize) -> impl Iterator<Item = &Message> {
        self.messages
            .iter()
            .skip(self.messages.len().saturating_sub(count))
    }

    /// How many messages there are from this one on.
    pub fn count_since(&self, id: &MessageId) -> Option<usize> {
        let place = self.messages.iter().position(|message| message.id == *id)?;
        Some(self.messages.len() - place)
    }

    pub fn find(&self, id: &MessageId) -> Option<&Message> {
        self.messages.iter().rev().find(|message| message.id == *id)
    }

    pub fn author_of(&self, id: &MessageId) -> Option<&PersonId> {
        self.find(id).map(|message| &message.author.id)
    }

    /// Changes a text; whether the message was there.
    pub fn edit(&mut self, id: &MessageId, text: String) -> bool {
        let found = self.messages.iter_mut().rev().find(|message| message.id == *id);
        found.map(|message| message.text = text).is_some()
    }

    /// Forgets a message; whether it was there.
    pub fn delete(&mut self, id: &MessageId) -> bool {
        let before = self.messages.len();
        self.messages.retain(|message| message.id != *id);
        self.messages.len() < before
    }

    /// Whether Denizen wrote one of the newest `window` messages, not counting `except`.
    pub fn denizen_among_newest(&self, window: usize, except: &[MessageId]) -> bool {
        self.messages
            .iter()
            .rev()
            .filter(|message| !except.contains(&message.id))
            .take(window)
            .any(|message| message.author.kind == AuthorKind::Denizen)
    }
}
