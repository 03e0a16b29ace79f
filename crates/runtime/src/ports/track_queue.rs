//! One end of a person's track: what they say waits here for room on its way to the ears, which hold up nobody.

use std::collections::VecDeque;

use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::voice::SoundFrame;

/// Frames in the channel.
const CHANNEL: usize = 8;
/// Frames of 20 ms that wait for room in it: two seconds; of more the oldest are lost.
const WAITING_MAX: usize = 100;

/// Frames on their way to whoever has the other end. Dropping it ends the track, and what waits is lost.
#[derive(Debug)]
pub struct TrackQueue {
    sender: mpsc::Sender<SoundFrame>,
    waiting: VecDeque<SoundFrame>,
}

impl TrackQueue {
    /// An empty one, and its other end.
    pub fn new() -> (Self, mpsc::Receiver<SoundFrame>) {
        let (sender, receiver) = mpsc::channel(CHANNEL);
        let waiting = VecDeque::new();
        (Self { sender, waiting }, receiver)
    }

    /// Whether nobody listens any more.
    pub fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }

    /// Whether something waits.
    pub fn has_more(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub fn push(&mut self, frame: SoundFrame) {
        if self.waiting.len() == WAITING_MAX {
            self.waiting.pop_front();
        }
        self.waiting.push_back(frame);
    }

    /// What waits goes as far as there is room.
    pub fn flush(&mut self) {
        while !self.waiting.is_empty() {
            match self.sender.try_reserve() {
                Ok(place) => {
                    if let Some(frame) = self.waiting.pop_front() {
                        place.send(frame);
                    }
                }
                Err(TrySendError::Full(())) => return,
                Err(TrySendError::Closed(())) => return self.waiting.clear(),
            }
        }
    }

    /// Nothing more is said: what waits is still heard, and then the track is over.
    pub fn finish(mut self) {
        self.flush();
        if !self.has_more() {
            return;
        }
        let Ok(runtime) = Handle::try_current() else {
            tracing::debug!(frames = self.waiting.len(), "the end of a track is lost");
            return;
        };
        runtime.spawn(async move {
            for frame in self.waiting {
                if self.sender.send(frame).await.is_err() {
                    return;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use vocabulary::Span;

    use super::*;

    fn frame(number: u64) -> SoundFrame {
        SoundFrame {
            samples: Bytes::new(),
            at: Span(number),
        }
    }

    #[test]
    fn whoever_does_not_take_frames_loses_the_oldest_that_wait() {
        let (mut queue, mut frames) = TrackQueue::new();
        for number in 0..250 {
            queue.push(frame(number));
            queue.flush();
        }
        assert_eq!(queue.waiting.len(), WAITING_MAX);
        let mut taken = Vec::new();
        while let Ok(frame) = frames.try_recv() {
            taken.push(frame.at.0);
        }
        assert_eq!(taken, (0..CHANNEL as u64).collect::<Vec<_>>());
        queue.flush();
        assert_eq!(frames.try_recv().map(|frame| frame.at.0), Ok(150));
    }

    #[tokio::test]
    async fn what_waits_at_the_end_is_still_heard() {
        let (mut queue, mut frames) = TrackQueue::new();
        (0..60).for_each(|number| queue.push(frame(number)));
        queue.finish();
        let mut heard = 0;
        while let Some(frame) = frames.recv().await {
            assert_eq!(frame.at.0, heard);
            heard += 1;
        }
        assert_eq!(heard, 60);
    }
}
