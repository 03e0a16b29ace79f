//! Everybody at once, for each listener without themselves.
//!
//! The sum of all is made once for a frame; a listener's mix is that sum less what they said. What would be too loud is
//! turned down smoothly, so that nothing wraps and little is cut off.

use crate::decibels::sample;
use crate::{FRAME, Frame};

/// Where turning down begins, of full scale.
const CEILING: f32 = 29_000.0;
/// Samples in which a lower gain is reached: a millisecond.
const ATTACK: usize = 48;
/// How much of the way back to full gain is gone in a frame.
const RELEASE: f32 = 0.1;

/// Adds up the sounds of one frame.
#[derive(Clone, Debug)]
pub struct Mixer {
    total: [i32; FRAME],
    sounds: usize,
}

impl Mixer {
    /// With nothing in it yet.
    pub fn new() -> Self {
        Self {
            total: [0; FRAME],
            sounds: 0,
        }
    }

    /// Begins the next frame.
    pub fn clear(&mut self) {
        self.total.fill(0);
        self.sounds = 0;
    }

    /// Adds what somebody says; whoever is silent need not be added.
    pub fn add(&mut self, sound: &Frame) {
        // Far more than there can be: 65,536 of the loudest would fit.
        for (total, sample) in self.total.iter_mut().zip(sound) {
            *total = total.saturating_add(i32::from(*sample));
        }
        self.sounds += 1;
    }

    /// The frame for somebody who says nothing, or is nobody: of all sounds.
    pub fn for_all(&self, limiter: &mut Limiter, mix: &mut Frame) {
        if self.sounds == 0 {
            limiter.rest();
            mix.fill(0);
        } else {
            limiter.limit(&self.total, mix);
        }
    }

    /// The frame for whoever said this, which must have been added: of all other sounds.
    pub fn without(&self, own: &Frame, limiter: &mut Limiter, mix: &mut Frame) {
        if self.sounds <= 1 {
            limiter.rest();
            mix.fill(0);
            return;
        }
        let mut others = self.total;
        for (other, own) in others.iter_mut().zip(own) {
            *other = other.saturating_sub(i32::from(*own));
        }
        limiter.limit(&others, mix);
    }
}

impl Default for Mixer {
    fn default() -> Self {
        Self::new()
    }
}

/// Turns down what is too loud; each listener has their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limiter {
    gain: f32,
}

impl Limiter {
    /// Which leaves everything as it is, so far.
    pub fn new() -> Self {
        Self { gain: 1.0 }
    }

    /// The gain that it has now: 1 where nothing is turned down.
    pub fn gain(&self) -> f32 {
        self.gain
    }

    /// Makes samples of a sum.
    pub fn limit(&mut self, sum: &[i32; FRAME], mix: &mut Frame) {
        let peak = sum.iter().map(|value| value.unsigned_abs()).max().unwrap_or(0) as f32;
        let most = if peak > CEILING { CEILING / peak } else { 1.0 };
        let released = self.gain + (1.0 - self.gain) * RELEASE;
        let target = most.min(released);
        let before = self.gain;
        self.gain = if target > 0.999 { 1.0 } else { target };
        if before == 1.0 && self.gain == 1.0 {
            for (mixed, value) in mix.iter_mut().zip(sum) {
                *mixed = (*value).clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
            }
            return;
        }
        // Down quickly, because the loud place may be near; up over the whole frame.
        let steps = if self.gain < before { ATTACK } else { FRAME };
        let step = (self.gain - before) / steps as f32;
        for (at, (mixed, value)) in mix.iter_mut().zip(sum).enumerate() {
            let gain = if at < steps {
                before + step * at as f32
            } else {
                self.gain
            };
            *mixed = sample(*value as f32 * gain);
        }
    }

    /// A frame of silence passes.
    pub fn rest(&mut self) {
        self.gain += (1.0 - self.gain) * RELEASE;
    }
}

impl Default for Limiter {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
#[path = "mix_tests.rs"]
mod tests;
