//! Rooms people sit in: where a delivery is put.

use async_trait::async_trait;
use mind::Delivery;
use thiserror::Error;
use vocabulary::{Message, PersonId, RoomId};

/// Why a message could not be put into a room.
#[derive(Clone, Debug, Error)]
#[error("{detail}")]
pub struct SendFailure {
    pub detail: String,
    pub retryable: bool,
}

/// A platform with text channels.
#[async_trait]
pub trait Rooms: Send + Sync {
    /// Puts a delivery into its room; called again with the same delivery id it must not send twice.
    async fn deliver(&self, delivery: &Delivery) -> Result<Message, SendFailure>;

    /// Whether somebody is in a room, where the platform can tell; a screen is only watched while its sharer is.
    fn is_present(&self, room: &RoomId, person: &PersonId) -> bool {
        let _ = (room, person);
        true
    }
}
