//! Messages that another edit does not make call Denizen once more.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::MessageId;

/// Older ones are not edited any more, or long out of sight.
const SETTLED_MAX: usize = 64;

/// Messages that were answered, or called Denizen by an edit before: another edit does not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Settled(VecDeque<MessageId>);

impl Settled {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn add<'a>(&mut self, ids: impl IntoIterator<Item = &'a MessageId>) {
        for id in ids {
            self.0.retain(|known| known != id);
            self.0.push_back(id.clone());
        }
        let over = self.0.len().saturating_sub(SETTLED_MAX);
        self.0.drain(..over);
    }

    pub fn holds(&self, id: &MessageId) -> bool {
        self.0.contains(id)
    }
}
