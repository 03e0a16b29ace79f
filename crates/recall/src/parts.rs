//! The parts of records, numbered one after the other: one of a short text, several of a long one, whose best part speaks for it.

use std::ops::Range;

use crate::growth::push;
use crate::intern::NONE;
use crate::terms::Count;

/// Which parts records have, and how long they are.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// By slot: where its parts end.
    ends: Vec<u32>,
    /// By part: its record.
    slots: Vec<u32>,
    /// By part, in words.
    lengths: Vec<Count>,
}

impl Parts {
    /// Takes in the next record's.
    pub fn push(&mut self, lengths: impl Iterator<Item = Count>) {
        for length in lengths {
            push(&mut self.lengths, length);
            push(&mut self.slots, self.ends.len() as u32);
        }
        push(&mut self.ends, self.lengths.len() as u32);
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// The parts of a record.
    pub fn of(&self, slot: usize) -> Range<usize> {
        let start = slot.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[slot] as usize
    }

    /// The record of a part.
    pub fn slot(&self, part: usize) -> usize {
        self.slots[part] as usize
    }

    pub fn length(&self, part: usize) -> Count {
        self.lengths[part]
    }

    /// Keeps the parts of these slots, in this order; tells the new number of each old part, `NONE` for those that went.
    pub fn keep(&mut self, slots: &[u32]) -> Vec<u32> {
        let mut kept = Parts::default();
        let mut renumbered = vec![NONE; self.len()];
        for slot in slots {
            let parts = self.of(*slot as usize);
            for (place, part) in parts.clone().enumerate() {
                renumbered[part] = (kept.len() + place) as u32;
            }
            kept.push(parts.map(|part| self.lengths[part]));
        }
        *self = kept;
        renumbered
    }

    pub fn bytes(&self) -> usize {
        (self.ends.capacity() + self.slots.capacity()) * size_of::<u32>()
            + self.lengths.capacity() * size_of::<Count>()
    }
}
