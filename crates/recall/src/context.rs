//! A turn together with what was said around it: how much each part counts, how long it all is, and how to bring its
//! meaning to length one. What a search would need of every turn is worked out when turns come and go.

use crate::intern::NONE;
use crate::neighbours::Neighbours;
use crate::shelf::{Entry, Shelf};
use crate::terms::Count;
use crate::weights::{ASKED_HUNDREDTHS, STATED_HUNDREDTHS};

/// The place of a turn itself among the five that count for it.
const OWN: usize = 2;
const WHOLE: f32 = 100.0;

/// By slot.
#[derive(Debug, Clone, Default)]
pub struct Contexts {
    /// In hundredths of a word.
    lengths: Vec<u32>,
    /// How long the weighted sum of the vectors is; 0 where there are none.
    norms: Vec<f32>,
}

impl Contexts {
    pub fn push(&mut self) {
        self.lengths.push(0);
        self.norms.push(0.0);
    }

    pub fn refresh(&mut self, slot: u32, turns: &Shelf, neighbours: &Neighbours) {
        self.lengths[slot as usize] = length(turns, members(slot, neighbours));
        self.norms[slot as usize] = norm(turns, members(slot, neighbours));
    }

    /// With all neighbours in view.
    pub fn length(&self, slot: usize) -> u32 {
        self.lengths[slot]
    }

    /// With all neighbours in view.
    pub fn norm(&self, slot: usize) -> f32 {
        self.norms[slot]
    }

    pub fn forget_meaning(&mut self) {
        self.norms.fill(0.0);
    }

    pub fn keep(&mut self, slots: &[u32]) {
        self.lengths = slots.iter().map(|slot| self.lengths[*slot as usize]).collect();
        self.norms = slots.iter().map(|slot| self.norms[*slot as usize]).collect();
    }

    pub fn bytes(&self) -> usize {
        self.lengths.capacity() * size_of::<u32>() + self.norms.capacity() * size_of::<f32>()
    }
}

/// The turns that count for one, by distance: two before, one before, itself, one after, two after.
pub fn members(slot: u32, neighbours: &Neighbours) -> [u32; 5] {
    let [before_last, before, after, after_next] = *neighbours.around(slot);
    [before_last, before, slot, after, after_next]
}

/// What so many occurrences at that distance count, in hundredths.
pub fn counting(distance: usize, count: Count) -> u32 {
    STATED_HUNDREDTHS[distance] * count.stated + ASKED_HUNDREDTHS[distance] * count.asked
}

/// What the meaning of a turn at that distance counts: as its words do on average.
pub fn share(distance: usize, entry: &Entry) -> f32 {
    let words = entry.length.all();
    if words == 0 {
        return STATED_HUNDREDTHS[distance] as f32 / WHOLE;
    }
    counting(distance, entry.length) as f32 / (words as f32 * WHOLE)
}

/// How long the members are together, in hundredths of a word.
pub fn length(turns: &Shelf, members: [u32; 5]) -> u32 {
    let members = members
        .into_iter()
        .enumerate()
        .filter(|(_, member)| *member != NONE);
    members
        .map(|(distance, member)| counting(distance, turns.entries[member as usize].length))
        .sum()
}

/// How long the weighted sum of the members' vectors is.
pub fn norm(turns: &Shelf, members: [u32; 5]) -> f32 {
    let mut shares = [0.0; 5];
    for (distance, member) in members.into_iter().enumerate() {
        if member != NONE && turns.vectors.has(member as usize) {
            shares[distance] = share(distance, &turns.entries[member as usize]);
        }
    }
    let mut square = 0.0;
    for (one, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        square += share * share;
        for other in (one + 1..shares.len()).filter(|other| shares[*other] > 0.0) {
            let cosine = turns
                .vectors
                .compare_rows(members[one] as usize, members[other] as usize);
            square += 2.0 * share * shares[other] * cosine;
        }
    }
    square.max(0.0).sqrt()
}

/// The distance of a turn from one that lies at `distance` from it.
pub fn opposite(distance: usize) -> usize {
    2 * OWN - distance
}
