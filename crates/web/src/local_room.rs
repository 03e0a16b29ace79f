//! The local room's output side: a delivery becomes a message of Denizen's.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use async_trait::async_trait;
use mind::Delivery;
use runtime::DenizenName;
use runtime::live::{LiveEvent, LiveFeed};
use runtime::ports::{Rooms, SendFailure};
use vocabulary::{Message, MessageId, PersonId, RoomFacts, RoomId, TurnId};

use crate::access::Access;
use runtime::wall;

/// Rooms that live in this process: their messages are in the store, and pages show them.
pub struct LocalRoom {
    denizen: PersonId,
    rooms: Vec<RoomId>,
    name: DenizenName,
    /// The pages; known once the community is up.
    live: OnceLock<LiveFeed>,
    names: Names,
}

/// Who keeps the names that people go by in rooms; known once somebody may come in. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Names(Arc<Mutex<NameKeeper>>);

#[derive(Debug, Default)]
struct NameKeeper {
    access: Option<Access>,
    /// Who was forgotten before.
    forgotten: Vec<PersonId>,
}

impl Names {
    /// From now on these are the names.
    pub fn are_kept_by(&self, access: Access) {
        let forgotten = {
            let mut keeper = self.lock();
            keeper.access = Some(access);
            std::mem::take(&mut keeper.forgotten)
        };
        forgotten.iter().for_each(|person| self.forget(person));
    }

    /// Somebody is forgotten: their name too.
    fn forget(&self, person: &PersonId) {
        let mut keeper = self.lock();
        let Some(access) = &keeper.access else {
            keeper.forgotten.push(person.clone());
            return;
        };
        if let Err(problem) = access.forget_person(person) {
            tracing::error!(%problem, "the name of somebody who is forgotten is still in access.json; release it with `denizen access` when there is room on the disk");
        }
    }

    fn lock(&self) -> MutexGuard<'_, NameKeeper> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
            names: Names::default(),
        }
    }

    /// … whose people's names are kept there.
    #[must_use]
    pub fn with_names(mut self, names: Names) -> Self {
        self.names = names;
        self
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

    async fn forget(&self, person: &PersonId) {
        self.names.forget(person);
    }

    /// What is told of it afterwards is what stores and shows it.
    async fn react(&self, _: &RoomId, _: &MessageId, emoji: &str) -> Result<(), SendFailure> {
        match emoji.starts_with(':') {
            true => Err(SendFailure {
                detail: format!("there is no emoji {emoji} in this room"),
                retryable: false,
            }),
            false => Ok(()),
        }
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
