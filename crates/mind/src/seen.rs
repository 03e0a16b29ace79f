//! Ids that were seen before, up to a bound: the oldest are forgotten first.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};
use vocabulary::MessageId;

/// How many ids a room remembers. The store refuses older repeats by their key.
const SEEN_IDS_MAX: usize = 2_000;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "VecDeque<MessageId>", into = "VecDeque<MessageId>")]
pub(crate) struct SeenIds {
    order: VecDeque<MessageId>,
    known: BTreeSet<MessageId>,
}

impl SeenIds {
    /// Whether this is the first time.
    pub fn insert(&mut self, id: &MessageId) -> bool {
        if !self.known.insert(id.clone()) {
            return false;
        }
        self.order.push_back(id.clone());
        if self.order.len() > SEEN_IDS_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}

impl From<VecDeque<MessageId>> for SeenIds {
    fn from(order: VecDeque<MessageId>) -> Self {
        let known = order.iter().cloned().collect();
        Self { order, known }
    }
}

impl From<SeenIds> for VecDeque<MessageId> {
    fn from(seen: SeenIds) -> Self {
        seen.order
    }
}
