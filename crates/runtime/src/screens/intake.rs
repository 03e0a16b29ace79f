//! A frame on its way in: the door, the eye, the shelf, the mind; and those who look at the page.

use std::sync::Arc;

use bytes::Bytes;
use mind::watch::intake::{AtDoor, FrameRate, RefusedFrame, admit, unknown_share};
use mind::{Input, RoomEvent};
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;
use vocabulary::{ChangeScore, FrameRefusal, Glimpse, PictureKind, ShareEnd, ShareId};

use super::lifecycle::to_its_end;
use super::open_share::{FrameViewer, OpenShare, Phase};
use super::registry::Registry;
use super::{Sample, Screens, ShareRefusal, ShelvedPicture, TakenFrame};
use crate::NotAccepted;
use crate::clock::wall;
use crate::live::LiveEvent;
use crate::ports::{Seen, Undecodable};

/// What somebody brings.
pub(super) enum Brought {
    /// A picture that nobody has looked at.
    Picture {
        mime: String,
        bytes: Bytes,
        /// The greatest change between the picture before and this one that its sender has seen; none: not said.
        peak: Option<f64>,
    },
    /// A picture of so many bytes or more, which are too many to be read.
    Unread { mime: String, bytes: usize },
    /// A frame that a stream has decoded and scored itself.
    Decoded {
        kind: PictureKind,
        bytes: Bytes,
        seen: Seen,
    },
}

/// The way in for the frames of one share.
#[derive(Clone)]
pub(super) struct FrameIntake {
    screens: Screens,
    open: Arc<OpenShare>,
}

impl FrameIntake {
    pub fn new(screens: Screens, open: Arc<OpenShare>) -> Self {
        Self { screens, open }
    }

    /// Takes a frame in, to the end even if whoever brought it goes away.
    pub async fn take_in(&self, brought: Brought) -> Result<TakenFrame, RefusedFrame> {
        let intake = self.clone();
        to_its_end(async move {
            let taken = intake.try_take_in(brought).await;
            if let Err(refused) = &taken {
                intake.note_refusal(refused);
            }
            taken
        })
        .await
    }

    async fn try_take_in(&self, brought: Brought) -> Result<TakenFrame, RefusedFrame> {
        let (screens, open) = (&self.screens, &self.open);
        open.touch();
        match screens.begin_share(open).await {
            // The door says so, in its own order.
            Ok(()) | Err(ShareRefusal::Disabled) => {}
            Err(ShareRefusal::NotFound | ShareRefusal::TooManyLinks) => return Err(unknown_share()),
            Err(ShareRefusal::NotAccepted(why)) => return Err(not_accepted(&why)),
        }
        let kind = self.admit(&brought)?;
        if !screens
            .0
            .community
            .is_present(&open.share.room, &open.share.person)
        {
            screens.end_share(open, ShareEnd::SharerLeft).await;
            return Err(unknown_share());
        }
        let _place = open.queue_up().ok_or_else(too_many_waiting)?;
        let mut viewer = open.viewer.clone().lock_owned().await;
        let is_first = viewer.turn_to(self.watch());
        let (bytes, looked) = match brought {
            Brought::Picture { bytes, peak, .. } => {
                let looked;
                (viewer, looked) = self.look(viewer, kind, bytes.clone(), peak).await?;
                (bytes, looked)
            }
            // The limit was raised meanwhile.
            Brought::Unread { .. } => return Err(not_read()),
            Brought::Decoded { bytes, mut seen, .. } => {
                if is_first {
                    // As an eye that starts anew would say it: there is nothing before it in this watch.
                    seen.change = ChangeScore::default();
                }
                (bytes, Ok(seen))
            }
        };
        let seen = looked.map_err(|Undecodable(detail)| RefusedFrame {
            reason: FrameRefusal::FrameUndecodable,
            detail,
        })?;
        self.hand_on(viewer, kind, bytes, seen).await
    }

    /// Lets it through the door, or says why not. Whatever comes is a sign of life.
    fn admit(&self, brought: &Brought) -> Result<PictureKind, RefusedFrame> {
        let (screens, open) = (&self.screens, &self.open);
        let (mime, bytes) = match brought {
            Brought::Picture { mime, bytes, .. } => (mime.as_str(), bytes.len()),
            Brought::Unread { mime, bytes } => (mime.as_str(), *bytes),
            Brought::Decoded { kind, bytes, .. } => (kind.mime(), bytes.len()),
        };
        let settings = screens.0.community.settings();
        let registry = screens.registry();
        let mut state = open.state();
        let at_door = AtDoor {
            share: (!matches!(state.phase, Phase::Ended(_))).then_some(&open.share.share),
            watched: registry.watched_with(open),
            mime,
            bytes,
        };
        admit(
            screens.0.community.moment(),
            at_door,
            &mut state.rate,
            &settings.stream_watch,
        )
    }

    fn watch(&self) -> u64 {
        let registry = self.screens.registry();
        registry
            .rooms
            .get(&self.open.share.room)
            .map_or(0, |room| room.watch)
    }

