//! By what it is known that somebody speaks: there is sound of them, and ears take it for speech. Pages are told once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use vocabulary::{PersonId, RoomId};

/// What tells that somebody speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// There is sound of them.
    Sound,
    /// The ears take it for speech.
    Speech,
}

/// Who speaks, and by which signs. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Signs(Arc<Mutex<BTreeMap<(RoomId, PersonId), Seen>>>);

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

impl Signs {
    /// Takes a sign in; `tell` is called where somebody has begun to speak by it, or has stopped.
    pub fn take(&self, room: &RoomId, person: &PersonId, sign: Sign, is_there: bool, tell: impl FnOnce()) {
        // Held while it is told, so that it is told in the order in which it happened.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (room.clone(), person.clone());
        let before = all.get(&key).copied().unwrap_or_default();
        let mut now = before;
        match sign {
            Sign::Sound => now.sound = is_there,
            Sign::Speech => now.speech = is_there,
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
        let signs = Signs::default();
        let (room, person) = (RoomId::from("lounge"), PersonId::from("ann"));
        let mut told = Vec::new();
        for (sign, is_there) in [
            (Sign::Sound, true),
            (Sign::Speech, true),
            (Sign::Sound, false),
            (Sign::Sound, true),
            (Sign::Speech, false),
            (Sign::Sound, false),
            (Sign::Sound, false),
            (Sign::Speech, true),
            (Sign::Speech, false),
        ] {
            signs.take(&room, &person, sign, is_there, || told.push(is_there));
        }
        assert_eq!(told, [true, false, true, false]);
        assert!(signs.0.lock().expect("nobody panicked").is_empty());
    }
}
