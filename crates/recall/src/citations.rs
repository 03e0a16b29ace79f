//! Which turns each record came from, all in one list.

use crate::growth::{make_room, push};

/// Lists of turn numbers by slot.
#[derive(Debug, Clone, Default)]
pub struct Citations {
    turns: Vec<u32>,
    /// By slot: where its list ends.
    ends: Vec<u32>,
}

impl Citations {
    pub fn push(&mut self, turns: &[u32]) {
        make_room(&mut self.turns, turns.len());
        self.turns.extend_from_slice(turns);
        push(&mut self.ends, self.turns.len() as u32);
    }

    pub fn of(&self, slot: usize) -> &[u32] {
        let start = slot.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.turns[start as usize..self.ends[slot] as usize]
    }

    pub fn all_mut(&mut self) -> &mut [u32] {
        &mut self.turns
    }

    pub fn keep(&mut self, slots: &[u32]) {
        let mut kept = Citations::default();
        slots.iter().for_each(|slot| kept.push(self.of(*slot as usize)));
        *self = kept;
    }

    pub fn bytes(&self) -> usize {
        (self.turns.capacity() + self.ends.capacity()) * size_of::<u32>()
    }
}
