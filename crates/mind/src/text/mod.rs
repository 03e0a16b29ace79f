//! Text channels: what is heard is judged and queued, one turn at a time is answered, and the answer is sent.

mod answering;
mod arrival;
mod burst;
mod command;
mod delivery;
pub mod dispatch;
mod gate;
mod generation;
mod history;
mod overlook;
mod pace;
mod room;
mod session;
mod tools;
mod turn;
mod typing;
mod watching;

use serde::{Deserialize, Serialize};

pub(crate) use room::TextRoom;
pub use session::SessionView;

#[cfg(test)]
mod dispatch_tests;

/// Why a message could not lead to a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// This id was seen before.
    Duplicate,
    /// Denizen's own words, come back.
    OwnMessage,
    /// Another program wrote it.
    OtherBot,
}

/// Why a turn waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DelayReason {
    /// Too soon after the last message.
    Spacing,
    /// A failed attempt is made again later.
    Retry,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnOutcome {
    Sent,
    Skipped,
    Failed,
    /// Its burst went on, or was edited: a new turn answers it whole.
    Superseded,
}
