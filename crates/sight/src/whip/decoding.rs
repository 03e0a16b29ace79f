//! The thread on which a stream is decoded, and the way to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use media::rtp::Arrived;
use tokio::sync::mpsc;

use super::knobs::SettingsNow;
use super::outlet::Exposure;
use super::viewer::{Codec, Viewer, Work};

/// Frames that wait to be decoded; a decoder that is further behind than this will not catch up.
const MAX_WAITING: usize = 30;
/// A frame that is due, and that nobody has taken yet, is offered again after this.
const OFFER_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// The way to the thread; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Decoding {
    work: SyncSender<Work>,
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
        let needs = needs_key_frame.clone();
        tokio::task::spawn_blocking(move || run(&waiting, &exposures, &settings, &needs));
        let decoding = Self {
            work,
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
        if self.work.try_send(Work::Look(codec, arrived)).is_err() {
            tracing::debug!("a stream is decoded more slowly than it comes; frames are left out");
            self.overrun = Some(codec);
            self.needs_key_frame.store(true, Ordering::Relaxed);
        }
    }
}

fn run(
    waiting: &Receiver<Work>,
    exposures: &mpsc::Sender<Exposure>,
    settings: &SettingsNow,
    needs: &AtomicBool,
) {
    let mut viewer = Viewer::default();
    let mut blocked = false;
    loop {
        let now = Instant::now();
        let knobs = settings.knobs();
        let received = match viewer.due(knobs.frame_interval, now) {
            // A change right before the screen stands still is given out all the same: nothing has to come after it.
            Some(due) => {
                let wait = due.saturating_duration_since(now);
                waiting.recv_timeout(if blocked {
                    wait.max(OFFER_AGAIN_AFTER)
                } else {
                    wait
                })
            }
            None => waiting.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match received {
            Ok(work) => needs.store(viewer.work(work), Ordering::Relaxed),
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
        match exposures.try_reserve() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decoder_that_is_too_slow_loses_frames_and_is_told_before_the_next() {
        let (work, waiting) = sync_channel(2);
        let needs_key_frame = Arc::new(AtomicBool::new(false));
        let mut decoding = Decoding {
            work,
            needs_key_frame,
            overrun: None,
        };
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
}
