//! What one person says, on its way to Denizen's ears.

use audio::{Frame, PER_MILLISECOND, pcm};
use runtime::ports::{SoundFrame, TrackQueue};
use tokio::sync::mpsc;
use vocabulary::Span;

use super::echo::{EchoWatch, Placed};

/// What is held back goes on where nothing came after it for so long, in samples: 200 ms.
const HELD_MAX: u64 = 9_600;

/// One end of a track; the other is Denizen's.
#[derive(Debug)]
pub(crate) struct Track {
    queue: TrackQueue,
    echo: EchoWatch,
    /// The hall's clock when the track began.
    began: u64,
}

impl Track {
    /// `cancels`: the person's door takes echoes away itself.
    pub(super) fn new(now: u64, cancels: bool) -> (Self, mpsc::Receiver<SoundFrame>) {
        let (queue, receiver) = TrackQueue::new();
        let track = Self {
            queue,
            echo: EchoWatch::new(cancels),
            began: now,
        };
        (track, receiver)
    }

    /// 20 ms that belong at this time of the hall's clock.
    pub(super) fn give(&mut self, frame: &Frame, at: u64) {
        if self.queue.is_closed() {
            return;
        }
        let mut passed = Vec::new();
        self.echo.says(frame, at, &mut passed);
        self.pass(&passed);
    }

    /// The person comes by another door: nothing that was compared before counts. What was held back goes on.
    pub(super) fn come_anew(&mut self, cancels: bool) {
        let mut passed = Vec::new();
        self.echo.release(&mut passed);
        self.pass(&passed);
        self.echo = EchoWatch::new(cancels);
    }

    /// 20 ms that the person hears.
    pub(super) fn hears(&mut self, frame: &Frame, now: u64) {
        self.echo.hears(frame, now);
    }

    /// Time goes by: what was held back goes on where nothing comes after it, and what waits as far as there is room.
    pub(super) fn advance(&mut self, now: u64) {
        if self.echo.holds_since().is_some_and(|at| now > at + HELD_MAX) {
            let mut passed = Vec::new();
            self.echo.release(&mut passed);
            self.pass(&passed);
        }
        self.queue.flush();
    }

    /// The person is gone: what was held back, and what waits, is still heard.
    pub(super) fn finish(mut self) {
        let mut passed = Vec::new();
        self.echo.release(&mut passed);
        self.pass(&passed);
        self.queue.finish();
    }

    fn pass(&mut self, passed: &[Placed]) {
        for (frame, at) in passed {
            self.place(frame, *at);
        }
        self.queue.flush();
    }

    fn place(&mut self, frame: &Frame, at: u64) {
        let mut samples = Vec::new();
        pcm::write(frame, &mut samples);
        self.queue.push(SoundFrame {
            samples: samples.into(),
            at: Span(at.saturating_sub(self.began) / PER_MILLISECOND),
        });
    }

    pub(super) fn has_more(&self) -> bool {
        self.queue.has_more() || self.echo.holds_since().is_some()
    }
}
