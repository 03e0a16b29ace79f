//! Levels as people read them: decibels below full scale.

use std::fmt;

/// A level in decibels relative to a full-scale signal: 0 is the loudest, [`Decibels::SILENCE`] the least.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Decibels(pub f32);

impl Decibels {
    /// What digital silence counts as.
    pub const SILENCE: Self = Self(-100.0);

    /// Of an amplitude, where 1 is full scale.
    pub fn of_amplitude(amplitude: f32) -> Self {
        Self::of_power(amplitude * amplitude)
    }

    /// Of a mean square, where 1 is full scale.
    pub fn of_power(power: f32) -> Self {
        if power <= 1e-10 {
            return Self::SILENCE;
        }
        Self(10.0 * power.log10())
    }

    /// The mean level of samples.
    pub fn of_samples(samples: &[i16]) -> Self {
        Self::of_power(power(samples))
    }

    /// The level of the largest sample.
    pub fn of_peak(samples: &[i16]) -> Self {
        Self::of_amplitude(peak(samples))
    }

    /// The amplitude that a signal of this level has.
    pub fn amplitude(self) -> f32 {
        10_f32.powf(self.0 / 20.0)
    }
}

impl fmt::Display for Decibels {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.1} dB", self.0)
    }
}

/// The mean square of samples, where 1 is full scale.
pub fn power(samples: &[i16]) -> f32 {
    if samples.is_empty() {
        return 0.0;
    }
    let sum: i64 = samples
        .iter()
        .map(|sample| i64::from(i32::from(*sample) * i32::from(*sample)))
        .sum();
    (sum as f64 / samples.len() as f64 / FULL_SCALE_SQUARE) as f32
}

/// The largest amplitude of samples, where 1 is full scale.
pub fn peak(samples: &[i16]) -> f32 {
    let largest = samples.iter().map(|sample| sample.unsigned_abs()).max();
    f32::from(largest.unwrap_or(0)) / FULL_SCALE
}

/// A float as a sample: rounded, and cut off where it is beyond full scale.
pub fn sample(value: f32) -> i16 {
    // A cast of floats to integers saturates, and what is no number becomes nothing.
    value.round() as i16
}

/// The amplitude of a full-scale sample.
pub const FULL_SCALE: f32 = 32_768.0;
const FULL_SCALE_SQUARE: f64 = 32_768.0 * 32_768.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_scale_is_nothing_and_half_of_it_six_less() {
        let square = [i16::MIN; 4];
        assert_eq!(Decibels::of_samples(&square), Decibels(0.0));
        let half = [16_384_i16, -16_384];
        assert!((Decibels::of_samples(&half).0 + 6.02).abs() < 0.01);
        assert!((Decibels::of_peak(&half).amplitude() - 0.5).abs() < 0.001);
    }

    #[test]
    fn silence_and_nothing_at_all_are_the_least() {
        assert_eq!(Decibels::of_samples(&[0; 100]), Decibels::SILENCE);
        assert_eq!(Decibels::of_samples(&[]), Decibels::SILENCE);
        assert_eq!(Decibels::of_peak(&[]), Decibels::SILENCE);
    }

    #[test]
    fn a_float_beyond_full_scale_is_cut_off_and_no_number_is_silence() {
        assert_eq!(sample(70_000.0), i16::MAX);
        assert_eq!(sample(-70_000.0), i16::MIN);
        assert_eq!(sample(f32::NAN), 0);
        assert_eq!(sample(0.6), 1);
    }
}
