//! What a thought may see of the rooms: plain facts. The rooms themselves are not known here.

use settings::Settings;
use vocabulary::{Glimpse, Message, MessageId, Moment, RoomId};

use crate::attention::{Attention, Exchange};
use crate::log::Log;

/// A room, as far as a thought may see it.
#[derive(Clone, Debug)]
pub(crate) struct RoomSeen<'a> {
    /// What people call it.
    pub name: &'a str,
    /// What was said there.
    pub log: &'a Log,
    /// The screen that is shared there, and whose it is.
    pub screen: Option<(Glimpse, &'a str)>,
}

impl<'a> RoomSeen<'a> {
    /// The newest messages, oldest first.
    pub fn newest(&self, count: usize) -> Vec<&'a Message> {
        self.log.newest(count).collect()
    }

    /// Whether a message is (still) there.
    pub fn has(&self, id: &MessageId) -> bool {
        self.log.find(id).is_some()
    }
}

/// Whoever holds the rooms.
pub(crate) trait RoomLookup {
    fn seen(&self, room: &RoomId) -> Option<RoomSeen<'_>>;
}

/// The rooms of the community, and where somebody talks with Denizen.
#[derive(Clone, Copy)]
pub(crate) struct RoomsInView<'a> {
    rooms: &'a dyn RoomLookup,
    attention: &'a Attention,
}

impl<'a> RoomsInView<'a> {
    pub fn new(rooms: &'a dyn RoomLookup, attention: &'a Attention) -> Self {
        Self { rooms, attention }
    }

    pub fn room(&self, room: &RoomId) -> Option<RoomSeen<'a>> {
        self.rooms.seen(room)
    }

    /// The exchange that goes on now.
    pub fn exchange(&self, now: Moment, settings: &Settings) -> Option<Exchange<'a>> {
        self.attention.active(now, &settings.attention)
    }

    /// The screen that is shared in one of these rooms.
    pub fn screen(&self, pool: &[RoomId]) -> Option<(Glimpse, &'a str)> {
        pool.iter().find_map(|room| self.room(room)?.screen)
    }
}
