//! The log-mel picture of sound that models of the Whisper family look at.
//!
//! A window of 25 ms each 10 ms, its spectrum gathered into 80 bands that are as wide as ears hear them, each as the
//! logarithm of its power, within eight decades of the loudest.

use std::f64::consts::PI;

use crate::EAR_RATE;

/// Samples of a window: at 16,000 a second 25 ms.
const WINDOW: usize = 400;
/// Samples from one window to the next.
const HOP: usize = 160;
/// Bands of a picture.
pub const BANDS: usize = 80;
/// The spectrum of a window of real numbers has so many places that differ.
const PLACES: usize = WINDOW / 2 + 1;
/// No power is taken for less.
const FLOOR: f64 = 1e-10;
/// Sound that hardly varies is not made louder without bounds.
const LEAST_VARIANCE: f32 = 1e-7;

/// Makes pictures of the last so many seconds.
#[derive(Debug)]
pub struct LogMel {
    seconds: usize,
    shape: Vec<f64>,
    roots: Vec<Complex>,
    /// For each band its first place, and how much it takes of that and of the next.
    bands: Vec<(usize, Vec<f64>)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Complex {
    real: f64,
    imaginary: f64,
}

impl LogMel {
    /// For pictures of so many seconds.
    pub fn new(seconds: usize) -> Self {
        let angle = |place: usize| 2.0 * PI * place as f64 / WINDOW as f64;
        Self {
            seconds: seconds.max(1),
            shape: (0..WINDOW).map(|place| 0.5 - 0.5 * angle(place).cos()).collect(),
            roots: (0..WINDOW)
                .map(|place| Complex {
                    real: angle(place).cos(),
                    imaginary: -angle(place).sin(),
                })
                .collect(),
            bands: bands(),
        }
    }

    /// Columns of a picture.
    pub fn columns(&self) -> usize {
        self.seconds * EAR_RATE as usize / HOP
    }

    /// The picture of the end of a sound of 16,000 samples a second, a band after the other. What is shorter has silence
    /// before it.
    pub fn picture(&self, sound: &[i16]) -> Vec<f32> {
        let sound = self.evened(sound);
        let columns = self.columns();
        let mut picture = vec![0.0_f64; BANDS * columns];
        let mut windows = [Complex::default(); WINDOW];
        let mut spectrum = [Complex::default(); WINDOW];
        // Two windows of real numbers go through one transform of complex ones.
        for column in (0..columns).step_by(2) {
            for (place, both) in windows.iter_mut().enumerate() {
                let at = |column: usize| mirrored(&sound, column * HOP + place) * self.shape[place];
                *both = Complex {
                    real: at(column),
                    imaginary: at(column + 1),
                };
            }
            transform(&windows, 1, &mut spectrum, &self.roots);
            let powers = apart(&spectrum);
            for (power, column) in powers.iter().zip([column, column + 1]) {
                for (band, (first, shares)) in self.bands.iter().enumerate() {
                    let taken = power[*first..].iter().zip(shares);
                    let sum: f64 = taken.map(|(power, share)| power * share).sum();
                    picture[band * columns + column] = sum.max(FLOOR).log10();
                }
            }
        }
        let loudest = picture.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        picture
            .into_iter()
            .map(|power| ((power.max(loudest - 8.0) + 4.0) / 4.0) as f32)
            .collect()
    }

