//! Closing the gaps that removed records leave, so that an index is as large as what it holds.

use crate::Index;
use crate::intern::{Interner, NONE};
use crate::shelf::Shelf;

impl Index {
    /// Closes all gaps and forgets every name, place and word that nothing needs any more. Happens by itself when a third
    /// is gaps; call it where what was removed must not linger.
    pub fn tidy(&mut self) {
        let (kept_turns, turn_slots) = self.turns.tidy();
        let (kept_gems, gem_slots) = self.gems.tidy();
        for slot in self.gem_slots.values_mut() {
            *slot = gem_slots[*slot as usize];
        }
        let shelves = &mut [&mut self.turns, &mut self.gems];
        let places = keep_used(&mut self.scope.places, shelves, |shelf| {
            each(&mut shelf.scopes, |scope| &mut scope.place)
        });
        keep_used(&mut self.scope.people, shelves, |shelf| {
            each(&mut shelf.scopes, |scope| &mut scope.person)
        });
        keep_used(&mut self.names, shelves, |shelf| {
            each(&mut shelf.entries, |entry| &mut entry.name)
        });
        keep_used(&mut self.days, shelves, |shelf| {
            each(&mut shelf.entries, |entry| &mut entry.day)
        });
        let sessions = keep_used(&mut self.sessions, shelves, |shelf| {
            each(&mut shelf.entries, |entry| &mut entry.session)
        });
        keep_used(&mut self.keys, shelves, |shelf| {
            shelf.turns.all_mut().iter_mut().collect()
        });
        self.turn_slots = vec![NONE; self.keys.len()];
        for slot in 0..self.turns.slots() {
            self.turn_slots[self.turns.turns.of(slot)[0] as usize] = slot as u32;
        }
        self.neighbours
            .renumber(&kept_turns, &turn_slots, &sessions, &places);
        self.turn_contexts.keep(&kept_turns);
        self.gem_contexts.keep(&kept_gems);
    }
}

/// Forgets what no record names; records get the new numbers, which are told by the old.
fn keep_used<T: Ord + Clone>(
    interner: &mut Interner<T>,
    shelves: &mut [&mut Shelf; 2],
    numbers: impl Fn(&mut Shelf) -> Vec<&mut u32>,
) -> Vec<u32> {
    let mut is_used = vec![false; interner.len()];
    for number in shelves
        .iter_mut()
        .flat_map(|shelf| numbers(shelf))
        .filter(|number| **number != NONE)
    {
        is_used[*number as usize] = true;
    }
    let renumbered = interner.keep(&is_used);
    for number in shelves
        .iter_mut()
        .flat_map(|shelf| numbers(shelf))
        .filter(|number| **number != NONE)
    {
        *number = renumbered[*number as usize];
    }
    renumbered
}

fn each<T>(records: &mut [T], number: impl Fn(&mut T) -> &mut u32) -> Vec<&mut u32> {
    records.iter_mut().map(number).collect()
}
