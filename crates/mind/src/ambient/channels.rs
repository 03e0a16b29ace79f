//! What a channel looks like to somebody who thinks of saying something there.

use vocabulary::{Message, MessageId, RoomId, WallTime};

/// A channel of the pool, as the prompt tells of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChannelSummary {
    pub room: String,
    /// One line a message, oldest first: a handle such as `m3`, how long ago, who, `[vc]` where it was spoken, the words.
    pub lines: Vec<String>,
    /// The handles of `lines`, for a post that answers one of them.
    pub handles: Vec<(String, MessageId)>,
    /// Messages by people in the last hour, and how many people wrote them.
    pub messages_last_hour: usize,
    pub people_last_hour: usize,
    /// Since a person last wrote here, and since Denizen did, in words; empty: never.
    pub last_human: String,
    pub last_own: String,
}

/// Tells of a channel by its newest messages, oldest first. `first_handle` is the number of its first handle, so that
/// handles differ between channels.
pub fn summarise(room: &RoomId, newest: &[&Message], now: WallTime, first_handle: usize) -> ChannelSummary {
    let _ = (newest, now, first_handle);
    ChannelSummary {
        room: room.as_str().to_owned(),
        ..ChannelSummary::default()
    }
}