    /// The end of a sound, with a mean of nought and a variance of one.
    fn evened(&self, sound: &[i16]) -> Vec<f32> {
        let length = self.seconds * EAR_RATE as usize;
        let end = &sound[sound.len().saturating_sub(length)..];
        let mut evened = vec![0.0_f32; length - end.len()];
        evened.extend(end.iter().map(|sample| f32::from(*sample) / 32_768.0));
        let mean = evened.iter().map(|sample| f64::from(*sample)).sum::<f64>() / length as f64;
        let variance = evened
            .iter()
            .map(|sample| (f64::from(*sample) - mean).powi(2))
            .sum::<f64>()
            / length as f64;
        let scale = (variance as f32 + LEAST_VARIANCE).sqrt();
        for sample in &mut evened {
            *sample = (*sample - mean as f32) / scale;
        }
        evened
    }
}

/// The sample at a place of a sound that is mirrored at both ends by half a window.
fn mirrored(sound: &[f32], place: usize) -> f64 {
    let place = place.abs_diff(WINDOW / 2);
    let last = sound.len() - 1;
    let place = if place > last {
        (2 * last).saturating_sub(place)
    } else {
        place
    };
    f64::from(sound[place])
}

/// The spectrum of every `step`th number: halves while that goes, then directly.
fn transform(numbers: &[Complex], step: usize, spectrum: &mut [Complex], roots: &[Complex]) {
    let length = spectrum.len();
    if length % 2 == 1 {
        for (place, found) in spectrum.iter_mut().enumerate() {
            let mut sum = Complex::default();
            let mut turn = 0;
            for number in numbers.iter().step_by(step).take(length) {
                let part = times(*number, roots[turn]);
                sum.real += part.real;
                sum.imaginary += part.imaginary;
                turn = (turn + place * step) % WINDOW;
            }
            *found = sum;
        }
        return;
    }
    let (even, odd) = spectrum.split_at_mut(length / 2);
    transform(numbers, step * 2, even, roots);
    transform(&numbers[step..], step * 2, odd, roots);
    for (place, (even, odd)) in even.iter_mut().zip(odd).enumerate() {
        let turned = times(*odd, roots[place * step]);
        *odd = Complex {
            real: even.real - turned.real,
            imaginary: even.imaginary - turned.imaginary,
        };
        even.real += turned.real;
        even.imaginary += turned.imaginary;
    }
}

fn times(left: Complex, right: Complex) -> Complex {
    Complex {
        real: left.real * right.real - left.imaginary * right.imaginary,
        imaginary: left.real * right.imaginary + left.imaginary * right.real,
    }
}

/// The powers of two windows of real numbers that went through as one of complex ones.
fn apart(spectrum: &[Complex; WINDOW]) -> [[f64; PLACES]; 2] {
    let mut powers = [[0.0; PLACES]; 2];
    for place in 0..PLACES {
        let (here, there) = (spectrum[place], spectrum[(WINDOW - place) % WINDOW]);
        let square = |real: f64, imaginary: f64| (real * real + imaginary * imaginary) / 4.0;
        powers[0][place] = square(here.real + there.real, here.imaginary - there.imaginary);
        powers[1][place] = square(here.imaginary + there.imaginary, here.real - there.real);
    }
    powers
}

/// Triangles of equal area, side by side on Slaney's scale: even below 1,000 Hz, logarithmic above.
fn bands() -> Vec<(usize, Vec<f64>)> {
    let highest = f64::from(EAR_RATE) / 2.0;
    let corners: Vec<f64> = (0..BANDS + 2)
        .map(|corner| hertz(mel(highest) * corner as f64 / (BANDS + 1) as f64))
        .collect();
    let corners = corners.windows(3);
    corners
        .map(|corners| {
            let (low, middle, high) = (corners[0], corners[1], corners[2]);
            let share = |place: usize| {
                let hertz = place as f64 * highest / (PLACES - 1) as f64;
                let slope = ((hertz - low) / (middle - low)).min((high - hertz) / (high - middle));
                slope.max(0.0) * 2.0 / (high - low)
            };
            let inside = |place: &usize| share(*place) > 0.0;
            let first = (0..PLACES).find(inside).unwrap_or(0);
            (
                first,
                (first..PLACES)
                    .map(share)
                    .take_while(|share| *share > 0.0)
                    .collect(),
            )
        })
        .collect()
}

/// Where Slaney's scale is no longer even.
const EVEN_HERTZ: f64 = 1_000.0;
const EVEN_MELS: f64 = 15.0;
/// Mels for each factor of e above that.
fn mels_per_e() -> f64 {
    27.0 / 6.4_f64.ln()
}

fn mel(hertz: f64) -> f64 {
    match hertz < EVEN_HERTZ {
        true => hertz * EVEN_MELS / EVEN_HERTZ,
        false => EVEN_MELS + (hertz / EVEN_HERTZ).ln() * mels_per_e(),
    }
}

fn hertz(mel: f64) -> f64 {
    match mel < EVEN_MELS {
        true => mel * EVEN_HERTZ / EVEN_MELS,
        false => EVEN_HERTZ * ((mel - EVEN_MELS) / mels_per_e()).exp(),
    }
}

#[cfg(test)]
#[path = "mel_tests.rs"]
mod tests;
