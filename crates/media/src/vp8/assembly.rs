//! Key frames out of RTP payloads (RFC 7741); the packets of other frames are passed over.

use std::collections::VecDeque;

use super::key_frame::is_key_frame;
use crate::rtp::{Arrived, Assemble, Depacketiser as AnyDepacketiser, Packet};

/// Makes VP8 key frames of RTP packets.
pub type Depacketiser = AnyDepacketiser<Assembly>;

/// The longest frame that is put together.
pub const MAX_FRAME_BYTES: usize = 4_000_000;

/// The key frame that is being put together, if one is.
#[derive(Debug, Default)]
pub struct Assembly {
    frame: Option<(u32, Vec<u8>)>,
}

impl Assemble for Assembly {
    fn packet(&mut self, packet: &Packet, arrived: &mut VecDeque<Arrived>) {
        let Some((begins, data)) = payload(&packet.payload) else {
            return;
        };
        let same_frame = |(timestamp, _): &(u32, Vec<u8>)| *timestamp == packet.timestamp;
        if begins {
            // A frame that another one follows without its marker has lost its end, or never had one.
            self.end(arrived);
            if is_key_frame(data) {
                self.frame = Some((packet.timestamp, Vec::new()));
            }
        } else if !self.frame.as_ref().is_none_or(same_frame) {
            self.end(arrived);
        }
        if let Some((_, frame)) = &mut self.frame {
            frame.extend(data);
            if frame.len() > MAX_FRAME_BYTES {
                self.gap(arrived);
            }
        }
        if packet.marker {
            self.end(arrived);
        }
    }

    /// Only a key frame that is cut is a loss: nothing else would have been decoded.
    fn gap(&mut self, arrived: &mut VecDeque<Arrived>) {
        if self.frame.take().is_some() {
            arrived.push_back(Arrived::Lost);
        }
    }
}

impl Assembly {
    fn end(&mut self, arrived: &mut VecDeque<Arrived>) {
        if let Some((_, frame)) = self.frame.take() {
            arrived.push_back(Arrived::Frame(frame));
        }
    }
}

/// Whether a payload begins a frame, and what stands behind its descriptor; none where that is cut short.
fn payload(bytes: &[u8]) -> Option<(bool, &[u8])> {
    let (first, mut rest) = bytes.split_first()?;
    let begins = first & 0x10 != 0 && first & 0x07 == 0;
    if first & 0x80 != 0 {
        let (extension, behind) = rest.split_first()?;
        rest = behind;
        if extension & 0x80 != 0 {
            let is_long = rest.first()? & 0x80 != 0;
            rest = rest.get(if is_long { 2 } else { 1 }..)?;
        }
        if extension & 0x40 != 0 {
            rest = rest.get(1..)?;
        }
        if extension & 0x30 != 0 {
            rest = rest.get(1..)?;
        }
    }
    Some((begins, rest)).filter(|(_, rest)| !rest.is_empty())
}

#[cfg(test)]
#[path = "assembly_tests.rs"]
mod assembly_tests;
