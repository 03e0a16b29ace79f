//! The thread on which a stream is decoded, and the way to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use media::rtp::Arrived;
use tokio::sync::mpsc;

use super::knobs::SettingsNow;
use super::outlet::Exposure;
use super::viewer::{Codec, Viewer, Work};

/// Frames that wait to be decoded; a decoder that is further behind than this will not catch up.
const MAX_WAITING: usize = 30;
/// Bytes that wait to be decoded: two of the largest frames there can be.
const MAX_WAITING_BYTES: usize = 8_000_000;
/// A frame that is due, and that nobody has taken yet, is offered again after this.
const OFFER_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// The way to the thread; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Decoding {
    work: SyncSender<Work>,
    waiting_bytes: Arc<AtomicUsize>,
    needs_key_frame: Arc<AtomicBool>,
    /// Work was thrown away, which the viewer is still to be told.
    overrun: Option<Codec>,
}

impl Decoding {
    /// Starts the thread; frames that it gives out come through the channel, one at a time.
    pub(super) fn start(settings: SettingsNow) -> (Self, mpsc::Receiver<Exposure>) {
        let (work, waiting) = sync_channel(MAX_WAITING);
        let (exposures, taken) = mpsc::channel(1);
        let needs_key_frame = Arc::new(AtomicBool::new(true));
        let waiting_bytes = Arc::new(AtomicUsize::new(0));
        let looking = Looking {
            waiting,
            waiting_bytes: waiting_bytes.clone(),
            needs_key_frame: needs_key_frame.clone(),
            exposures,
            settings,
        };
        tokio::task::spawn_blocking(move || looking.run());
        let decoding = Self {
            work,
            waiting_bytes,
            needs_key_frame,
            overrun: None,
        };
        (decoding, taken)
    }

    pub(super) fn needs_key_frame(&self) -> bool {
        self.needs_key_frame.load(Ordering::Relaxed)
    }

    pub(super) fn begin_watch(&mut self) {
        self.overrun = None;
        self.needs_key_frame.store(true, Ordering::Relaxed);
        // Where there is no room, what waits is of a moment ago and does no harm.
        let _ = self.work.try_send(Work::BeginWatch);
    }

    /// Has a frame decoded, unless too many wait: then it counts as lost.
    pub(super) fn look(&mut self, codec: Codec, arrived: Arrived) {
        if arrived == Arrived::Lost {
            self.needs_key_frame.store(true, Ordering::Relaxed);
        }
        if let Some(lost) = self.overrun {
            if self.work.try_send(Work::Look(lost, Arrived::Lost)).is_err() {
                return;
            }
            self.overrun = None;
        }
        let bytes = bytes_of(&arrived);
        let has_room = self.waiting_bytes.load(Ordering::Relaxed) + bytes <= MAX_WAITING_BYTES;
        // Before it is sent, as it may be taken at once.
        self.waiting_bytes.fetch_add(bytes, Ordering::Relaxed);
        if !has_room || self.work.try_send(Work::Look(codec, arrived)).is_err() {
            self.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
            tracing::debug!("a stream is decoded more slowly than it comes; frames are left out");
            self.overrun = Some(codec);
            self.needs_key_frame.store(true, Ordering::Relaxed);
        }
    }
}

fn bytes_of(arrived: &Arrived) -> usize {
    match arrived {
        Arrived::Frame(frame) => frame.len(),
        Arrived::Lost => 0,
    }
}

/// The thread's side.
struct Looking {
    waiting: Receiver<Work>,
    waiting_bytes: Arc<AtomicUsize>,
    needs_key_frame: Arc<AtomicBool>,
    exposures: mpsc::Sender<Exposure>,
    settings: SettingsNow,
}

impl Looking {
    fn run(self) {
        let mut viewer = Viewer::default();
        let mut blocked = false;
        loop {
            let now = Instant::now();
            let knobs = self.settings.knobs();
            let received = match viewer.due(knobs.frame_interval, now) {
                // A change right before the screen stands still is given out all the same: nothing has to come after it.
                Some(due) => {
                    let wait = due.saturating_duration_since(now);
                    let wait = if blocked {
                        wait.max(OFFER_AGAIN_AFTER)
                    } else {
                        wait
                    };
                    self.waiting.recv_timeout(wait)
                }
                None => self.waiting.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match received {
                Ok(work) => self.work(&mut viewer, work),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let now = Instant::now();
            let is_due = viewer
                .due(knobs.frame_interval, now)
                .is_some_and(|due| due <= now);
            if !is_due {
                continue;
            }
            match self.exposures.try_reserve() {
                Ok(place) => {
                    blocked = false;
                    if let Some(exposure) = viewer.give(&knobs, now) {
                        place.send(exposure);
                    }
                }
                Err(mpsc::error::TrySendError::Full(())) => blocked = true,
                Err(mpsc::error::TrySendError::Closed(())) => return,
            }
        }
    }

    fn work(&self, viewer: &mut Viewer, work: Work) {
        if let Work::Look(_, arrived) = &work {
            self.waiting_bytes.fetch_sub(bytes_of(arrived), Ordering::Relaxed);
        }
        self.needs_key_frame.store(viewer.work(work), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoding(places: usize) -> (Decoding, Receiver<Work>) {
        let (work, waiting) = sync_channel(places);
        let decoding = Decoding {
            work,
            waiting_bytes: Arc::default(),
            needs_key_frame: Arc::default(),
            overrun: None,
        };
        (decoding, waiting)
    }

    #[test]
    fn a_decoder_that_is_too_slow_loses_frames_and_is_told_before_the_next() {
        let (mut decoding, waiting) = decoding(2);
        let frame = |number: u8| Arrived::Frame(vec![number]);
        for number in 1..=4 {
            decoding.look(Codec::H264, frame(number));
        }
        assert!(decoding.needs_key_frame());
        let mut taken: Vec<Arrived> = Vec::new();
        let mut take = || match waiting.try_recv() {
            Ok(Work::Look(_, arrived)) => taken.push(arrived),
            other => panic!("{other:?}"),
        };
        take();
        take();
        decoding.look(Codec::H264, frame(5));
        take();
        take();
        assert_eq!(taken, [frame(1), frame(2), Arrived::Lost, frame(5)]);
    }

    #[test]
    fn no_more_bytes_wait_than_the_limit() {
        let (mut decoding, waiting) = decoding(MAX_WAITING);
        for _ in 0..5 {
            decoding.look(Codec::H264, Arrived::Frame(vec![0; MAX_WAITING_BYTES / 3]));
        }
        assert_eq!(
            decoding.waiting_bytes.load(Ordering::Relaxed),
            MAX_WAITING_BYTES / 3 * 3
        );
        assert!(decoding.needs_key_frame());
        // The three that fit, and that the fourth was lost.
        assert_eq!(waiting.try_iter().count(), 4);
    }
}
