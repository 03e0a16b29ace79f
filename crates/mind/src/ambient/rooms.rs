//! What a thought may see of the rooms: plain facts. The rooms themselves are not known here.

use settings::Settings;
use vocabulary::{Glimpse, Message, MessageId, Moment, Now, PersonId, RoomId};

use super::view::AloudView;
use crate::attention::{Attention, Exchange};
use crate::log::Log;
use crate::watch::commentary::{FloorState, ShutGate};

/// A room, as far as a thought may see it.
#[derive(Clone, Debug)]
pub(crate) struct RoomSeen<'a> {
    /// What people call it.
    pub name: &'a str,
    /// What was said there.
    pub log: &'a Log,
    /// What was said before that is not there word for word any more.
    pub summary: &'a str,
    /// What a message of its own has to mind there.
    pub floor: FloorState,
    /// What is said there is known nowhere else.
    pub private: bool,
    /// The screen that is shared there, and whose it is.
    pub screen: Option<(Glimpse, &'a str)>,
}

impl<'a> RoomSeen<'a> {
    /// The newest messages, oldest first; whom it does not listen to has said nothing.
    pub fn newest(&self, count: usize, settings: &Settings) -> Vec<&'a Message> {
        let everything: Vec<&'a Message> = self.log.newest(usize::MAX).collect();
        let heard = everything.into_iter().rev();
        let heard = heard.filter(|message| listens_to(&message.author.id, settings));
        let mut newest: Vec<&'a Message> = heard.take(count).collect();
        newest.reverse();
        newest
    }

    /// Whether a message is (still) there.
    pub fn has(&self, id: &MessageId) -> bool {
        self.log.find(id).is_some()
    }
}

/// Whoever holds the rooms.
pub(crate) trait RoomLookup {
    fn seen(&self, room: &RoomId, now: Now, settings: &Settings) -> Option<RoomSeen<'_>>;

    /// What is held in the voice of rooms.
    fn held_aloud(&self) -> Vec<AloudView>;
}

/// Whether what somebody says counts for thoughts at all.
pub(super) fn listens_to(person: &PersonId, settings: &Settings) -> bool {
    let blocked = &settings.replies.blocked_user_ids;
    !blocked.iter().any(|id| id == person.as_str())
}

/// Whether somebody may be answered.
pub(super) fn may_answer(person: &PersonId, settings: &Settings) -> bool {
    let allowed = &settings.replies.allowed_user_ids;
    listens_to(person, settings) && (allowed.is_empty() || allowed.iter().any(|id| id == person.as_str()))
}

/// The rooms of the community, and where somebody talks with Denizen.
#[derive(Clone, Copy)]
pub(crate) struct RoomsInView<'a> {
    rooms: &'a dyn RoomLookup,
    attention: &'a Attention,
    now: Now,
    settings: &'a Settings,
}

impl<'a> RoomsInView<'a> {
    pub fn new(
        rooms: &'a dyn RoomLookup,
        attention: &'a Attention,
        now: Now,
        settings: &'a Settings,
    ) -> Self {
        Self {
            rooms,
            attention,
            now,
            settings,
        }
    }

    /// A room that exists, as far as anybody has said.
    pub fn room(&self, room: &RoomId) -> Option<RoomSeen<'a>> {
        self.rooms.seen(room, self.now, self.settings)
    }

    /// What is held in the voice of rooms.
    pub fn held_aloud(&self) -> Vec<AloudView> {
        self.rooms.held_aloud()
    }

    /// What is in the way of a message of its own there, the first of it.
    pub fn in_the_way(&self, room: &RoomId) -> Option<ShutGate> {
        let floor = self.room(room)?.floor;
        floor.shut(self.now.moment).into_iter().next()
    }

    /// Whether something is in the way in all of them.
    pub fn are_all_in_use(&self, pool: &[RoomId]) -> bool {
        pool.iter().all(|room| self.in_the_way(room).is_some())
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
