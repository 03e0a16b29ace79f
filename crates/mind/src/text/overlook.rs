//! What the rest of the mind may see of a room.

use vocabulary::{Glimpse, Message, MessageId};

use super::room::TextRoom;

impl TextRoom {
    /// What people call it; its id where the platform has not said.
    pub fn name(&self) -> &str {
        let told = self.facts.as_ref().map(|facts| facts.name.trim());
        told.filter(|name| !name.is_empty()).unwrap_or(self.id.as_str())
    }

    /// The newest messages, oldest first.
    pub fn newest(&self, count: usize) -> impl Iterator<Item = &Message> {
        self.compaction.log.newest(count)
    }

    /// Whether a message is (still) there.
    pub fn has(&self, id: &MessageId) -> bool {
        self.compaction.log.find(id).is_some()
    }

    /// The screen that is shared here, and whose it is.
    pub fn screen_in_view(&self) -> Option<(Glimpse, &str)> {
        self.watch.in_view()
    }
}
