//! Who does not want to be listened to: in no room of the community, until they say otherwise.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use vocabulary::PersonId;

/// People who can choose so. Where there are more, nobody is listened to.
pub(crate) const UNLISTENED_MAX: usize = 1_024;

/// Whoever chose so, in whichever room.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Unlistened {
    people: BTreeSet<PersonId>,
    /// What was chosen in this step, for the other rooms.
    #[serde(skip)]
    chosen: Vec<(PersonId, bool)>,
}

impl Unlistened {
    pub fn is_empty(&self) -> bool {
        self.people.is_empty() && self.chosen.is_empty()
    }

    pub fn is_listened_to(&self, person: &PersonId) -> bool {
        !self.people.contains(person) && self.people.len() < UNLISTENED_MAX
    }

    pub fn iter(&self) -> impl Iterator<Item = &PersonId> {
        self.people.iter()
    }

    pub fn choose(&mut self, person: &PersonId, listen: bool) {
        match listen {
            true => self.people.remove(person),
            false if self.people.len() < UNLISTENED_MAX => self.people.insert(person.clone()),
            false => false,
        };
        self.chosen.push((person.clone(), listen));
    }

    /// What was chosen and the other rooms do not know yet.
    pub fn take_chosen(&mut self) -> Vec<(PersonId, bool)> {
        std::mem::take(&mut self.chosen)
    }
}
