//! Something that Denizen says, as it is played in a hall.

use audio::{FRAME, Frame, PER_MILLISECOND, pcm};
use runtime::ports::{PlaybackExtent, SoundFrame};
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::{mpsc, oneshot};
use vocabulary::Span;

/// A delivery that is being heard. Nothing is taken from its channel before its time.
#[derive(Debug)]
pub(crate) struct Playing {
    pub(super) number: u64,
    frames: mpsc::Receiver<SoundFrame>,
    /// Samples that are short of a frame.
    rest: Vec<i16>,
    is_closed: bool,
    played: u64,
    done: oneshot::Sender<PlaybackExtent>,
}

/// What comes of it in a tick.
pub(super) enum Played {
    Sound(Box<Frame>),
    /// The next is not made yet.
    Nothing,
    /// All of it was heard.
    Over,
}

impl Playing {
    pub(super) fn new(
        number: u64,
        frames: mpsc::Receiver<SoundFrame>,
        done: oneshot::Sender<PlaybackExtent>,
    ) -> Self {
        Self {
            number,
            frames,
            rest: Vec::new(),
            is_closed: false,
            played: 0,
            done,
        }
    }

    pub(super) fn next(&mut self) -> Played {
        while self.rest.len() < FRAME && !self.is_closed {
            match self.frames.try_recv() {
                Ok(frame) => pcm::read(&frame.samples, &mut self.rest),
                Err(TryRecvError::Empty) => return Played::Nothing,
                Err(TryRecvError::Disconnected) => self.is_closed = true,
            }
        }
        if self.rest.is_empty() {
            return Played::Over;
        }
        let samples = self.rest.len().min(FRAME);
        let mut frame = Box::new([0; FRAME]);
        frame[..samples].copy_from_slice(&self.rest[..samples]);
        self.rest.drain(..samples);
        self.played += samples as u64;
        Played::Sound(frame)
    }

    /// All of it was heard.
    pub(super) fn finish(self) {
        let _ = self.done.send(PlaybackExtent::Whole);
    }

    /// It is heard no more.
    pub(super) fn stop(self) {
        let heard = Span(self.played / PER_MILLISECOND);
        let _ = self.done.send(PlaybackExtent::Until(heard));
    }
}
