//! Pictures, clips and GIFs that Denizen wants made or found for a post.

use serde::{Deserialize, Serialize};

use crate::{Attachment, MediaId, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MediaKind {
    Image,
    Video,
    Gif,
}

impl MediaKind {
    pub const ALL: [MediaKind; 3] = [MediaKind::Image, MediaKind::Video, MediaKind::Gif];

    pub fn name(self) -> &'static str {
        match self {
            MediaKind::Image => "image",
            MediaKind::Video => "video",
            MediaKind::Gif => "gif",
        }
    }

    /// What people call it.
    pub fn noun(self) -> &'static str {
        match self {
            MediaKind::Image => "picture",
            MediaKind::Video => "clip",
            MediaKind::Gif => "GIF",
        }
    }
}

/// What a model wants to go with its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct MediaWish {
    pub kind: MediaKind,
    /// What is to be seen; for a GIF, what to look for.
    pub prompt: String,
}

/// A wish on its way to whoever makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MediaOrder {
    pub media: MediaId,
    pub wish: MediaWish,
    /// The model to make it with; empty for a GIF, which is found and not made.
    pub model: String,
    pub deadline: Span,
}

/// What came of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaOutcome {
    /// It is kept, and can go with a message.
    Made {
        attachment: Attachment,
        provider: String,
        /// Millionths of a dollar; none where the price is not known.
        cost_micro_dollars: Option<u64>,
    },
    /// For a person: what went wrong and what to do about it.
    Failed { detail: String, refused: bool },
}
