//! Ids that were seen before, up to a bound: the oldest are forgotten first.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize, Serializer};
use vocabulary::MessageId;

/// How many ids a room remembers. The store refuses older repeats by their key.
const SEEN_IDS_MAX: usize = 2_000;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "VecDeque<MessageId>")]
pub(crate) struct SeenIds {
    order: VecDeque<MessageId>,
    /// A number of each of them, in order of numbers. Most ids are new, and that is told without comparing any; and
    /// whoever reads a state has them in a moment.
    numbers: Vec<u64>,
}

impl SeenIds {
    /// Whether this is the first time.
    pub fn insert(&mut self, id: &MessageId) -> bool {
        let place = self.place(number(id));
        // Two ids may share a number.
        if self.numbers.get(place) == Some(&number(id)) && self.order.contains(id) {
            return false;
        }
        self.numbers.insert(place, number(id));
        self.order.push_back(id.clone());
        if self.order.len() > SEEN_IDS_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.numbers.remove(self.place(number(&oldest)));
        }
        true
    }

    /// Where a number stands, or would.
    fn place(&self, number: u64) -> usize {
        self.numbers.partition_point(|known| *known < number)
    }
}

/// A number of the letters of an id (FNV), the same on every machine.
fn number(id: &MessageId) -> u64 {
    let letters = id.as_str().bytes();
    letters.fold(0xcbf2_9ce4_8422_2325, |number, byte| {
        (number ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl PartialEq for SeenIds {
    fn eq(&self, other: &Self) -> bool {
        // The numbers follow from the ids.
        self.order == other.order
    }
}

impl Serialize for SeenIds {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.order.serialize(to)
    }
}

impl From<VecDeque<MessageId>> for SeenIds {
    fn from(order: VecDeque<MessageId>) -> Self {
        let mut numbers: Vec<u64> = order.iter().map(number).collect();
        numbers.sort_unstable();
        Self { order, numbers }
    }
}

#[cfg(test)]
#[path = "seen_tests.rs"]
mod tests;
