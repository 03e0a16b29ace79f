//! By what it is known that somebody speaks: there is sound of them, and ears take it for speech. Pages are told once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use vocabulary::{PersonId, RoomId};

/// What tells that somebody speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// There is sound of them.
    Sound,
    /// The ears take it for speech.
    Speech,
}

/// Who speaks, and what tells so. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Speakers(Arc<Mutex<BTreeMap<(RoomId, PersonId), Seen>>>);

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    sound: bool,
    speech: bool,
}

impl Seen {
    fn speaks(self) -> bool {
        self.sound || self.speech
    }
}

impl Speakers {
    /// Takes in what tells so, or does not any more; `tell` is called where somebody has begun to speak, or has stopped.
    pub fn take(
        &self,
        room: &RoomId,
        person: &PersonId,
        evidence: Evidence,
        is_there: bool,
        tell: impl FnOnce(),
    ) {
        // Held while it is told, so that it is told in the order in which it happened.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (room.clone(), person.clone());
        let before = all.get(&key).copied().unwrap_or_default();
        let mut now = before;
        match evidence {
            Evidence::Sound => now.sound = is_there,
            Evidence::Speech => now.speech = is_there,
        }
        match now.speaks() {
            true => all.insert(key, now),
            false => all.remove(&key),
        };
        if now.speaks() != before.speaks() {
            tell();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_begins_to_speak_is_told_of_once_whatever_tells_it_first() {
        let speakers = Speakers::default();
        let (room, person) = (RoomId::from("lounge"), PersonId::from("ann"));
        let mut told = Vec::new();
        for (evidence, is_there) in [
            (Evidence::Sound, true),
            (Evidence::Speech, true),
            (Evidence::Sound, false),
            (Evidence::Sound, true),
            (Evidence::Speech, false),
            (Evidence::Sound, false),
            (Evidence::Sound, false),
            (Evidence::Speech, true),
            (Evidence::Speech, false),
        ] {
            speakers.take(&room, &person, evidence, is_there, || told.push(is_there));
        }
        assert_eq!(told, [true, false, true, false]);
        assert!(speakers.0.lock().expect("nobody panicked").is_empty());
    }
}
