//! Made-up and mangled VP8: nothing panics, and a picture that comes of it is whole.

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Depacketiser, decode_key_frame};
use crate::rtp::{Arrived, Packet};

const KEY: &[u8] = include_bytes!("data/key.vp8");

proptest! {
    #[test]
    fn made_up_packets_are_survived(
        made_up in vec((0u16..30, 0u32..3, any::<bool>(), vec(any::<u8>(), 0..40)), 0..40),
    ) {
        let mut depacketiser = Depacketiser::new();
        for (at, (sequence, timestamp, marker, payload)) in made_up.into_iter().enumerate() {
            let packet = Packet { sequence, timestamp, marker, payload: payload.into() };
            depacketiser.push(packet, Duration::from_millis(at as u64 * 20));
            while let Some(arrived) = depacketiser.next() {
                if let Arrived::Frame(frame) = arrived {
                    let _ = decode_key_frame(&frame);
                }
            }
        }
    }

    #[test]
    fn key_frames_with_flipped_bits_and_cut_ends_are_survived(
        flips in vec(0usize..KEY.len() * 8, 0..20),
        length in 0usize..=KEY.len(),
        tail in vec(any::<u8>(), 0..200),
    ) {
        let mut frame = [&KEY[..length], &tail].concat();
        for bit in flips {
            // The size stays small, so that a run stays quick; sizes have tests of their own.
            if !(48..80).contains(&bit) && bit / 8 < frame.len() {
                frame[bit / 8] ^= 1 << (bit % 8);
            }
        }
        if length >= 10 && let Ok(picture) = decode_key_frame(&frame) {
            prop_assert_eq!((picture.width, picture.height), (70, 50));
            prop_assert_eq!(picture.y.len(), 3500);
        }
    }
}
