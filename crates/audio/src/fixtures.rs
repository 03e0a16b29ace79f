//! Sounds for tests: sentences of several voices, noise from a seed, and what rooms and distance do to them.
//!
//! `tools/speech-fixtures.py` makes the files.

use crate::resample::Resampler;
use crate::wav::Recording;
use crate::{Decibels, EAR_RATE, RATE};

/// A sentence of one voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    Ann,
    Bob,
    Cleo,
    Dan,
    Mhm,
}

impl Voice {
    pub const SENTENCES: [Self; 4] = [Self::Ann, Self::Bob, Self::Cleo, Self::Dan];

    fn file(self) -> &'static [u8] {
        match self {
            Self::Ann => include_bytes!("../fixtures/ann.wav"),
            Self::Bob => include_bytes!("../fixtures/bob.wav"),
            Self::Cleo => include_bytes!("../fixtures/cleo.wav"),
            Self::Dan => include_bytes!("../fixtures/dan.wav"),
            Self::Mhm => include_bytes!("../fixtures/mhm.wav"),
        }
    }

    /// At 48,000 samples a second.
    pub fn sound(self) -> Vec<i16> {
        let recording = Recording::read(self.file()).expect("our own file");
        recording.at(RATE).expect("a common rate")
    }

    /// At 16,000 samples a second.
    pub fn for_ears(self) -> Vec<i16> {
        let recording = Recording::read(self.file()).expect("our own file");
        assert_eq!(recording.rate, EAR_RATE);
        recording.samples
    }
}

/// White noise of a level, the same for the same seed.
pub fn noise(seed: u64, samples: usize, level: Decibels) -> Vec<i16> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    // Evenly spread values have a mean level of their largest over the root of three.
    let largest = level.amplitude() * 3_f32.sqrt() * 32_768.0;
    (0..samples)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let even = (state >> 40) as f32 / (1_u64 << 23) as f32 - 1.0;
            (even * largest) as i16
        })
        .collect()
}

/// Silence, in milliseconds at 48,000 samples a second.
pub fn silence(milliseconds: usize) -> Vec<i16> {
    vec![0; milliseconds * 48]
}

/// The sound with a mean level of its own.
pub fn at_level(sound: &[i16], level: Decibels) -> Vec<i16> {
    let gain = level.amplitude() / Decibels::of_samples(sound).amplitude();
    scaled(sound, gain)
}

/// The sound times a factor, cut off at full scale.
pub fn scaled(sound: &[i16], gain: f32) -> Vec<i16> {
    sound
        .iter()
        .map(|sample| (f32::from(*sample) * gain) as i16)
        .collect()
}

/// Both at once; as long as the longer.
pub fn together(left: &[i16], right: &[i16]) -> Vec<i16> {
    let at = |sound: &[i16], at: usize| sound.get(at).copied().unwrap_or(0);
    (0..left.len().max(right.len()))
        .map(|index| at(left, index).saturating_add(at(right, index)))
        .collect()
}
/// What goes through a telephone: nothing above 4 kHz.
pub fn dull(sound: &[i16]) -> Vec<i16> {
    let narrow = Resampler::convert(RATE, 8_000, sound).expect("a common rate");
    let mut wide = Resampler::convert(8_000, RATE, &narrow).expect("a common rate");
    wide.resize(sound.len(), 0);
    wide
}
