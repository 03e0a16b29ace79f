//! Memory beyond a session: what is offered to it, and whoever keeps it.

use async_trait::async_trait;
use vocabulary::{CommunityId, RoomId, WallTime};

/// A text worth keeping: the summary of a session that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offering {
    pub community: CommunityId,
    pub room: RoomId,
    pub text: String,
    pub at: WallTime,
}

/// Whoever remembers across sessions.
#[async_trait]
pub trait Memory: Send + Sync {
    /// Takes an offering; whether and how it is kept is memory's own affair.
    async fn offer(&self, offering: Offering);
}

/// No memory: offerings are let go, and the log says so.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMemory;

#[async_trait]
impl Memory for NoMemory {
    async fn offer(&self, offering: Offering) {
        let characters = offering.text.chars().count();
        tracing::info!(room = %offering.room, characters, "a session's summary was offered, and there is no memory to keep it");
    }
}
