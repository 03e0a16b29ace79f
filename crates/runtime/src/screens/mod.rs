//! Shared screens: links and their tokens, who shares where, the door for frames, and the shelf for their pictures.
//!
//! Nothing here is kept on disk: a link dies with the process, a picture when newer ones need its place.

use bytes::Bytes;
use mind::watch::intake::RefusedFrame;
use thiserror::Error;
use vocabulary::{FrameId, Glimpse, PersonId, PictureKind, RoomId, ShareEnd, ShareId, ShareSource, WallTime};

use crate::NotAccepted;
use crate::ports::Seen;

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
#[serde(rename_all = "camelCase")]
pub struct Sample {
    pub at: WallTime,
    #[serde(flatten)]
    pub glimpse: Glimpse,
}

/// The shared screens of a community. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Screens {}

/// The right to bring frames of one share in, proved by its token. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ShareTicket {}

impl Screens {
    /// Gives a link out.
    pub fn invite(&self, new: NewShare) -> Result<ShareLink, ShareRefusal> {
        let _ = new;
        Err(ShareRefusal::Disabled)
    }

    /// Proves the right to a share. A share page knows nothing but the token.
    pub fn ticket(&self, share: Option<&ShareId>, token: &str) -> Result<ShareTicket, ShareRefusal> {
        let _ = (share, token);
        Err(ShareRefusal::NotFound)
    }

    /// Ends somebody's share.
    pub async fn end(&self, share: &ShareId, reason: ShareEnd) -> Result<(), ShareRefusal> {
        let _ = (share, reason);
        Err(ShareRefusal::NotFound)
    }

    /// Has one share of a room watched, or none.
    pub async fn choose(&self, room: &RoomId, share: Option<ShareId>) -> Result<(), ShareRefusal> {
        let _ = (room, share);
        Err(ShareRefusal::NotFound)
    }

    /// The newest picture of the share that is watched in a room.
    pub fn newest(&self, room: &RoomId) -> Option<ShelvedPicture> {
        let _ = room;
        None
    }

    /// A picture, while it is on the shelf.
    pub fn picture(&self, frame: FrameId) -> Option<ShelvedPicture> {
        let _ = frame;
        None
    }

    /// The plot of a room's watch: the samples of the last ten minutes, or those after a frame.
    pub fn samples(&self, room: &RoomId, after: Option<FrameId>) -> Vec<Sample> {
        let _ = (room, after);
        Vec::new()
    }

    /// The mind wants the frames of this share, and of no other in the room.
    pub(crate) fn watch(&self, room: &RoomId, share: &ShareId) {
        let _ = (room, share);
    }

    /// The mind wants no frames here.
    pub(crate) fn unwatch(&self, room: &RoomId) {
        let _ = room;
    }
}

impl ShareTicket {
    pub fn share(&self) -> ShareId {
        ShareId::new("")
    }

    pub fn room(&self) -> RoomId {
        RoomId::new("")
    }

    /// Whose screen it is.
    pub fn name(&self) -> String {
        String::new()
    }

    /// Whether the mind watches it now.
    pub fn is_watched(&self) -> bool {
        false
    }

    /// The share begins; once this returns, the mind has decided whether it watches. Called again it does nothing.
    pub async fn begin(&self) -> Result<(), ShareRefusal> {
        Err(ShareRefusal::NotFound)
    }

    /// Brings a picture in: it is checked, decoded, scored, shelved and told to the mind. Begins the share if need be.
    pub async fn picture(&self, mime: &str, bytes: Bytes) -> Result<TakenFrame, RefusedFrame> {
        let _ = (mime, bytes);
        Err(mind::watch::intake::unknown_share())
    }

    /// Brings a frame in that a stream has decoded and scored itself.
    pub async fn decoded(
        &self,
        kind: PictureKind,
        bytes: Bytes,
        seen: Seen,
    ) -> Result<TakenFrame, RefusedFrame> {
        let _ = (kind, bytes, seen);
        Err(mind::watch::intake::unknown_share())
    }

    /// It is still there, although nothing changes.
    pub fn touch(&self) {}

    /// The share is over; its token is worth nothing any more.
    pub async fn end(&self, reason: ShareEnd) {
        let _ = reason;
    }

    /// Resolves once the share is over, whoever ended it.
    pub async fn ended(&self) {}
}

impl std::fmt::Debug for ShareLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShareLink")
            .field("share", &self.share)
            .finish_non_exhaustive()
    }
}
