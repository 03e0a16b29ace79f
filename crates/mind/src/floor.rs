//! The floor of a room: who was heard there last, and who is about to be. Text has typing signs; a voice room will have
//! who speaks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vocabulary::{Moment, PersonId, Span};

/// A typing sign that is not renewed means nothing any more after this.
const TYPING_EXPIRES: Span = Span::seconds(8);
/// For so long after the last sign, the absence of one means that a person is not typing.
const REPORTS_TYPING_FOR: Span = Span::minutes(10);
/// People remembered in one room.
const PEOPLE_MAX: usize = 64;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Floor {
    typing: BTreeMap<PersonId, TypingSign>,
    last_heard: Option<Moment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct TypingSign {
    typing: bool,
    at: Moment,
}

impl Floor {
    pub fn typing_changed(&mut self, person: PersonId, typing: bool, at: Moment) {
        self.last_heard = Some(at);
        self.typing.insert(person, TypingSign { typing, at });
        if self.typing.len() > PEOPLE_MAX {
            let oldest = self.typing.iter().min_by_key(|(_, sign)| sign.at);
            if let Some(oldest) = oldest.map(|(person, _)| person.clone()) {
                self.typing.remove(&oldest);
            }
        }
    }

    /// A message was sent, so its author is done typing it.
    pub fn spoke(&mut self, person: &PersonId, at: Moment) {
        self.last_heard = Some(at);
        if let Some(sign) = self.typing.get_mut(person) {
            *sign = TypingSign { typing: false, at };
        }
    }

    /// Lets go of somebody.
    pub fn forget(&mut self, person: &PersonId) {
        self.typing.remove(person);
    }

    /// When somebody was last heard, or typed.
    pub fn last_heard(&self) -> Option<Moment> {
        self.last_heard
    }

    /// Until when somebody counts as typing, as things stand; none where nobody does.
    pub fn typing_until(&self) -> Option<Moment> {
        let typing = self.typing.values().filter(|sign| sign.typing);
        typing.map(|sign| sign.at + TYPING_EXPIRES).max()
    }

    /// Since when a person who sent something at `sent_at` has not been typing; none where that cannot be told.
    pub fn quiet_since(&self, person: &PersonId, sent_at: Moment) -> Option<Moment> {
        let sign = self.typing.get(person)?;
        if sent_at.since(sign.at) > REPORTS_TYPING_FOR {
            return None;
        }
        let quiet = if sign.typing {
            sign.at + TYPING_EXPIRES
        } else {
            sign.at
        };
        Some(quiet.max(sent_at))
    }
}
