//! Rooms people sit in: where a delivery is put, and where it is shown that one is being written.

use async_trait::async_trait;
use mind::Delivery;
use thiserror::Error;
use vocabulary::{Message, MessageId, PersonId, RoomFacts, RoomId, TurnId};

use crate::live::LiveFeed;

/// Why a message could not be put into a room.
#[derive(Clone, Debug, Error)]
#[error("{detail}")]
pub struct SendFailure {
    pub detail: String,
    pub retryable: bool,
}

/// A platform with text channels. What is only shown (typing, drafts) returns at once and may fail silently: nothing
/// depends on it, and a reflex must not wait for a network.
#[async_trait]
pub trait Rooms: Send + Sync {
    /// The community comes up; its pages listen here. For rooms that are shown there.
    fn attach(&self, live: LiveFeed) {
        let _ = live;
    }

    /// The rooms about which there is more to say than their id: what they are called, and who may read them.
    async fn describe(&self) -> Vec<RoomFacts> {
        Vec::new()
    }

    /// Puts a delivery into its room; called again with the same delivery id it must not send twice.
    async fn deliver(&self, delivery: &Delivery) -> Result<Message, SendFailure>;

    /// Puts an emoji of Denizen's under a message; called again with the same it must change nothing.
    async fn react(&self, room: &RoomId, message: &MessageId, emoji: &str) -> Result<(), SendFailure> {
        let _ = (room, message, emoji);
        Err(SendFailure {
            detail: "there are no reactions in this room".to_owned(),
            retryable: false,
        })
    }

    /// Shows or hides that Denizen is writing, where the platform can.
    fn show_typing(&self, room: &RoomId, typing: bool) {
        let _ = (room, typing);
    }

    /// Shows what Denizen has written so far in a turn, where the platform can; the delivery follows, or the draft is dropped.
    fn show_draft(&self, room: &RoomId, turn: TurnId, text: &str) {
        let _ = (room, turn, text);
    }

    /// Takes a shown draft back: nothing will be delivered for it.
    fn drop_draft(&self, room: &RoomId, turn: TurnId) {
        let _ = (room, turn);
    }

    /// Somebody is forgotten for good: whatever the platform keeps of them by name goes. Safe to repeat.
    async fn forget(&self, person: &PersonId) {
        let _ = person;
    }

    /// Whether somebody is in a room, where the platform can tell; a screen is only watched while its sharer is.
    fn is_present(&self, room: &RoomId, person: &PersonId) -> bool {
        let _ = (room, person);
        true
    }
}
