//! What one person in a call says: packets put in order and decoded at the pace of speech, on their way to Denizen's ears.
//! Knows no clock; times are samples since the seat was taken.

use audio::codec::CodecError;
use audio::jitter::VoicePacket;
use audio::track::{FrameSource, IncomingTrack};
use audio::{FRAME, PER_MILLISECOND, pcm};
use discord_voice::HeardPacket;
use runtime::ports::{SoundFrame, TrackQueue};
use tokio::sync::mpsc;
use vocabulary::Span;

/// Frames in which nothing came, after which nothing more is expected: a second, in which ears notice the end.
const NOTHING_MAX: u32 = 50;
/// Frames that may wait to be put in order: 200 ms.
const LAST_FRAMES: u64 = 10;
/// What is late by more is not caught up with: 200 ms.
const LATE_MAX: u64 = 10 * FRAME as u64;

#[derive(Debug)]
pub(crate) struct Speaker {
    ssrc: u32,
    track: IncomingTrack,
    queue: TrackQueue,
    /// When the track began.
    began: u64,
    /// When the next frame is due, while there are any.
    due: Option<u64>,
    nothing: u32,
}

impl Speaker {
    pub fn new(now: u64, ssrc: u32) -> Result<(Self, mpsc::Receiver<SoundFrame>), CodecError> {
        let (queue, receiver) = TrackQueue::new();
        let speaker = Self {
            ssrc,
            track: IncomingTrack::new()?,
            queue,
            began: now,
            due: None,
            nothing: 0,
        };
        Ok((speaker, receiver))
    }

    /// Another number is another stream: its sequence and its time have nothing to do with those before.
    pub fn packet(&mut self, packet: HeardPacket, now: u64) -> Result<(), CodecError> {
        if packet.ssrc != self.ssrc {
            self.track = IncomingTrack::new()?;
            self.ssrc = packet.ssrc;
        }
        let voice = VoicePacket {
            sequence: packet.sequence,
            timestamp: packet.timestamp,
            payload: packet.opus,
        };
        self.track.push(voice, now);
        self.due.get_or_insert(now);
        self.nothing = 0;
        Ok(())
    }

    /// Whether time must go on for them.
    pub fn is_busy(&self) -> bool {
        self.due.is_some() || self.queue.has_more()
    }

    /// Frames whose time has come are handed on.
    pub fn advance(&mut self, now: u64) {
        while let Some(due) = self.due.filter(|due| *due <= now) {
            let mut frame = [0; FRAME];
            self.nothing = match self.track.frame(now, &mut frame) {
                FrameSource::Nothing => self.nothing + 1,
                FrameSource::Sent | FrameSource::MadeUp => 0,
            };
            self.place(&frame, due);
            self.due = if self.nothing >= NOTHING_MAX {
                None
            } else if now - due > LATE_MAX {
                Some(now + FRAME as u64)
            } else {
                Some(due + FRAME as u64)
            };
        }
        self.queue.flush();
    }

    /// They are gone: what they said last is still heard.
    pub fn finish(mut self, now: u64) {
        // What waits to be put in order is.
        (0..LAST_FRAMES).for_each(|ahead| self.advance(now + ahead * FRAME as u64));
        self.queue.finish();
    }

    fn place(&mut self, frame: &[i16], at: u64) {
        let mut samples = Vec::new();
        pcm::write(frame, &mut samples);
        self.queue.push(SoundFrame {
            samples: samples.into(),
            at: Span(at.saturating_sub(self.began) / PER_MILLISECOND),
        });
    }
}

#[cfg(test)]
mod tests {
    use audio::codec::VoiceEncoder;

    use super::*;

    fn packets(count: u16) -> Vec<HeardPacket> {
        let mut encoder = VoiceEncoder::new(crate::CODING).expect("an encoder");
        let made = (0..count).map(|number| {
            let wave = |at: usize| ((number as usize * FRAME + at) as f64 * 0.06).sin() * 9_000.0;
            let frame: [i16; FRAME] = std::array::from_fn(|at| wave(at) as i16);
            let mut opus = Vec::new();
            encoder.encode(&frame, &mut opus).expect("encoded");
            HeardPacket {
                user: 2,
                ssrc: 5,
                sequence: 65_530_u16.wrapping_add(number),
                timestamp: (u32::MAX - 2_000).wrapping_add(u32::from(number) * FRAME as u32),
                opus,
            }
        });
        made.collect()
    }

    fn loud(frame: &SoundFrame) -> bool {
        let mut samples = Vec::new();
        pcm::read(&frame.samples, &mut samples);
        samples.iter().any(|sample| sample.unsigned_abs() > 3_000)
    }

    #[test]
    fn packets_become_frames_in_time_and_a_second_of_silence_ends_them() {
        let (mut speaker, mut frames) = Speaker::new(0, 5).expect("a decoder");
        let mut heard = Vec::new();
        let mut packets = packets(50).into_iter();
        let mut now = 0;
        while speaker.is_busy() || packets.len() > 0 {
            if let Some(packet) = packets.next() {
                speaker.packet(packet, now).expect("taken");
            }
            speaker.advance(now);
            while let Ok(frame) = frames.try_recv() {
                heard.push(frame);
            }
            now += FRAME as u64;
        }
        let sound = heard.iter().filter(|frame| loud(frame)).count();
        assert!((48..=52).contains(&sound), "{sound} of 50");
        assert!(heard.len() <= 50 + 50 + 20, "{} frames in all", heard.len());
        assert!(heard.windows(2).all(|pair| pair[0].at < pair[1].at));
    }

    #[tokio::test]
    async fn what_somebody_said_last_is_heard_when_they_are_gone() {
        let (mut speaker, mut frames) = Speaker::new(0, 5).expect("a decoder");
        let mut now = 0;
        for packet in packets(50) {
            speaker.packet(packet, now).expect("taken");
            speaker.advance(now);
            now += FRAME as u64;
        }
        speaker.finish(now);
        let mut sound = 0;
        while let Some(frame) = frames.recv().await {
            sound += usize::from(loud(&frame));
        }
        assert!((48..=52).contains(&sound), "{sound} of 50");
    }

    #[test]
    fn another_number_is_another_stream() {
        let (mut speaker, mut frames) = Speaker::new(0, 5).expect("a decoder");
        let mut now = 0;
        let mut sound = 0;
        for (round, mut packet) in packets(20).into_iter().chain(packets(20)).enumerate() {
            packet.ssrc = if round < 20 { 5 } else { 6 };
            speaker.packet(packet, now).expect("taken");
            speaker.advance(now);
            now += FRAME as u64;
            while let Ok(frame) = frames.try_recv() {
                sound += usize::from(loud(&frame));
            }
        }
        assert!(sound >= 30, "{sound} of 40");
    }
}
