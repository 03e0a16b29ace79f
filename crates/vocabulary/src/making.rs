//! Pictures, clips and GIFs that Denizen wants made or found for a post or a reply.

use serde::{Deserialize, Serialize};

use crate::{Attachment, MediaId, Span, named};

named! {
    pub enum MediaKind {
        Image = "image",
        Video = "video",
        Gif = "gif",
    }
}

impl MediaKind {
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
