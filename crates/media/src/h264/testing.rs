//! Real streams for tests: made by the engine's own encoder, so that no file and no other program is needed.

use openh264::OpenH264API;
use openh264::encoder::{Encoder, EncoderConfig, IntraFramePeriod, RateControlMode};
use openh264::formats::YUVBuffer;

use super::annex_b::{UnitKind, units};

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
