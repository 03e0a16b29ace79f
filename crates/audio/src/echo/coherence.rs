//! How much of one sound any filter of another can explain.

use std::f32::consts::PI;

use super::fourier::{Complex, Fourier};

/// Samples of a window: 32 ms at 8,000 a second. An echo's filter must be shorter than it to be found.
const WINDOW: usize = 256;
/// From one window to the next.
const HOP: usize = WINDOW / 4;
/// Below 150 Hz is mostly hum.
const FIRST_BIN: usize = 5;

/// Compares two sounds of the same length, frequency by frequency.
#[derive(Clone, Debug)]
pub struct Coherence {
    fourier: Fourier,
    window: [f32; WINDOW],
    values: Vec<Complex>,
}

impl Coherence {
    pub fn new() -> Self {
        Self {
            fourier: Fourier::of_at_least(WINDOW),
            window: std::array::from_fn(|at| {
                let sine = (PI * (at as f32 + 0.5) / WINDOW as f32).sin();
                sine * sine
            }),
            values: vec![Complex::default(); WINDOW],
        }
    }

    /// The part of what is heard that a filter of what was played explains: 0 to 1.
    pub fn explained(&mut self, heard: &[i16], played: &[i16]) -> f32 {
        const BINS: usize = WINDOW / 2;
        let mut crossed = [Complex::default(); BINS];
        let mut of_heard = [0.0_f32; BINS];
        let mut of_played = [0.0_f32; BINS];
        let mut windows = 0.0_f32;
        for (heard, played) in heard.windows(WINDOW).zip(played.windows(WINDOW)).step_by(HOP) {
            // Both are real, so one transform does for both: one is the real part, the other the imaginary.
            for at in 0..WINDOW {
                self.values[at] = Complex {
                    real: f32::from(heard[at]) * self.window[at],
                    imaginary: f32::from(played[at]) * self.window[at],
                };
            }
            self.fourier.forward(&mut self.values);
            for bin in FIRST_BIN..BINS {
                let (here, mirrored) = (self.values[bin], self.values[WINDOW - bin].conjugate());
                let heard = here.plus(mirrored).scaled(0.5);
                let difference = here.minus(mirrored).scaled(0.5);
                let played = Complex {
                    real: difference.imaginary,
                    imaginary: -difference.real,
                };
                crossed[bin] = crossed[bin].plus(played.conjugate().times(heard));
                of_heard[bin] += heard.power();
                of_played[bin] += played.power();
            }
            windows += 1.0;
        }
        let whole: f32 = of_heard.iter().sum();
        if whole <= 0.0 {
            return 0.0;
        }
        let explained: f32 = (FIRST_BIN..BINS)
            .filter(|bin| of_played[*bin] > 0.0)
            .map(|bin| crossed[bin].power() / of_played[bin])
            .sum();
        // Even two sounds that have nothing in common explain a little of each other, the more the fewer windows there
        // are; windows that overlap count for less than one each.
        let independent = (windows * HOP as f32 * 2.0 / WINDOW as f32).max(1.5);
        let by_chance = 1.0 / independent;
        ((explained / whole - by_chance) / (1.0 - by_chance)).clamp(0.0, 1.0)
    }
}
