//! What goes to a browser: what the others say as packets of Opus, and nothing while they are silent.

use std::time::Instant;

use audio::codec::{CodecError, Encoded, VoiceEncoder};
use audio::{FRAME, Frame};
use str0m::Rtc;
use str0m::format::Codec;
use str0m::media::Mid;
use str0m::rtp::{ExtensionValues, RtpWrite};

use crate::CODING;

/// A pause so long is one, in samples: 60 ms.
const PAUSE: u64 = 3 * FRAME as u64;

/// One browser's loudspeaker.
#[derive(Debug)]
pub(super) struct Loudspeaker {
    began: Instant,
    encoder: VoiceEncoder,
    packet: Vec<u8>,
    sequence: u64,
    /// When the next frame is to be heard, in samples.
    next: u64,
    /// The packet before was sent.
    speaks: bool,
}

impl Loudspeaker {
    pub(super) fn new(now: Instant) -> Result<Self, CodecError> {
        Ok(Self {
            began: now,
            encoder: VoiceEncoder::new(CODING)?,
            packet: Vec::new(),
            sequence: 1,
            next: 0,
            speaks: false,
        })
    }

    /// Sends 20 ms by an audio of a connection.
    pub(super) fn play(&mut self, rtc: &mut Rtc, mid: Mid, frame: &Frame, now: Instant) {
        let clock = now.duration_since(self.began).as_micros() as u64 * 48 / 1_000;
        if clock > self.next + PAUSE {
            self.next = clock;
        }
        let time = self.next;
        self.next += FRAME as u64;
        let encoded = match self.encoder.encode(frame, &mut self.packet) {
            Ok(encoded) => encoded,
            Err(error) => return tracing::debug!(%error, "a frame was not encoded"),
        };
        if encoded == Encoded::Silence {
            self.speaks = false;
            return;
        }
        // The first packet after a pause is marked, so that the browser may set its delay anew.
        let marker = !std::mem::replace(&mut self.speaks, true);
        let media = rtc.media(mid);
        let payloads = media.map(|media| media.remote_pts().to_vec()).unwrap_or_default();
        let params = rtc.codec_config().params();
        let opus = params
            .iter()
            .find(|params| params.spec().codec == Codec::Opus && payloads.contains(&params.pt()))
            .map(|params| params.pt());
        let Some(payload) = opus else { return };
        let mut api = rtc.direct_api();
        let Some(stream) = api.stream_tx_by_mid(mid, None) else {
            return;
        };
        let write = RtpWrite::new(
            payload,
            self.sequence.into(),
            time as u32,
            now,
            self.packet.as_slice(),
        );
        stream.write_rtp(write.marker(marker).ext_vals(ExtensionValues::default()));
        self.sequence += 1;
    }
}
