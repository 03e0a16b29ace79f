//! Closing the gaps that removed records leave, so that an index is as large as what it holds.

use vocabulary::RecordId;

use crate::Index;
use crate::intern::{Interner, NONE};
use crate::shelf::{Entry, Shelf};

impl Index {
    /// Closes all gaps and forgets every name, place and word that nothing needs any more. Happens by itself when a third
    /// is gaps; call it where what was removed must not linger.
    pub fn tidy(&mut self) {
        let (kept_turns, turn_slots) = self.turns.tidy();
        let (_, gem_slots) = self.gems.tidy();
        for (id, slot) in &mut self.slots {
            *slot = match id {
                RecordId::Gem(_) => gem_slots[*slot as usize],
                RecordId::Turn(_) => turn_slots[*slot as usize],
            };
        }
        let shelves = &mut [&mut self.turns, &mut self.gems];
        let places = keep_used(&mut self.scope.places, shelves, |entry| {
            std::slice::from_mut(&mut entry.place)
        });
        keep_used(&mut self.scope.people, shelves, |entry| {
            std::slice::from_mut(&mut entry.person)
        });
        keep_used(&mut self.names, shelves, |entry| {
            std::slice::from_mut(&mut entry.name)
        });
        keep_used(&mut self.days, shelves, |entry| {
            std::slice::from_mut(&mut entry.day)
        });
        let sessions = keep_used(&mut self.sessions, shelves, |entry| {
            std::slice::from_mut(&mut entry.session)
        });
        keep_used(&mut self.keys, shelves, |entry| &mut entry.turns);
        self.turn_slots = vec![NONE; self.keys.len()];
        for (slot, entry) in self.turns.entries.iter().enumerate() {
            self.turn_slots[entry.turns[0] as usize] = slot as u32;
        }
        self.neighbours
            .renumber(&kept_turns, &turn_slots, &sessions, &places);
        self.contexts.keep(&kept_turns);
    }
}

/// Forgets what no entry names; entries get the new numbers, which are told by the old.
fn keep_used<T: Ord + Clone>(
    interner: &mut Interner<T>,
    shelves: &mut [&mut Shelf; 2],
    numbers: fn(&mut Entry) -> &mut [u32],
) -> Vec<u32> {
    let mut is_used = vec![false; interner.len()];
    let mut each = |visit: &mut dyn FnMut(&mut u32)| {
        let entries = shelves.iter_mut().flat_map(|shelf| shelf.entries.iter_mut());
        entries
            .flat_map(numbers)
            .filter(|number| **number != NONE)
            .for_each(visit);
    };
    each(&mut |number| is_used[*number as usize] = true);
    let renumbered = interner.keep(&is_used);
    each(&mut |number| *number = renumbered[*number as usize]);
    renumbered
}
