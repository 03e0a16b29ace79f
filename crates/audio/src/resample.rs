//! From one number of samples a second to another, piece by piece and without clicks where pieces meet.
//!
//! A windowed sinc in as many phases as the two rates need. A sample that comes out stands at the same time as in what
//! went in; the filter looks ahead, so the last half millisecond or so stays inside until more comes, or until the end.

use std::f64::consts::PI;

use crate::decibels::sample;

/// The least and the most samples a second that can be converted.
pub const RATES: std::ops::RangeInclusive<u32> = 4_000..=384_000;

/// Zero crossings of the sinc on each side.
const CROSSINGS: usize = 16;
/// How much of the band below the lower rate's limit passes; the rest is the slope of the filter.
const PASSED: f64 = 0.92;
/// The window's shape: about 80 dB of what would fold over is kept out.
const KAISER_BETA: f64 = 8.0;
/// Phases at most; rates that need more take the nearest of so many.
const PHASES_MAX: u64 = 1_024;

/// A rate outside of [`RATES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} samples a second: between {min} and {max} can be converted", min = RATES.start(), max = RATES.end())]
pub struct RateError(pub u32);

/// Converts one stream; each stream has its own.
#[derive(Clone, Debug)]
pub struct Resampler {
    /// The rates, divided by what they share: so many in make so many out.
    input_step: u64,
    output_step: u64,
    /// Coefficients of one phase after the other; none where the rates are the same.
    coefficients: Vec<f32>,
    taps: usize,
    phases: u64,
    /// What went in and is still needed.
    history: Vec<f32>,
    /// Where the next sample stands: whole samples into the history, and parts of `output_step`.
    whole: usize,
    part: u64,
    /// Samples that went in, and that came out.
    taken: u64,
    given: u64,
}

impl Resampler {
    /// Between two rates, each within [`RATES`].
    pub fn new(from: u32, to: u32) -> Result<Self, RateError> {
        if let Some(rate) = [from, to].into_iter().find(|rate| !RATES.contains(rate)) {
            return Err(RateError(rate));
        }
        let shared = greatest_shared(u64::from(from), u64::from(to));
        let input_step = u64::from(from) / shared;
        let output_step = u64::from(to) / shared;
        let phases = output_step.min(PHASES_MAX);
        // A lower rate needs a lower limit, and so a longer filter.
        let limit = (f64::from(to) / f64::from(from)).min(1.0);
        let side = (CROSSINGS as f64 / limit).ceil() as usize;
        let taps = if from == to { 0 } else { 2 * side };
        let mut this = Self {
            input_step,
            output_step,
            coefficients: coefficients(phases, taps, limit),
            taps,
            phases,
            history: Vec::with_capacity(2 * taps),
            whole: 0,
            part: 0,
            taken: 0,
            given: 0,
        };
        this.reset();
        Ok(this)
    }

    /// All of a recording at once.
    pub fn convert(from: u32, to: u32, input: &[i16]) -> Result<Vec<i16>, RateError> {
        let mut resampler = Self::new(from, to)?;
        let mut output = Vec::with_capacity(resampler.outputs(input.len() as u64) as usize);
        resampler.push(input, &mut output);
        resampler.finish(&mut output);
        Ok(output)
    }

    /// Takes what comes next, and appends what it makes.
    pub fn push(&mut self, input: &[i16], output: &mut Vec<i16>) {
        self.taken += input.len() as u64;
        if self.taps == 0 {
            output.extend_from_slice(input);
            self.given += input.len() as u64;
            return;
        }
        self.history.extend(input.iter().map(|sample| f32::from(*sample)));
        self.give(output, u64::MAX);
    }

    /// Appends what is still inside: so much has then come out as is due for all that went in. Begins anew.
    pub fn finish(&mut self, output: &mut Vec<i16>) {
        let due = self.outputs(self.taken);
        if self.taps > 0 && self.given < due {
            self.history.extend(std::iter::repeat_n(0.0, self.taps));
            self.give(output, due - self.given);
        }
        self.reset();
    }

    /// Begins anew: what went in so far is forgotten.
    pub fn reset(&mut self) {
        self.history.clear();
        // Before the beginning was silence.
        self.history.extend(std::iter::repeat_n(0.0, self.taps / 2));
        self.whole = 0;
        self.part = 0;
        self.taken = 0;
        self.given = 0;
    }

    /// How many samples are due for so many that went in.
    fn outputs(&self, inputs: u64) -> u64 {
        (inputs * self.output_step).div_ceil(self.input_step)
    }

    fn give(&mut self, output: &mut Vec<i16>, most: u64) {
        let mut given = 0;
        while given < most && self.whole + self.taps < self.history.len() {
            let phase = (self.part * self.phases / self.output_step) as usize;
            let coefficients = &self.coefficients[phase * self.taps..(phase + 1) * self.taps];
            // The window begins after the sample that lies half a filter before.
            let window = &self.history[self.whole + 1..=self.whole + self.taps];
            output.push(sample(product(coefficients, window)));
            given += 1;
            self.part += self.input_step;
            self.whole += (self.part / self.output_step) as usize;
            self.part %= self.output_step;
        }
        self.given += given;
        let gone = self.whole.min(self.history.len());
        self.history.drain(..gone);
        self.whole -= gone;
    }
}

/// The sum of products, in lanes that a compiler makes vectors of.
fn product(left: &[f32], right: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0_f32; LANES];
    let (left_lanes, left_rest) = left.as_chunks::<LANES>();
    let (right_lanes, right_rest) = right.as_chunks::<LANES>();
    for (left, right) in left_lanes.iter().zip(right_lanes) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest: f32 = left_rest
        .iter()
        .zip(right_rest)
        .map(|(left, right)| left * right)
        .sum();
    sums.iter().sum::<f32>() + rest
}

/// Each phase's coefficients add up to one, so that no phase is louder than another.
fn coefficients(phases: u64, taps: usize, limit: f64) -> Vec<f32> {
    let middle = taps as f64 / 2.0;
    let mut all = Vec::with_capacity(phases as usize * taps);
    for phase in 0..phases {
        let offset = phase as f64 / phases as f64;
        let row: Vec<f64> = (0..taps)
            .map(|tap| {
                let time = tap as f64 + 1.0 - middle - offset;
                sinc(time * limit * PASSED) * kaiser(time / middle)
            })
            .collect();
        let sum: f64 = row.iter().sum();
        all.extend(row.iter().map(|value| (value / sum) as f32));
    }
    all
}

fn sinc(time: f64) -> f64 {
    if time.abs() < 1e-9 {
        return 1.0;
    }
    (PI * time).sin() / (PI * time)
}

/// The window of Kaiser between -1 and 1.
fn kaiser(at: f64) -> f64 {
    let inside = (1.0 - at * at).max(0.0);
    bessel(KAISER_BETA * inside.sqrt()) / bessel(KAISER_BETA)
}

/// The modified Bessel function of the first kind, of order nought, as its series.
fn bessel(at: f64) -> f64 {
    let quarter = at * at / 4.0;
    let mut term = 1.0;
    let mut sum = 1.0;
    for index in 1..40 {
        term *= quarter / f64::from(index * index);
        sum += term;
    }
    sum
}

fn greatest_shared(left: u64, right: u64) -> u64 {
    if right == 0 {
        left
    } else {
        greatest_shared(right, left % right)
    }
}

#[cfg(test)]
#[path = "resample_tests.rs"]
mod tests;
