//! A record together with what was said around it: how much each part counts, how long it all is, and how to bring its
//! meaning to length one. What a search would need of every record is worked out when records come and go.

use crate::growth::push;
use crate::intern::NONE;
use crate::neighbours::Neighbours;
use crate::shelf::Shelf;
use crate::terms::Count;
use crate::weights::{ASKED_HUNDREDTHS, NEIGHBOUR_WORDS, STATED_HUNDREDTHS};

/// The place of a record itself among the five that count for it.
pub const OWN: usize = 2;
const HUNDRED: f32 = 100.0;
/// Counts and lengths are sums of integers, in hundredths of what a word is, times how much of its words a neighbour is heard with.
pub const HEARD_WHOLE: u32 = 1_000;
/// So much is one word.
pub const WORD: f64 = 100_000.0;

/// By slot.
#[derive(Debug, Clone, Default)]
pub struct Contexts {
    /// How long what stands around is.
    lengths: Vec<u32>,
    /// How much of a record is heard by its neighbours, of `HEARD_WHOLE`.
    heard: Vec<u32>,
    /// How long the weighted sum of the vectors is; 0 where there are none.
    norms: Vec<f32>,
    /// How much of its words stand in questions.
    asked: Vec<f32>,
}

impl Contexts {
    pub fn push(&mut self, length: Count) {
        let words = length.all();
        let asked = if words > 0 {
            length.asked as f32 / words as f32
        } else {
            0.0
        };
        push(&mut self.asked, asked);
        let heard = HEARD_WHOLE * NEIGHBOUR_WORDS / words.max(NEIGHBOUR_WORDS);
        push(&mut self.heard, heard);
        push(&mut self.lengths, 0);
        push(&mut self.norms, 0.0);
    }

    /// Works out what changes with the neighbours.
    pub fn refresh(&mut self, slot: u32, shelf: &Shelf, neighbours: &Neighbours) {
        let members = members(slot, neighbours);
        self.lengths[slot as usize] = self.length_of(shelf, members);
        self.norms[slot as usize] = self.norm_of(shelf, members);
    }

    /// What so many occurrences in a record count for one that stands at that distance from it.
    pub fn counting(&self, distance: usize, slot: usize, count: Count) -> u32 {
        counting(distance, count) * self.heard[slot]
    }

    /// How long what stands around is.
    pub fn length_of(&self, shelf: &Shelf, members: [u32; 5]) -> u32 {
        let around = members.into_iter().enumerate();
        let around = around.filter(|(distance, member)| *distance != OWN && *member != NONE);
        around
            .map(|(distance, member)| {
                let member = member as usize;
                self.counting(distance, member, shelf.entries[member].length)
            })
            .sum()
    }

    /// With all neighbours in view.
    pub fn length(&self, slot: usize) -> u32 {
        self.lengths[slot]
    }

    /// With all neighbours in view.
    pub fn norm(&self, slot: usize) -> f32 {
        self.norms[slot]
    }

    /// How long the weighted sum of the members' vectors is.
    pub fn norm_of(&self, shelf: &Shelf, members: [u32; 5]) -> f32 {
        let mut shares = [0.0; 5];
        for (distance, member) in members.into_iter().enumerate() {
            if member != NONE && shelf.vectors.has(member as usize) {
                shares[distance] = self.share(distance, member as usize);
            }
        }
        let mut square = 0.0;
        for (one, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            square += share * share;
            for other in (one + 1..shares.len()).filter(|other| shares[*other] > 0.0) {
                let cosine = shelf
                    .vectors
                    .compare_rows(members[one] as usize, members[other] as usize);
                square += 2.0 * share * shares[other] * cosine;
            }
        }
        square.max(0.0).sqrt()
    }

    /// What the meaning of a record at that distance counts: as its words do on average.
    pub fn share(&self, distance: usize, slot: usize) -> f32 {
        let (stated, asked) = (
            STATED_HUNDREDTHS[distance] as f32,
            ASKED_HUNDREDTHS[distance] as f32,
        );
        let share = (stated + self.asked[slot] * (asked - stated)) / HUNDRED;
        if distance == OWN {
            share
        } else {
            share * self.heard[slot] as f32 / HEARD_WHOLE as f32
        }
    }

    pub fn forget_meaning(&mut self) {
        self.norms.fill(0.0);
    }

    pub fn keep(&mut self, slots: &[u32]) {
        self.lengths = slots.iter().map(|slot| self.lengths[*slot as usize]).collect();
        self.norms = slots.iter().map(|slot| self.norms[*slot as usize]).collect();
        self.heard = slots.iter().map(|slot| self.heard[*slot as usize]).collect();
        self.asked = slots.iter().map(|slot| self.asked[*slot as usize]).collect();
    }

    pub fn bytes(&self) -> usize {
        (self.lengths.capacity() + self.heard.capacity()) * size_of::<u32>()
            + (self.norms.capacity() + self.asked.capacity()) * size_of::<f32>()
    }
}

/// The turns that count for one, by distance: two before, one before, itself, one after, two after.
pub fn members(slot: u32, neighbours: &Neighbours) -> [u32; 5] {
    let [before_last, before, after, after_next] = *neighbours.around(slot);
    [before_last, before, slot, after, after_next]
}

/// What so many occurrences at that distance count, in hundredths.
fn counting(distance: usize, count: Count) -> u32 {
    STATED_HUNDREDTHS[distance] * count.stated + ASKED_HUNDREDTHS[distance] * count.asked
}

/// What so many occurrences in a record count for itself.
pub fn own(count: Count) -> u32 {
    counting(OWN, count) * HEARD_WHOLE
}

/// The distance of a turn from one that lies at `distance` from it.
pub fn opposite(distance: usize) -> usize {
    2 * OWN - distance
}
