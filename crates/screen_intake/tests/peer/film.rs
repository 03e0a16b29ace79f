//! Pictures for a stream: of one brightness, with a noisy bar that wanders, so that there is something to encode.

use openh264::OpenH264API;
use openh264::encoder::{Encoder, EncoderConfig, IntraFramePeriod, RateControlMode};
use openh264::formats::YUVBuffer;

pub struct Film {
    encoder: Encoder,
    width: usize,
    height: usize,
    frame: usize,
}

impl Film {
    pub fn new(width: usize, height: usize) -> Self {
        let config = EncoderConfig::new()
            .rate_control_mode(RateControlMode::Off)
            .scene_change_detect(false)
            .skip_frames(false)
            .intra_frame_period(IntraFramePeriod::from_num_frames(100_000));
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config).expect("an encoder");
        Self {
            encoder,
            width,
            height,
            frame: 0,
        }
    }

    pub fn frame(&mut self, brightness: u8, is_key_frame: bool) -> Vec<u8> {
        let mut yuv = vec![128; self.width * self.height * 3 / 2];
        let bar = self.frame * 8 % self.width;
        for (at, level) in yuv[..self.width * self.height].iter_mut().enumerate() {
            let in_bar = (bar..bar + 8).contains(&(at % self.width));
            *level = if in_bar {
                (at * 31 % 97 + 80) as u8
            } else {
                brightness
            };
        }
        self.frame += 1;
        if is_key_frame {
            self.encoder.force_intra_frame();
        }
        let source = YUVBuffer::from_vec(yuv, self.width, self.height);
        self.encoder.encode(&source).expect("a frame").to_vec()
    }
}
