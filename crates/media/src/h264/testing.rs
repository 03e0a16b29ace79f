//! Real streams for tests: made by the engine's own encoder, so that no file and no other program is needed.

use openh264::OpenH264API;
use openh264::encoder::{Encoder, EncoderConfig, IntraFramePeriod, RateControlMode};
use openh264::formats::YUVBuffer;

use super::annex_b::{UnitKind, units};
use crate::rtp::Packet;

/// An encoder of small pictures, which are flat but for a bright bar that wanders.
pub(crate) struct Film {
    encoder: Encoder,
    width: usize,
    height: usize,
    frame: usize,
}

impl Film {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let config = EncoderConfig::new()
            .rate_control_mode(RateControlMode::Off)
            .scene_change_detect(false)
            .skip_frames(false)
            .intra_frame_period(IntraFramePeriod::from_num_frames(1000));
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config).expect("an encoder");
        Self {
            encoder,
            width,
            height,
            frame: 0,
        }
    }

    /// The next access unit, of a picture with this brightness.
    pub(crate) fn frame(&mut self, brightness: u8) -> Vec<u8> {
        let mut yuv = vec![128; self.width * self.height * 3 / 2];
        let bar = self.frame * 4 % self.width;
        for (at, level) in yuv[..self.width * self.height].iter_mut().enumerate() {
            let in_bar = at % self.width >= bar && at % self.width < bar + 4;
            *level = if in_bar { 200 } else { brightness };
        }
        self.frame += 1;
        let source = YUVBuffer::from_vec(yuv, self.width, self.height);
        self.encoder.encode(&source).expect("a frame").to_vec()
    }

    pub(crate) fn key_frame(&mut self, brightness: u8) -> Vec<u8> {
        self.encoder.force_intra_frame();
        self.frame(brightness)
    }
}

/// The units of an access unit, without start codes.
pub(crate) fn units_of(access_unit: &[u8]) -> Vec<Vec<u8>> {
    units(access_unit).map(|(_, unit)| unit.to_vec()).collect()
}

pub(crate) fn is_key_frame(access_unit: &[u8]) -> bool {
    units(access_unit).any(|(kind, _)| kind == UnitKind::KeySlice)
}

/// Packets of access units, each with the time of its number; fragments and aggregates are of at most `longest` bytes.
pub(crate) fn packets(access_units: &[Vec<u8>], first_sequence: u16, longest: usize) -> Vec<Packet> {
    let mut packets = Vec::new();
    let mut sequence = first_sequence;
    for (number, access_unit) in access_units.iter().enumerate() {
        let payloads = payloads(access_unit, longest);
        let last = payloads.len() - 1;
        for (at, payload) in payloads.into_iter().enumerate() {
            packets.push(Packet {
                sequence,
                timestamp: number as u32 * 3000,
                marker: at == last,
                payload: payload.into(),
            });
            sequence = sequence.wrapping_add(1);
        }
    }
    packets
}

fn payloads(access_unit: &[u8], longest: usize) -> Vec<Vec<u8>> {
    let mut payloads = Vec::new();
    let mut aggregate = vec![0x78];
    for unit in units_of(access_unit) {
        if !UnitKind::of(unit[0]).is_slice() {
            aggregate.extend((unit.len() as u16).to_be_bytes());
            aggregate.extend(unit);
            continue;
        }
        if aggregate.len() > 1 {
            payloads.push(std::mem::replace(&mut aggregate, vec![0x78]));
        }
        if unit.len() <= longest {
            payloads.push(unit);
            continue;
        }
        let fragments: Vec<&[u8]> = unit[1..].chunks(longest - 2).collect();
        for (at, fragment) in fragments.iter().enumerate() {
            let start = if at == 0 { 0x80 } else { 0 };
            let end = if at + 1 == fragments.len() { 0x40 } else { 0 };
            let head = [unit[0] & 0xe0 | 28, start | end | unit[0] & 0x1f];
            payloads.push([&head, *fragment].concat());
        }
    }
    payloads
}
