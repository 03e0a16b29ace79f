//! The envelope of a journal line.

use serde::{Deserialize, Serialize};
use vocabulary::{CommunityId, JournalSeq, MessageId, Moment, RoomId, TurnId, WallTime};

use super::JournalEvent;

/// One line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JournalEntry {
    pub seq: JournalSeq,
    pub moment: Moment,
    pub wall: WallTime,
    pub community: CommunityId,
    #[serde(flatten)]
    pub scope: Scope,
    /// `name` and `data`.
    #[serde(flatten)]
    pub event: JournalEvent,
}

/// What a line is about, and which line led to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<RoomId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<JournalSeq>,
    /// The messages it concerns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<MessageId>,
}

impl Scope {
    /// A line about a room.
    pub fn room(room: &RoomId) -> Self {
        Self {
            room: Some(room.clone()),
            ..Self::default()
        }
    }

    /// … within a turn.
    pub fn turn(mut self, turn: TurnId) -> Self {
        self.turn = Some(turn);
        self
    }

    /// … because of another line.
    pub fn because(mut self, cause: Option<JournalSeq>) -> Self {
        self.cause = cause;
        self
    }

    /// … about a message.
    pub fn about(mut self, message: &MessageId) -> Self {
        self.messages.push(message.clone());
        self
    }

    /// … about several messages.
    pub fn about_all<'a>(mut self, messages: impl IntoIterator<Item = &'a MessageId>) -> Self {
        self.messages.extend(messages.into_iter().cloned());
        self
    }
}
