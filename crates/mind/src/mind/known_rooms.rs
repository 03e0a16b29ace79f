//! What memory asks of rooms.

use vocabulary::{DeliveryId, PersonId, RoomId};

use super::Mind;
use crate::memory::KnownRooms;
use crate::parcel::Errand;
use crate::room::Room;

impl KnownRooms for Mind {
    fn posts_by_itself(&self, delivery: &DeliveryId) -> bool {
        let room = self.deliveries.room_of(delivery);
        let errand = room.and_then(|room| self.rooms.get(room)?.errand_of(delivery));
        errand == Some(Errand::Thought)
    }

    fn sessions_ended(&self, room: &RoomId) -> u64 {
        self.rooms.known(room).map_or(0, Room::sessions_ended)
    }

    fn is_private(&self, room: &RoomId) -> bool {
        self.rooms.known(room).is_some_and(Room::is_private)
    }

    fn is_listened_to(&self, room: &RoomId, person: &PersonId) -> bool {
        let room = self.rooms.known(room);
        self.unlistened.is_listened_to(person) && room.is_none_or(|room| room.view().is_listened_to(person))
    }
}