    /// Has the share's eye look, on a thread that may be kept busy.
    async fn look(
        &self,
        mut viewer: OwnedMutexGuard<FrameViewer>,
        kind: PictureKind,
        bytes: Bytes,
        peak: Option<f64>,
    ) -> Result<(OwnedMutexGuard<FrameViewer>, Result<Seen, Undecodable>), RefusedFrame> {
        // Taken out while it looks: an eye that a picture breaks is not used again.
        let mut eye = viewer
            .eye
            .take()
            .unwrap_or_else(|| self.screens.0.community.open_eye());
        let looking = tokio::task::spawn_blocking(move || {
            if let Some(peak) = peak {
                eye.hold(peak);
            }
            let looked = eye.look(kind, &bytes);
            viewer.eye = Some(eye);
            (viewer, looked)
        });
        looking.await.map_err(|_| RefusedFrame {
            reason: FrameRefusal::FrameUndecodable,
            detail: "The picture could not be decoded: it broke the decoder. Send it as another JPEG or PNG."
                .to_owned(),
        })
    }

    /// Shelves a frame that was seen and tells the mind, then the pages.
    async fn hand_on(
        &self,
        mut viewer: OwnedMutexGuard<FrameViewer>,
        kind: PictureKind,
        bytes: Bytes,
        seen: Seen,
    ) -> Result<TakenFrame, RefusedFrame> {
        let (screens, open) = (&self.screens, &self.open);
        let (room, share) = (&open.share.room, &open.share.share);
        let glimpse = Glimpse {
            frame: screens.take_frame_id(),
            kind,
            width: seen.width,
            height: seen.height,
            change: viewer.change_with_untold(seen.change),
        };
        let at = wall();
        let picture = ShelvedPicture {
            frame: glimpse.frame,
            kind,
            bytes,
            at,
        };
        // First the shelf: the mind may want the picture as soon as it knows of the frame.
        self.shelve(picture)?;
        let arrived = Input::Room(
            room.clone(),
            RoomEvent::FrameArrived {
                share: share.clone(),
                glimpse,
            },
        );
        if let Err(why) = screens.0.community.accept(arrived).await {
            viewer.untold = Some(glimpse.change);
            screens.registry().shelf.take(glimpse.frame);
            return Err(not_accepted(&why));
        }
        viewer.untold = None;
        let sample = Sample { at, glimpse };
        let mut registry = screens.registry();
        registry
            .rooms
            .entry(room.clone())
            .or_default()
            .samples
            .push(Instant::now(), sample);
        // Under the lock, so that a page that asks for samples after this one does not miss another.
        screens.0.community.publish(LiveEvent::Frame {
            room: room.clone(),
            share: share.clone(),
            sample,
        });
        Ok(TakenFrame { glimpse, at })
    }

    /// Shelves a picture, unless nobody wants it any more: while it was looked at, the share may have ended or the
    /// watch may have moved.
    fn shelve(&self, picture: ShelvedPicture) -> Result<(), RefusedFrame> {
        let settings = self.screens.0.community.settings();
        let mut registry = self.screens.registry();
        let is_over = matches!(self.open.phase(), Phase::Ended(_));
        let at_door = AtDoor {
            share: (!is_over).then_some(&self.open.share.share),
            watched: registry.watched_with(&self.open),
            mime: picture.kind.mime(),
            bytes: picture.bytes.len(),
        };
        // It has been counted already.
        let mut uncounted = FrameRate::default();
        admit(
            self.screens.0.community.moment(),
            at_door,
            &mut uncounted,
            &settings.stream_watch,
        )?;
        let watched = registry.watched();
        registry.shelf.put(&self.open.share.share, picture, &watched);
        Ok(())
    }

    fn note_refusal(&self, refused: &RefusedFrame) {
        if refused.reason == FrameRefusal::SessionNotFound {
            // There is no share that the mind would know.
            return;
        }
        let telling = self.open.state().refusals.note(Instant::now(), refused);
        if let Some(telling) = telling {
            self.screens.tell_refusal(&self.open, &telling);
        }
    }
}

impl Registry {
    /// The share that is watched where this one is.
    fn watched_with(&self, open: &OpenShare) -> Option<&ShareId> {
        self.rooms.get(&open.share.room)?.watched.as_ref()
    }
}

fn not_accepted(why: &NotAccepted) -> RefusedFrame {
    let reason = match why {
        // The link dies with the community.
        NotAccepted::Stopping => FrameRefusal::SessionNotFound,
        NotAccepted::Busy | NotAccepted::NotStored(_) => FrameRefusal::FrameRateLimited,
    };
    RefusedFrame {
        reason,
        detail: format!("The frame was not taken in: {why}."),
    }
}

pub(super) fn not_read() -> RefusedFrame {
    RefusedFrame {
        reason: FrameRefusal::FrameTooLarge,
        detail: "The frame was larger than voice.streamWatch.maxFrameBytes allowed when it came. Send the next one."
            .to_owned(),
    }
}

fn too_many_waiting() -> RefusedFrame {
    RefusedFrame {
        reason: FrameRefusal::FrameRateLimited,
        detail:
            "Frames before it are still being looked at. Wait for the answer to one before you send the next."
                .to_owned(),
    }
}
