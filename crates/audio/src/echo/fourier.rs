//! The Fourier transform, for lengths that are powers of two.

use std::f32::consts::TAU;

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    pub real: f32,
    pub imaginary: f32,
}

impl Complex {
    pub fn of(real: f32) -> Self {
        Self { real, imaginary: 0.0 }
    }

    pub fn times(self, other: Self) -> Self {
        Self {
            real: self.real * other.real - self.imaginary * other.imaginary,
            imaginary: self.real * other.imaginary + self.imaginary * other.real,
        }
    }

    pub fn plus(self, other: Self) -> Self {
        Self {
            real: self.real + other.real,
            imaginary: self.imaginary + other.imaginary,
        }
    }

    pub fn minus(self, other: Self) -> Self {
        Self {
            real: self.real - other.real,
            imaginary: self.imaginary - other.imaginary,
        }
    }

    pub fn conjugate(self) -> Self {
        Self {
            imaginary: -self.imaginary,
            ..self
        }
    }

    pub fn scaled(self, factor: f32) -> Self {
        Self {
            real: self.real * factor,
            imaginary: self.imaginary * factor,
        }
    }

    /// The square of its length.
    pub fn power(self) -> f32 {
        self.real * self.real + self.imaginary * self.imaginary
    }
}

/// Transforms of one length.
#[derive(Clone, Debug)]
pub struct Fourier {
    turns: Vec<Complex>,
    length: usize,
}

impl Fourier {
    /// Of at least so many values.
    pub fn of_at_least(values: usize) -> Self {
        let length = values.next_power_of_two().max(2);
        let turns = (0..length / 2)
            .map(|at| {
                let angle = -TAU * at as f32 / length as f32;
                Complex {
                    real: angle.cos(),
                    imaginary: angle.sin(),
                }
            })
            .collect();
        Self { turns, length }
    }

    pub fn length(&self) -> usize {
        self.length
    }

    /// Transforms in place; there must be as many values as the length.
    pub fn forward(&self, values: &mut [Complex]) {
        debug_assert_eq!(values.len(), self.length);
        let bits = self.length.trailing_zeros();
        for at in 0..values.len() {
            let mirrored = at.reverse_bits() >> (usize::BITS - bits);
            if at < mirrored {
                values.swap(at, mirrored);
            }
        }
        let mut half = 1;
        while half < values.len() {
            let stride = self.length / (2 * half);
            for group in values.chunks_exact_mut(2 * half) {
                let (low, high) = group.split_at_mut(half);
                for (at, (low, high)) in low.iter_mut().zip(high).enumerate() {
                    let turned = high.times(self.turns[at * stride]);
                    *high = low.minus(turned);
                    *low = low.plus(turned);
                }
            }
            half *= 2;
        }
    }

    /// The way back, times the length; of what is the transform of real values, mirrored in time.
    pub fn backward(&self, values: &mut [Complex]) {
        for value in values.iter_mut() {
            *value = value.conjugate();
        }
        self.forward(values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_is_the_same() {
        let fourier = Fourier::of_at_least(60);
        assert_eq!(fourier.length(), 64);
        let before: Vec<Complex> = (0..64_u32).map(|at| Complex::of((at * at % 17) as f32)).collect();
        let mut values = before.clone();
        fourier.forward(&mut values);
        fourier.backward(&mut values);
        for (value, before) in values.iter().zip(&before) {
            assert!((value.real / 64.0 - before.real).abs() < 1e-4);
        }
    }

    #[test]
    fn a_wave_is_one_line() {
        let fourier = Fourier::of_at_least(32);
        let mut values: Vec<Complex> = (0..32)
            .map(|at| Complex::of((TAU * 3.0 * at as f32 / 32.0).cos()))
            .collect();
        fourier.forward(&mut values);
        for (at, value) in values.iter().enumerate() {
            let expected = if at == 3 || at == 29 { 16.0 } else { 0.0 };
            assert!((value.power().sqrt() - expected).abs() < 1e-4, "{at}");
        }
    }
}
