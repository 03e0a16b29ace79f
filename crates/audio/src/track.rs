//! One speaker's packets as frames: in order, decoded, and with losses made up.

use std::collections::VecDeque;

use crate::codec::{CodecError, VoiceDecoder};
use crate::jitter::{Arrival, JitterBuffer, JitterCounts, Playout, VoicePacket};
use crate::{FRAME, Frame};

/// What a frame is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameSource {
    /// Sound as it was sent.
    Sent,
    /// Some of it was lost and is made up.
    MadeUp,
    /// Nothing was sent.
    Nothing,
}

/// Receives one speaker. A frame is to be taken every 20 ms of the caller's clock.
#[derive(Debug)]
pub struct IncomingTrack {
    jitter: JitterBuffer,
    decoder: VoiceDecoder,
    /// Decoded and not yet taken.
    sound: Vec<i16>,
    /// Where each of the pieces of that sound came from, and how many samples it still has.
    sources: VecDeque<(FrameSource, usize)>,
    damaged: u64,
}

impl IncomingTrack {
    /// For one speaker.
    pub fn new() -> Result<Self, CodecError> {
        Ok(Self {
            jitter: JitterBuffer::new(),
            decoder: VoiceDecoder::new()?,
            sound: Vec::with_capacity(2 * crate::codec::SAMPLES_MAX),
            sources: VecDeque::new(),
            damaged: 0,
        })
    }

    /// Takes a packet that arrived at this time of the caller's clock, in samples at 48,000 a second.
    pub fn push(&mut self, packet: VoicePacket, now: u64) -> Arrival {
        self.jitter.push(packet, now)
    }

    /// The next 20 ms.
    pub fn frame(&mut self, now: u64, frame: &mut Frame) -> FrameSource {
        while self.sound.len() < FRAME {
            let next = self.jitter.pull(now);
            self.decode(next);
        }
        frame.copy_from_slice(&self.sound[..FRAME]);
        self.sound.drain(..FRAME);
        self.taken()
    }

    /// What happened so far; packets that could not be decoded count as damaged.
    pub fn counts(&self) -> JitterCounts {
        let mut counts = self.jitter.counts();
        counts.damaged += self.damaged;
        counts
    }

    /// The delay that packets are given now, in samples.
    pub fn delay(&self) -> u64 {
        self.jitter.delay()
    }

    fn decode(&mut self, next: Playout) {
        let before = self.sound.len();
        let source = match next {
            Playout::Packet(packet) => {
                if self.decoder.decode(&packet, &mut self.sound).is_ok() {
                    FrameSource::Sent
                } else {
                    self.damaged += 1;
                    self.decoder.conceal(FRAME, &mut self.sound);
                    FrameSource::MadeUp
                }
            }
            Playout::Lost { samples, next } => {
                match next {
                    Some(next) => self.decoder.recover(&next, samples, &mut self.sound),
                    None => self.decoder.conceal(samples, &mut self.sound),
                }
                FrameSource::MadeUp
            }
            Playout::Silence { samples } => {
                self.sound.resize(before + samples, 0);
                FrameSource::Nothing
            }
        };
        self.sources.push_back((source, self.sound.len() - before));
    }

    /// What the frame just taken was made of: the worst of its pieces.
    fn taken(&mut self) -> FrameSource {
        let mut left = FRAME;
        let mut all = FrameSource::Nothing;
        while left > 0 {
            let Some((source, samples)) = self.sources.front_mut() else {
                break;
            };
            all = match (all, *source) {
                (FrameSource::MadeUp, _) | (_, FrameSource::MadeUp) => FrameSource::MadeUp,
                (FrameSource::Sent, _) | (_, FrameSource::Sent) => FrameSource::Sent,
                _ => FrameSource::Nothing,
            };
            let gone = left.min(*samples);
            *samples -= gone;
            left -= gone;
            if *samples == 0 {
                self.sources.pop_front();
            }
        }
        all
    }
}

#[cfg(test)]
#[path = "track_tests.rs"]
mod tests;
