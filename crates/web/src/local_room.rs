//! The local room's output side: a delivery becomes a message of Denizen's.

use async_trait::async_trait;
use mind::Delivery;
use runtime::DenizenName;
use runtime::ports::{Rooms, SendFailure};
use vocabulary::{Message, PersonId, RoomId};

use runtime::wall;

/// Rooms that live in this process: their messages are in the store, and pages show them.
pub struct LocalRoom {
    denizen: PersonId,
    rooms: Vec<RoomId>,
    name: DenizenName,
}

impl std::fmt::Debug for LocalRoom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalRoom")
            .field("rooms", &self.rooms)
            .finish_non_exhaustive()
    }
}

impl LocalRoom {
    /// `name` tells the name Denizen goes by at the moment.
    pub fn new(denizen: PersonId, rooms: Vec<RoomId>, name: DenizenName) -> Self {
        Self { denizen, rooms, name }
    }
}

#[async_trait]
impl Rooms for LocalRoom {
    async fn deliver(&self, delivery: &Delivery) -> Result<Message, SendFailure> {
        if !self.rooms.contains(&delivery.room) {
            return Err(SendFailure {
                detail: format!(
                    "there is no local room {}; start Denizen with that room again",
                    delivery.room
                ),
                retryable: false,
            });
        }
        // A repeated delivery is the same message, and messages are stored once.
        Ok(delivery.as_message(self.denizen.clone(), &(self.name)(), wall()))
    }
}
