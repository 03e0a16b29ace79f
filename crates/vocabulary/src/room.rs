//! What a platform says of a room.

use serde::{Deserialize, Serialize};

use crate::{RoomId, Span};

/// A room as its platform describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoomFacts {
    pub id: RoomId,
    /// The name people know it by; models read and write this, never the id.
    pub name: String,
    pub kind: RoomKind,
    /// Not everybody in the community may read it.
    #[serde(default)]
    pub private: bool,
    /// Denizen can read here and not write.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// Denizen may put no reaction under a message here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_reactions: bool,
    /// The category or channel it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<RoomId>,
    /// The text room of a voice room, or the voice room of a text room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked: Option<RoomId>,
}

/// For how long nothing is to be said in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuietWish {
    For(Span),
    /// Until somebody ends it.
    ForGood,
    /// It is over.
    Over,
}

/// What kind of room it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RoomKind {
    #[default]
    Text,
    Voice,
    /// A conversation with one person, or a closed group of them.
    Direct,
}

impl RoomFacts {
    /// A room that its platform has not described yet: a public text room that is called by its id.
    pub fn undescribed(id: RoomId) -> Self {
        Self {
            name: id.as_str().to_owned(),
            id,
            kind: RoomKind::Text,
            private: false,
            read_only: false,
            no_reactions: false,
            parent: None,
            linked: None,
        }
    }

    /// Whether what is said here may be told elsewhere only to those who were there.
    pub fn is_private(&self) -> bool {
        self.private || self.kind == RoomKind::Direct
    }
}
