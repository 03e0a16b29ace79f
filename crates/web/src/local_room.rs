//! The local room's output side: a delivery becomes a message of Denizen's.

use std::sync::OnceLock;

use async_trait::async_trait;
use mind::Delivery;
use runtime::DenizenName;
use runtime::live::{LiveEvent, LiveFeed};
use runtime::ports::{Rooms, SendFailure};
use vocabulary::{Message, PersonId, RoomFacts, RoomId, TurnId};

use runtime::wall;

/// Rooms that live in this process: their messages are in the store, and pages show them.
pub struct LocalRoom {
    denizen: PersonId,
    rooms: Vec<RoomId>,
    name: DenizenName,
    /// The pages; known once the community is up.
    live: OnceLock<LiveFeed>,
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
        Self {
            denizen,
            rooms,
            name,
            live: OnceLock::new(),
        }
    }
}

impl LocalRoom {
    fn show(&self, event: LiveEvent) {
        if let Some(live) = self.live.get() {
            live.publish(event);
        }
    }
}

#[async_trait]
impl Rooms for LocalRoom {
    fn attach(&self, live: LiveFeed) {
        // A room belongs to one community, which comes up once.
        let _ = self.live.set(live);
    }

    fn show_typing(&self, room: &RoomId, typing: bool) {
        self.show(LiveEvent::Typing {
            room: room.clone(),
            person: self.denizen.clone(),
            name: (self.name)(),
            typing,
        });
    }

    fn show_draft(&self, room: &RoomId, turn: TurnId, text: &str) {
        self.show(LiveEvent::Draft {
            room: room.clone(),
            turn,
            text: text.to_owned(),
        });
    }

    fn drop_draft(&self, room: &RoomId, turn: TurnId) {
        self.show(LiveEvent::DraftDropped {
            room: room.clone(),
            turn,
        });
    }

    async fn describe(&self) -> Vec<RoomFacts> {
        let rooms = self.rooms.iter();
        rooms.map(|room| RoomFacts::undescribed(room.clone())).collect()
    }

    /// Whoever is in this process's rooms stays there, but nobody is in a room that it does not have.
    fn is_present(&self, room: &RoomId, _: &PersonId) -> bool {
        self.rooms.contains(room)
    }

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
