//! What comes from a browser: packets of one source, put in order and decoded at the pace of speech while there are any.

use std::time::{Duration, Instant};

use audio::codec::CodecError;
use audio::jitter::VoicePacket;
use audio::track::{FrameSource, IncomingTrack};
use audio::{FRAME, Frame};
use str0m::Rtc;
use str0m::format::Codec;
use str0m::media::MediaKind;
use str0m::rtp::{RtpPacket, Ssrc};

/// A source that was silent for so long may be followed by another.
const SILENT_AFTER: Duration = Duration::from_secs(1);
/// The time of a frame.
const TICK: Duration = Duration::from_millis(20);
/// Frames in which nothing came, after which nothing more is expected: half a second.
const NOTHING_MAX: u32 = 25;
/// What is late by more is not caught up with.
const LATE_MAX: Duration = Duration::from_millis(200);

/// One browser's microphone.
#[derive(Debug)]
pub(super) struct Microphone {
    began: Instant,
    track: IncomingTrack,
    source: Option<(Ssrc, Instant)>,
    /// When the next frame is due, while there are any.
    due: Option<Instant>,
    nothing: u32,
}

impl Microphone {
    pub(super) fn new(now: Instant) -> Result<Self, CodecError> {
        Ok(Self {
            began: now,
            track: IncomingTrack::new()?,
            source: None,
            due: None,
            nothing: 0,
        })
    }

    /// Takes a packet, if it is of this microphone.
    pub(super) fn packet(&mut self, rtc: &mut Rtc, packet: &RtpPacket, now: Instant) {
        if !is_voice(rtc, packet) {
            return;
        }
        let ssrc = packet.header.ssrc;
        match self.source {
            Some((source, _)) if source == ssrc => {}
            Some((_, heard)) if now.duration_since(heard) < SILENT_AFTER => return,
            Some(_) => match IncomingTrack::new() {
                Ok(track) => self.track = track,
                Err(error) => return tracing::debug!(%error, "a new source of sound is not heard"),
            },
            None => {}
        }
        self.source = Some((ssrc, now));
        let voice = VoicePacket {
            sequence: packet.header.sequence_number,
            timestamp: packet.header.timestamp,
            payload: packet.payload.to_vec(),
        };
        self.track.push(voice, self.samples(now));
        self.due.get_or_insert(now);
        self.nothing = 0;
    }

    /// When the next frame is due; none where nothing is expected.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// The frame that is due by now, if one is.
    pub(super) fn frame(&mut self, now: Instant) -> Option<Frame> {
        let due = self.due.filter(|due| *due <= now)?;
        let mut frame = [0; FRAME];
        let source = self.track.frame(self.samples(now), &mut frame);
        self.nothing = match source {
            FrameSource::Nothing => self.nothing + 1,
            FrameSource::Sent | FrameSource::MadeUp => 0,
        };
        self.due = if self.nothing >= NOTHING_MAX {
            None
        } else if now.duration_since(due) > LATE_MAX {
            Some(now + TICK)
        } else {
            Some(due + TICK)
        };
        Some(frame)
    }

    fn samples(&self, now: Instant) -> u64 {
        now.duration_since(self.began).as_micros() as u64 * 48 / 1_000
    }
}

/// Whether a packet is Opus, of an audio that was negotiated.
fn is_voice(rtc: &mut Rtc, packet: &RtpPacket) -> bool {
    let payload = packet.header.payload_type;
    let params = rtc.codec_config().params();
    let is_opus = params
        .iter()
        .any(|params| params.pt() == payload && params.spec().codec == Codec::Opus);
    let mid = rtc
        .direct_api()
        .stream_rx(&packet.header.ssrc)
        .map(|stream| stream.mid());
    let media = mid.and_then(|mid| rtc.media(mid));
    is_opus && media.is_some_and(|media| media.kind() == MediaKind::Audio)
}
