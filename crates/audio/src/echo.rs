//! Whether what somebody's microphone hears is Denizen's own voice out of their speakers.
//!
//! An echo is what was played, later, quieter, and through a room: some filter of it. First the delay is found at which
//! both are most alike, whatever the filter; then it is measured how much of what is heard *any* filter of what was
//! played can explain. One for an echo alone, about a half where somebody speaks as loud as the echo, near nought for
//! somebody who speaks alone.

mod coherence;
mod delay;
mod fourier;

use std::collections::VecDeque;

use crate::decibels::power;
use crate::resample::Resampler;
use crate::{Decibels, EAR_RATE, FRAME, Frame, PER_EAR_SAMPLE, RATE};

use self::coherence::Coherence;
use self::delay::DelayFinder;

/// Samples a second that are compared: what is above 4 kHz says little.
const COMPARED_RATE: u32 = 8_000;
/// Samples at 48,000 a second for one that is compared.
const PER_COMPARED: u64 = (RATE / COMPARED_RATE) as u64;
/// The longest way from Denizen's mouth to somebody's microphone and back here: 1.5 s.
const DELAY_MOST: usize = COMPARED_RATE as usize * 3 / 2;
/// What was played is kept for as long as the longest clip and its delay take.
const KEPT: usize = COMPARED_RATE as usize * 12;
/// What is heard is compared in pieces: at least 160 ms, at most 800 ms.
const PIECE_LEAST: usize = COMPARED_RATE as usize * 160 / 1_000;
const PIECE_MOST: usize = COMPARED_RATE as usize * 800 / 1_000;
/// Nothing below this can come back from anywhere.
const AUDIBLE: Decibels = Decibels(-60.0);

/// How much of what was heard is what was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EchoLikeness {
    /// The part of its power that what was played explains: 0 to 1.
    pub share: f32,
    /// How much later it was heard than played, in milliseconds, where that is known.
    pub delay: Option<u32>,
}

impl EchoLikeness {
    /// Nothing of it.
    pub const NONE: Self = Self {
        share: 0.0,
        delay: None,
    };
}

/// Remembers what was played in a room and compares what its people are heard to say with that.
#[derive(Debug)]
pub struct EchoGuard {
    to_compared: Resampler,
    fresh: Vec<i16>,
    played: VecDeque<i16>,
    /// Where the end of what is kept stands, in compared samples since the beginning.
    end: u64,
    /// Just after the last sound that was played.
    sounded: Option<u64>,
    finder: DelayFinder,
    coherence: Coherence,
}

impl EchoGuard {
    /// For a room in which nothing was played yet; its time begins here.
    pub fn new() -> Self {
        Self {
            to_compared: Resampler::new(RATE, COMPARED_RATE).expect("both rates are within bounds"),
            fresh: Vec::with_capacity(FRAME),
            played: VecDeque::with_capacity(KEPT + FRAME),
            end: 0,
            sounded: None,
            finder: DelayFinder::new(PIECE_MOST, DELAY_MOST),
            coherence: Coherence::new(),
        }
    }

    /// Takes what was played in the next 20 ms, silence too.
    pub fn play(&mut self, frame: &Frame) {
        self.take(frame);
    }

    /// Lets time pass in which nothing was played, in samples at 48,000 a second.
    pub fn rest(&mut self, samples: u64) {
        const NOTHING: Frame = [0; FRAME];
        // What is longer than anything that is kept is only counted.
        let spared = samples.saturating_sub(2 * KEPT as u64 * PER_COMPARED) / PER_COMPARED;
        self.end += spared;
        let mut left = samples - spared * PER_COMPARED;
        while left > 0 {
            let now = left.min(FRAME as u64);
            self.take(&NOTHING[..now as usize]);
            left -= now;
        }
    }

    fn take(&mut self, sound: &[i16]) {
        self.fresh.clear();
        self.to_compared.push(sound, &mut self.fresh);
        self.end += self.fresh.len() as u64;
        if self.fresh.iter().any(|sample| sample.unsigned_abs() > 30) {
            self.sounded = Some(self.end);
        }
        self.played.extend(&self.fresh);
        let gone = self.played.len().saturating_sub(KEPT);
        self.played.drain(..gone);
    }

    /// Compares a clip for ears that begins at this place of the room's time, in samples at 48,000 a second.
    pub fn likeness(&mut self, samples_16k: &[i16], begins: u64) -> EchoLikeness {
        if !self.may_echo(begins) {
            return EchoLikeness::NONE;
        }
        let heard = Resampler::convert(EAR_RATE, COMPARED_RATE, samples_16k).unwrap_or_default();
        let begins = begins / PER_COMPARED;
        let pieces = heard.len().div_ceil(PIECE_MOST).max(1);
        let length = heard.len().div_ceil(pieces).max(1);
        let mut explained = 0.0;
        let mut whole = 0.0;
        let mut best = EchoLikeness::NONE;
        for (number, piece) in heard.chunks(length).enumerate() {
            let weight = power(piece) * piece.len() as f32;
            whole += weight;
            let likeness = self.compare(piece, begins + (number * length) as u64);
            explained += weight * likeness.share;
            if likeness.share > best.share {
                best = likeness;
            }
        }
        if whole == 0.0 {
            return EchoLikeness::NONE;
        }
        EchoLikeness {
            share: explained / whole,
            delay: best.delay,
        }
    }

    /// Whether anything was played so late that it could be heard from here on.
    fn may_echo(&self, begins: u64) -> bool {
        self.sounded
            .is_some_and(|sounded| sounded + DELAY_MOST as u64 >= begins / PER_COMPARED)
    }

    fn compare(&mut self, heard: &[i16], begins: u64) -> EchoLikeness {
        if heard.len() < PIECE_LEAST || Decibels::of_power(power(heard)) < AUDIBLE {
            return EchoLikeness::NONE;
        }
        // From so long before as a sound can take, up to the end of what is heard.
        let first = begins.saturating_sub(DELAY_MOST as u64);
        let lead = (begins - first) as usize;
        let played = self.between(first, lead + heard.len());
        if Decibels::of_power(power(&played)) < AUDIBLE {
            return EchoLikeness::NONE;
        }
        let mut best = EchoLikeness::NONE;
        for delay in self.finder.find(heard, &played, lead) {
            let from = lead - delay;
            let share = self.coherence.explained(heard, &played[from..from + heard.len()]);
            if share > best.share {
                best = EchoLikeness {
                    share,
                    delay: Some((delay * 1_000 / COMPARED_RATE as usize) as u32),
                };
            }
        }
        best
    }

    /// What was played from a time on; before and after what is kept is silence.
    fn between(&self, first: u64, length: usize) -> Vec<i16> {
        let begin = self.end - self.played.len() as u64;
        (first..first + length as u64)
            .map(|at| {
                let index = at.checked_sub(begin);
                index
                    .and_then(|index| self.played.get(index as usize))
                    .copied()
                    .unwrap_or(0)
            })
            .collect()
    }
}

impl Default for EchoGuard {
    fn default() -> Self {
        Self::new()
    }
}

const _: () = assert!(PER_COMPARED == 2 * PER_EAR_SAMPLE);

#[cfg(test)]
#[path = "echo_tests.rs"]
mod tests;
