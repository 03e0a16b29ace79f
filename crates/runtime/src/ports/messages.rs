//! Messages as they are stored, and which of them are asked for.

use serde::Serialize;
use vocabulary::{AskId, Message, PersonId, RoomId, TurnId, WallTime};

/// A message as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StoredMessage {
    /// Its place among all messages; grows.
    pub seq: u64,
    #[serde(flatten)]
    pub message: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited_at: Option<WallTime>,
    /// The turn and ask a message of Denizen's came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<AskId>,
    /// What people put under it, in the order in which each was first used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reactions: Vec<Reaction>,
}

/// A reaction under a message, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct Reaction {
    pub emoji: String,
    /// Everybody once, in the order in which they reacted.
    pub people: Vec<PersonId>,
}

/// Which messages of a room: the newest, or those before or after a place. Deleted ones are left out.
#[derive(Clone, Debug)]
pub struct MessageQuery {
    pub room: RoomId,
    pub before: Option<u64>,
    pub after: Option<u64>,
    pub limit: usize,
}

/// Messages in order, oldest first.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MessagePage {
    pub messages: Vec<StoredMessage>,
    /// Whether there is more in the direction that was asked for.
    pub has_more: bool,
}
