//! Access units with times become pictures with times.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use super::{Frame, Opened, VideoError, unplayable};
use crate::h264::Decoder;

/// An access unit in Annex B, and when its picture is shown.
pub(super) struct AccessUnit {
    pub(super) time: Duration,
    pub(super) bytes: Vec<u8>,
}

/// Decodes access units as they come. Damage in the middle of a video costs the pictures up to the next key frame.
pub(super) fn decode(
    path: PathBuf,
    units: impl Iterator<Item = Result<AccessUnit, VideoError>> + Send + 'static,
    expected: Option<u64>,
) -> Opened {
    let frames = Decoding {
        path,
        units,
        decoder: Some(Decoder::new()),
        times: BinaryHeap::new(),
        ready: VecDeque::new(),
        seen_any: false,
    };
    Opened {
        frames: Box::new(frames),
        expected,
    }
}

struct Decoding<U> {
    path: PathBuf,
    units: U,
    /// None once the video is over.
    decoder: Option<Decoder>,
    /// When the pictures are shown that the decoder still holds back. It gives them in this order.
    times: BinaryHeap<Reverse<Duration>>,
    ready: VecDeque<Frame>,
    seen_any: bool,
}

impl<U: Iterator<Item = Result<AccessUnit, VideoError>>> Iterator for Decoding<U> {
    type Item = Result<Frame, VideoError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(Ok(frame));
            }
            let decoder = self.decoder.as_mut()?;
            let unit = match self.units.next() {
                Some(Ok(unit)) => unit,
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    self.finish();
                    continue;
                }
            };
            self.times.push(Reverse(unit.time));
            match decoder.decode(&unit.bytes) {
                Ok(Some(picture)) => {
                    self.seen_any = true;
                    let time = self.times.pop().map_or(unit.time, |Reverse(time)| time);
                    return Some(Ok(Frame { time, picture }));
                }
                Ok(None) => {}
                Err(error) if !self.seen_any => return Some(Err(unplayable(&self.path, error))),
                Err(_) => {}
            }
            if decoder.needs_key_frame() {
                // Whatever was held back is lost, and its times with it.
                self.times.clear();
            }
        }
    }
}

impl<U> Decoding<U> {
    fn finish(&mut self) {
        let held_back = self.decoder.take().map(Decoder::finish).unwrap_or_default();
        for picture in held_back {
            let Some(Reverse(time)) = self.times.pop() else {
                break;
            };
            self.ready.push_back(Frame { time, picture });
        }
    }
}
