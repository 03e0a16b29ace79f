//! At which delay two sounds are most alike, whatever filter is between them.

use super::fourier::{Complex, Fourier};

/// Delays that are offered.
const OFFERED: usize = 3;
/// Two delays that are nearer than this are one: 4 ms.
const APART: usize = 32;
/// How far every frequency counts the same: nought is plain correlation, one looks at phases alone.
const WHITENED: f32 = 0.8;

/// Finds delays up to a longest one.
#[derive(Clone, Debug)]
pub struct DelayFinder {
    fourier: Fourier,
    heard: Vec<Complex>,
    played: Vec<Complex>,
}

impl DelayFinder {
    /// For sounds of at most so many samples, and delays of at most so many.
    pub fn new(sound: usize, delay: usize) -> Self {
        // Twice the sound, so that its end does not meet the beginning of what was played.
        let fourier = Fourier::of_at_least(2 * sound + delay);
        let nothing = vec![Complex::default(); fourier.length()];
        Self {
            fourier,
            heard: nothing.clone(),
            played: nothing,
        }
    }

    /// The most likely delays. What was played begins `lead` samples before what is heard.
    pub fn find(&mut self, heard: &[i16], played: &[i16], lead: usize) -> Vec<usize> {
        fill(&mut self.heard, heard);
        fill(&mut self.played, played);
        self.fourier.forward(&mut self.heard);
        self.fourier.forward(&mut self.played);
        for (heard, played) in self.heard.iter_mut().zip(&self.played) {
            let crossed = played.times(heard.conjugate());
            let strength = crossed.power();
            let factor = if strength > 1e-6 {
                strength.powf(-0.5 * WHITENED)
            } else {
                0.0
            };
            *heard = crossed.scaled(factor);
        }
        self.fourier.backward(&mut self.heard);
        // At place p what is heard fits what was played from p on: it is late by what is left of the lead.
        let fits: Vec<f32> = self.heard[..=lead].iter().map(|value| value.real.abs()).collect();
        let mut found: Vec<usize> = Vec::with_capacity(OFFERED);
        while found.len() < OFFERED {
            let best = (0..fits.len())
                .filter(|place| found.iter().all(|other| place.abs_diff(*other) > APART))
                .max_by(|left, right| fits[*left].total_cmp(&fits[*right]));
            match best {
                Some(place) => found.push(place),
                None => break,
            }
        }
        found.into_iter().map(|place| lead - place).collect()
    }
}

fn fill(values: &mut [Complex], samples: &[i16]) {
    values.fill(Complex::default());
    for (value, sample) in values.iter_mut().zip(samples) {
        *value = Complex::of(f32::from(*sample));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Decibels;
    use crate::fixtures::noise;

    #[test]
    fn a_known_delay_is_found() {
        let played = noise(5, 8_000, Decibels(-20.0));
        let mut finder = DelayFinder::new(3_000, 5_000);
        for delay in [0, 1, 777, 4_999] {
            let heard: Vec<i16> = played[5_000 - delay..8_000 - delay]
                .iter()
                .map(|sample| sample / 9)
                .collect();
            assert_eq!(finder.find(&heard, &played, 5_000)[0], delay);
        }
    }
}
