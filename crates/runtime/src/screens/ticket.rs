//! The right to bring frames of one share in.

use std::sync::Arc;

use bytes::Bytes;
use mind::watch::intake::RefusedFrame;
use tokio::sync::watch;
use vocabulary::{PersonId, PictureKind, RoomId, ShareEnd, ShareId, ShareSource};

use super::intake::{Brought, FrameIntake, not_read};
use super::open_share::{OpenShare, Phase};
use super::{Screens, ShareRefusal, TakenFrame};
use crate::ports::Seen;

/// The right to bring frames of one share in, proved by its token. Cheap to clone.
#[derive(Clone)]
pub struct ShareTicket {
    screens: Screens,
    open: Arc<OpenShare>,
    intake: FrameIntake,
}

impl ShareTicket {
    pub(super) fn new(screens: Screens, open: Arc<OpenShare>) -> Self {
        Self {
            intake: FrameIntake::new(screens.clone(), open.clone()),
            screens,
            open,
        }
    }

    pub fn share(&self) -> ShareId {
        self.open.share.share.clone()
    }

    pub fn room(&self) -> RoomId {
        self.open.share.room.clone()
    }

    pub fn person(&self) -> PersonId {
        self.open.share.person.clone()
    }

    /// Whose screen it is.
    pub fn name(&self) -> String {
        self.open.share.name.clone()
    }

    /// By which way it comes in.
    pub fn source(&self) -> ShareSource {
        self.open.share.source
    }

    /// Whether the mind watches it now.
    pub fn is_watched(&self) -> bool {
        *self.open.watched.borrow()
    }

    /// Whether the mind watches it, now and from now on.
    pub fn watching(&self) -> watch::Receiver<bool> {
        self.open.watched.subscribe()
    }

    /// The share begins; once this returns, the mind has decided whether it watches. Called again it does nothing.
    pub async fn begin(&self) -> Result<(), ShareRefusal> {
        self.open.touch();
        self.screens.begin_share(&self.open).await
    }

    /// Brings a picture in: it is checked, decoded, scored, shelved and told to the mind. Begins the share if need be.
    pub async fn picture(&self, mime: &str, bytes: Bytes) -> Result<TakenFrame, RefusedFrame> {
        self.picture_after(None, mime, bytes).await
    }

    /// The same, with the greatest change since the picture before that its sender has seen, 0 to 1.
    pub async fn picture_after(
        &self,
        peak: Option<f64>,
        mime: &str,
        bytes: Bytes,
    ) -> Result<TakenFrame, RefusedFrame> {
        let mime = mime.to_owned();
        self.intake.take_in(Brought::Picture { mime, bytes, peak }).await
    }

    /// Says that a picture was not even read, because it has so many bytes or more; it is refused as if it had been.
    pub async fn unread(&self, mime: &str, bytes: usize) -> RefusedFrame {
        let mime = mime.to_owned();
        let refused = self.intake.take_in(Brought::Unread { mime, bytes }).await;
        refused.err().unwrap_or_else(not_read)
    }

    /// Brings a frame in that a stream has decoded and scored itself.
    pub async fn decoded(
        &self,
        kind: PictureKind,
        bytes: Bytes,
        seen: Seen,
    ) -> Result<TakenFrame, RefusedFrame> {
        self.intake.take_in(Brought::Decoded { kind, bytes, seen }).await
    }

    /// It is still there, although nothing changes.
    pub fn touch(&self) {
        self.open.touch();
    }

    /// The share is over; its token is worth nothing any more.
    pub async fn end(&self, reason: ShareEnd) {
        self.screens.end_share(&self.open, reason).await;
    }

    /// Resolves once the share is over, whoever ended it.
    pub async fn ended(&self) {
        self.open.over.cancelled().await;
    }

    /// Why it is over; none while it is not.
    pub fn end_reason(&self) -> Option<ShareEnd> {
        match self.open.phase() {
            Phase::Ended(reason) => Some(reason),
            Phase::Invited | Phase::Beginning | Phase::Begun => None,
        }
    }
}

impl std::fmt::Debug for ShareTicket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShareTicket")
            .field("share", &self.open.share.share)
            .finish_non_exhaustive()
    }
}
