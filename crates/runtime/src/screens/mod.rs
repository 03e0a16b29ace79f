//! Shared screens: links and their tokens, who shares where, the door for frames, and the shelf for their pictures.
//!
//! Nothing here is kept on disk: a link dies with the process, a picture when newer ones need its place.

mod community_link;
mod intake;
mod lifecycle;
mod open_share;
mod refusals;
mod registry;
mod samples;
mod shelf;
mod sweep;
mod ticket;
mod token;

use bytes::Bytes;
use thiserror::Error;
use vocabulary::{FrameId, Glimpse, PersonId, PictureKind, RoomId, ShareId, ShareSource, WallTime};

use crate::NotAccepted;

pub(crate) use community_link::CommunityLink;
pub use registry::Screens;
pub use ticket::ShareTicket;

/// Somebody wants to share a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewShare {
    pub room: RoomId,
    pub person: PersonId,
    pub name: String,
    pub source: ShareSource,
}

/// A link that was given out: whoever knows the token may share.
#[derive(Clone)]
pub struct ShareLink {
    pub share: ShareId,
    /// 18 random bytes in URL-safe base64. Never logged, never journaled, never shown twice.
    pub token: String,
    /// When the link can no longer be opened; a share that is under way goes on.
    pub expires_at: WallTime,
}

/// Why no link was given out, or a share did not begin.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ShareRefusal {
    #[error("watching screens is switched off: voice.streamWatch.enabled is false")]
    Disabled,
    #[error("240 links are open already; close a share, or wait until some have expired")]
    TooManyLinks,
    /// No such link, a wrong token, or an expired one: nobody is told which.
    #[error("there is no such share, or its link has expired; ask the room for a new link")]
    NotFound,
    #[error(transparent)]
    NotAccepted(#[from] NotAccepted),
}

/// A frame that was taken in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TakenFrame {
    pub glimpse: Glimpse,
    pub at: WallTime,
}

/// A picture on the shelf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelvedPicture {
    pub frame: FrameId,
    pub kind: PictureKind,
    pub bytes: Bytes,
    pub at: WallTime,
}

/// One point of the plot.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    pub at: WallTime,
    #[serde(flatten)]
    pub glimpse: Glimpse,
}

impl std::fmt::Debug for ShareLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShareLink")
            .field("share", &self.share)
            .finish_non_exhaustive()
    }
}
