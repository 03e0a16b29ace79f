//! One share, from the link that was given out to its end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use mind::watch::intake::FrameRate;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use vocabulary::{ChangeScore, Share, ShareEnd};

use super::refusals::Refusals;
use super::token::Token;
use crate::ports::Eye;

/// Frames of one share that may wait to be looked at.
const FRAMES_WAITING_MAX: usize = 4;

pub(super) struct OpenShare {
    pub share: Share,
    pub token: Token,
    /// When the link can no longer be opened.
    pub opens_until: Instant,
    /// What the mind has been told. Held while it is being told, so that it hears of an end after the beginning.
    pub told: tokio::sync::Mutex<Told>,
    /// Where the frames of a share pass one at a time, in the order in which they came.
    pub viewer: Arc<tokio::sync::Mutex<FrameViewer>>,
    pub over: CancellationToken,
    pub watched: watch::Sender<bool>,
    waiting: AtomicUsize,
    state: Mutex<ShareState>,
}

pub(super) enum Told {
    Nothing,
    Begun,
    Over,
}

/// Whoever looks at a share's frames.
#[derive(Default)]
pub(super) struct FrameViewer {
    /// The watch it looks for: with another one it starts anew.
    pub watch: u64,
    /// None: it is opened with the next picture.
    pub eye: Option<Box<dyn Eye>>,
    /// The change up to a frame that was seen and could not be told: the next one tells it.
    pub untold: Option<ChangeScore>,
}

pub(super) struct ShareState {
    pub phase: Phase,
    pub last_sign: Instant,
    pub rate: FrameRate,
    pub refusals: Refusals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Invited,
    /// The mind is being told.
    Beginning,
    Begun,
    Ended(ShareEnd),
}

impl OpenShare {
    pub fn new(share: Share, token: Token, now: Instant, opens_until: Instant) -> Self {
        Self {
            share,
            token,
            opens_until,
            told: tokio::sync::Mutex::new(Told::Nothing),
            viewer: Arc::default(),
            over: CancellationToken::new(),
            watched: watch::Sender::new(false),
            waiting: AtomicUsize::new(0),
            state: Mutex::new(ShareState {
                phase: Phase::Invited,
                last_sign: now,
                rate: FrameRate::default(),
                refusals: Refusals::default(),
            }),
        }
    }

    pub fn state(&self) -> MutexGuard<'_, ShareState> {
        self.state.lock().expect("no holder of this lock can panic")
    }

    pub fn phase(&self) -> Phase {
        self.state().phase
    }

    /// Whether its token is worth something still.
    pub fn is_open(&self, now: Instant) -> bool {
        match self.phase() {
            Phase::Invited => now < self.opens_until,
            Phase::Beginning | Phase::Begun => true,
            Phase::Ended(_) => false,
        }
    }

    pub fn touch(&self) {
        self.state().last_sign = Instant::now();
    }

    /// A place among the frames that wait to be looked at, if there is one.
    pub fn queue_up(self: &Arc<Self>) -> Option<QueuePlace> {
        let waiting = self.waiting.fetch_add(1, Ordering::Relaxed);
        let place = QueuePlace(self.clone());
        (waiting < FRAMES_WAITING_MAX).then_some(place)
    }
}

/// A place in the queue, given back when it is dropped.
pub(super) struct QueuePlace(Arc<OpenShare>);

impl Drop for QueuePlace {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl FrameViewer {
    /// Makes ready for a watch: nothing is remembered of an earlier one. Whether it is a new one.
    pub fn turn_to(&mut self, watch: u64) -> bool {
        let is_new = self.watch != watch;
        if is_new {
            *self = Self {
                watch,
                ..Self::default()
            };
        }
        is_new
    }

    /// The change up to a frame: as it was seen, held at its greatest where frames before it could not be told.
    pub fn change_with_untold(&self, seen: ChangeScore) -> ChangeScore {
        let Some(before) = self.untold else { return seen };
        ChangeScore {
            score: seen.score.max(before.score),
            ema: seen.ema.max(before.ema),
            scene_cut: seen.scene_cut || before.scene_cut,
            region: if before.score > seen.score {
                before.region
            } else {
                seen.region
            },
        }
    }
}
