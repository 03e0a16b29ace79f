//! The people of one room: what they are called, whom they last spoke to, and who is waiting for their answer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vocabulary::{PersonId, WallTime};

use super::habits::{Habits, Said};
use super::name::Spelling;

/// Enough for a busy room; whoever was silent longest is forgotten first.
const PEOPLE_MAX: usize = 64;
/// Somebody whom more people call at once answers the latest of them.
const CALLS_MAX: usize = 4;
/// A line called out to more people than this is called out to a crowd.
const ADDRESSEES_MAX: usize = 4;
/// Names shorter than this ("jo", "q") are ordinary words unless they are set off as a call.
const NAME_CHARACTERS_MIN: usize = 3;
/// So many uses in passing, and more of them than calls, show that the room uses the name as a word.
const PASSING_USES_MIN: u32 = 3;
/// After so many uses both counts are halved.
const USES_COUNTED_MAX: u32 = 24;

/// Everybody heard lately, and the names they go by.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Roster {
    people: BTreeMap<PersonId, Person>,
    /// By the first word of each way to say a name.
    names: BTreeMap<String, Vec<Named>>,
}

/// One participant, Denizen included.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Person {
    name: String,
    /// The line of the room at which they were last heard (or, for Denizen, first called).
    heard_at_line: u64,
    pub(super) spoke: Option<Spoke>,
    /// Who has spoken to them since they last spoke, oldest first.
    pub(super) calls: Vec<Call>,
    times_called: u32,
    times_in_passing: u32,
    #[serde(default)]
    pub(super) habits: Habits,
}

/// Somebody's last line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Spoke {
    pub(super) line: u64,
    pub(super) at: WallTime,
    /// Nobody: it was said to the room.
    pub(super) to: Vec<PersonId>,
}

/// A line that waits for an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) by: PersonId,
    pub(super) line: u64,
    pub(super) at: WallTime,
    /// They asked something, in this line or an earlier one that waits too.
    pub(super) asked: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Named {
    pub(super) person: PersonId,
    pub(super) spelling: Spelling,
}

impl Roster {
    /// Lets somebody go, with whatever anybody else has to do with them.
    pub(super) fn forget(&mut self, id: &PersonId) {
        self.people.remove(id);
        for person in self.people.values_mut() {
            person.calls.retain(|call| call.by != *id);
            if let Some(spoke) = &mut person.spoke {
                spoke.to.retain(|to| to != id);
            }
        }
        self.names.retain(|_, named| {
            named.retain(|named| named.person != *id);
            !named.is_empty()
        });
    }

    pub(super) fn person(&self, id: &PersonId) -> Option<&Person> {
        self.people.get(id)
    }

    /// Everybody who can be called by a name that begins with this word.
    pub(super) fn named(&self, first_word: &str) -> &[Named] {
        self.names.get(first_word).map_or(&[], Vec::as_slice)
    }

    /// When somebody was last heard; later is greater, never is least.
    pub(super) fn heard_at_line(&self, id: &PersonId) -> Option<u64> {
        self.people.get(id).map(|person| person.heard_at_line)
    }

    /// Whether the room uses a name as an ordinary word, so that only a call set off as one counts.
    pub(super) fn is_ordinary_word(&self, id: &PersonId, name_characters: usize) -> bool {
        name_characters < NAME_CHARACTERS_MIN
            || self.people.get(id).is_some_and(|person| {
                person.times_in_passing >= PASSING_USES_MIN && person.times_in_passing > person.times_called
            })
    }

    /// Counts a use of somebody's name.
    pub(super) fn count_name(&mut self, id: &PersonId, called: bool) {
        if let Some(person) = self.people.get_mut(id) {
            let count = if called {
                &mut person.times_called
            } else {
                &mut person.times_in_passing
            };
            *count = count.saturating_add(1);
            // What the room used a name for long ago tells nothing of how it is used now.
            if person.times_called + person.times_in_passing >= USES_COUNTED_MAX {
                person.times_called /= 2;
                person.times_in_passing /= 2;
            }
        }
    }

    /// Makes sure that Denizen, whose names are given with every message, is among the people.
    pub(super) fn admit_denizen(&mut self, denizen: &PersonId, line: u64) {
        if !self.people.contains_key(denizen) {
            self.make_room_for(denizen);
            let person = Person {
                heard_at_line: line,
                ..Person::default()
            };
            self.people.insert(denizen.clone(), person);
        }
    }

    /// Makes sure that an author is among the people, under the name the room shows now.
    pub(super) fn admit(&mut self, id: &PersonId, name: &str, line: u64, denizen: &PersonId) {
        match self.people.get(id) {
            Some(person) if person.name == name => return,
            Some(_) => self.forget_names(id),
            None => self.make_room_for(denizen),
        }
        for spelling in Spelling::all(name) {
            let named = self.names.entry(spelling.first.clone()).or_default();
            named.push(Named {
                person: id.clone(),
                spelling,
            });
        }
        let person = self.people.entry(id.clone()).or_default();
        person.name = name.to_owned();
        person.heard_at_line = line;
    }

    /// Records that somebody's line waits for an answer.
    pub(super) fn call(&mut self, id: &PersonId, call: Call) {
        let Some(person) = self.people.get_mut(id) else {
            return;
        };
        let asked_before = person.calls.iter().any(|old| old.by == call.by && old.asked);
        person.calls.retain(|old| old.by != call.by);
        if person.calls.len() == CALLS_MAX {
            person.calls.remove(0);
        }
        person.calls.push(Call {
            asked: call.asked || asked_before,
            ..call
        });
    }

    /// Records somebody's line: it answers whatever waited for them.
    pub(super) fn spoke(&mut self, id: &PersonId, mut spoke: Spoke) {
        if let Some(person) = self.people.get_mut(id) {
            spoke.to.truncate(ADDRESSEES_MAX);
            person.heard_at_line = spoke.line;
            person.calls.clear();
            person.spoke = Some(spoke);
        }
    }

    /// Counts a line towards the habits of whoever said it, and of those it was said to.
    pub(super) fn count_line(&mut self, by: &PersonId, said: Said<'_>, denizen: &PersonId) {
        if let Some(person) = self.people.get_mut(by) {
            person.habits.said(said, denizen);
        }
        let called = said.calls.iter().filter(|called| !said.to.contains(called));
        for heard in said.to.iter().chain(called).take(ADDRESSEES_MAX) {
            if let Some(person) = self.people.get_mut(heard) {
                let is_named = said.calls.contains(heard);
                person.habits.heard(said, by == denizen, is_named);
            }
        }
    }

    fn make_room_for(&mut self, denizen: &PersonId) {
        if self.people.len() < PEOPLE_MAX {
            return;
        }
        let silent_longest = self
            .people
            .iter()
            .filter(|(id, _)| *id != denizen)
            .min_by_key(|(_, person)| person.heard_at_line)
            .map(|(id, _)| id.clone());
        if let Some(id) = silent_longest {
            self.forget_names(&id);
            self.people.remove(&id);
        }
    }

    fn forget_names(&mut self, id: &PersonId) {
        self.names.retain(|_, named| {
            named.retain(|named| named.person != *id);
            !named.is_empty()
        });
    }
}

#[cfg(test)]
#[path = "roster_tests.rs"]
mod tests;
