//! Who is typing, in rooms that show it.

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
#[serde(transparent)]
pub(crate) struct TypingBoard {
    people: BTreeMap<PersonId, Sign>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Sign {
    typing: bool,
    at: Moment,
}

impl TypingBoard {
    pub fn changed(&mut self, person: PersonId, typing: bool, at: Moment) {
        self.people.insert(person, Sign { typing, at });
        if self.people.len() > PEOPLE_MAX {
            let oldest = self
                .people
                .iter()
                .min_by_key(|(_, sign)| sign.at)
                .map(|(person, _)| person.clone());
            if let Some(oldest) = oldest {
                self.people.remove(&oldest);
            }
        }
    }

    /// A message was sent, so its author is done typing it.
    pub fn sent(&mut self, person: &PersonId, at: Moment) {
        if let Some(sign) = self.people.get_mut(person) {
            *sign = Sign { typing: false, at };
        }
    }

    /// Until when somebody counts as typing, as things stand; none where nobody does.
    pub fn until(&self) -> Option<Moment> {
        let typing = self.people.values().filter(|sign| sign.typing);
        typing.map(|sign| sign.at + TYPING_EXPIRES).max()
    }

    /// Since when a person who sent something at `sent_at` has not been typing; none where that cannot be told.
    pub fn quiet_since(&self, person: &PersonId, sent_at: Moment) -> Option<Moment> {
        let sign = self.people.get(person)?;
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
