//! The video of a connection: which packets are its, in which codec, and what frames they make.

use std::time::{Duration, Instant};

use media::rtp::{Arrived, Packet};
use media::{h264, vp8};
use str0m::Rtc;
use str0m::format::Codec as Format;
use str0m::media::{KeyframeRequestKind, MediaKind};
use str0m::rtp::{RtpPacket, Ssrc};

use super::viewer::Codec;

/// A source that was silent for so long may be followed by another.
const SILENT_AFTER: Duration = Duration::from_secs(1);

/// One source of video at a time; it may change, as when a sender starts its encoder anew.
#[derive(Debug)]
pub(super) struct Video {
    start: Instant,
    source: Option<Source>,
}

#[derive(Debug)]
struct Source {
    ssrc: Ssrc,
    depacketiser: Depacketiser,
    heard: Instant,
}

#[derive(Debug)]
enum Depacketiser {
    H264(h264::Depacketiser),
    Vp8(vp8::Depacketiser),
}

impl Video {
    pub(super) fn new(start: Instant) -> Self {
        Self { start, source: None }
    }

    /// Which codec it is; none before the first packet.
    pub(super) fn codec(&self) -> Option<Codec> {
        self.source.as_ref().map(|source| source.depacketiser.codec())
    }

    /// Takes a packet; says whether it is of the video.
    pub(super) fn packet(&mut self, rtc: &mut Rtc, packet: RtpPacket, now: Instant) -> bool {
        let ssrc = packet.header.ssrc;
        let Some(codec) = codec_of(rtc, &packet) else {
            return false;
        };
        let is_same = |source: &Source| source.ssrc == ssrc && source.depacketiser.codec() == codec;
        let source = match &mut self.source {
            Some(source) if is_same(source) => source,
            // Another source is heard once the first is silent, or when the first itself changes its codec.
            Some(source) if source.ssrc != ssrc && now.duration_since(source.heard) < SILENT_AFTER => {
                return false;
            }
            other => other.insert(Source {
                ssrc,
                depacketiser: Depacketiser::new(codec),
                heard: now,
            }),
        };
        source.heard = now;
        let packet = Packet {
            sequence: packet.header.sequence_number,
            timestamp: packet.header.timestamp,
            marker: packet.header.marker,
            payload: packet.payload,
        };
        source.depacketiser.push(packet, now.duration_since(self.start));
        true
    }

    /// Time has passed.
    pub(super) fn advance(&mut self, now: Instant) {
        if let Some(source) = &mut self.source {
            source.depacketiser.advance(now.duration_since(self.start));
        }
    }

    /// The next thing that has arrived.
    pub(super) fn next(&mut self) -> Option<(Codec, Arrived)> {
        let source = self.source.as_mut()?;
        let arrived = source.depacketiser.next()?;
        Some((source.depacketiser.codec(), arrived))
    }

    /// Asks for a key frame.
    pub(super) fn ask_for_key_frame(&self, rtc: &mut Rtc) {
        let Some(source) = &self.source else { return };
        if let Some(stream) = rtc.direct_api().stream_rx(&source.ssrc) {
            stream.request_keyframe(KeyframeRequestKind::Pli);
        }
    }
}

impl Depacketiser {
    fn new(codec: Codec) -> Self {
        match codec {
            Codec::H264 => Self::H264(h264::Depacketiser::new()),
            Codec::Vp8 => Self::Vp8(vp8::Depacketiser::new()),
        }
    }

    fn codec(&self) -> Codec {
        match self {
            Self::H264(_) => Codec::H264,
            Self::Vp8(_) => Codec::Vp8,
        }
    }

    fn push(&mut self, packet: Packet, now: Duration) {
        match self {
            Self::H264(depacketiser) => depacketiser.push(packet, now),
            Self::Vp8(depacketiser) => depacketiser.push(packet, now),
        }
    }

    fn advance(&mut self, now: Duration) {
        match self {
            Self::H264(depacketiser) => depacketiser.advance(now),
            Self::Vp8(depacketiser) => depacketiser.advance(now),
        }
    }

    fn next(&mut self) -> Option<Arrived> {
        match self {
            Self::H264(depacketiser) => depacketiser.next(),
            Self::Vp8(depacketiser) => depacketiser.next(),
        }
    }
}

/// The codec of a packet, if it is video that can be decoded here.
fn codec_of(rtc: &mut Rtc, packet: &RtpPacket) -> Option<Codec> {
    let payload = packet.header.payload_type;
    let params = rtc
        .codec_config()
        .params()
        .iter()
        .find(|params| params.pt() == payload)?;
    let codec = match params.spec().codec {
        Format::H264 => Codec::H264,
        Format::Vp8 => Codec::Vp8,
        _ => return None,
    };
    let mid = rtc.direct_api().stream_rx(&packet.header.ssrc)?.mid();
    (rtc.media(mid)?.kind() == MediaKind::Video).then_some(codec)
}
