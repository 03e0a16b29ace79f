//! What was heard and is not given out yet, in blocks, with what is known of each.

use crate::Decibels;
use crate::activity::{Activity, BLOCK};
use crate::decibels::{peak, power};

use super::blocks;
use super::event::Evidence;

/// Of the end of a long capture so much is looked at for a quiet place: a quarter of it, and at most so many blocks.
const SEARCHED: usize = 94;
/// A quiet place is this many blocks wide.
const PLACE: usize = 4;

/// A moment is this many blocks, and a clip's quietest moment says something from so many blocks on.
const MOMENT: usize = 6;
const MOMENTS_FROM: usize = 30;

/// Blocks in the order in which they were heard.
#[derive(Clone, Debug, Default)]
pub struct Capture {
    samples: Vec<i16>,
    notes: Vec<Note>,
    /// Blocks since the beginning of the track, before the first of these.
    before: u64,
    /// Samples at 16,000 a second that were only counted.
    skipped: u64,
    /// What is left of counted samples at 48,000 a second.
    skipped_rest: u64,
}

#[derive(Clone, Copy, Debug)]
struct Note {
    voiced: bool,
    power: f32,
    peak: f32,
}

impl Capture {
    pub fn push(&mut self, block: &[i16; BLOCK], activity: &Activity) {
        self.samples.extend_from_slice(block);
        self.notes.push(Note {
            voiced: activity.voiced,
            power: power(block),
            peak: peak(block),
        });
    }

    /// Blocks that are held.
    pub fn length(&self) -> usize {
        self.notes.len()
    }

    pub fn samples(&self) -> &[i16] {
        &self.samples
    }

    /// Where it begins, in samples at 16,000 a second.
    pub fn begins(&self) -> u64 {
        self.before * BLOCK as u64 + self.skipped
    }

    /// Blocks since the beginning of the track.
    pub fn end(&self) -> u64 {
        self.before + self.notes.len() as u64
    }

    /// Where it ends, in samples at 16,000 a second.
    pub fn end_sample(&self) -> u64 {
        self.end() * BLOCK as u64 + self.skipped
    }

    /// Forgets all but the last blocks.
    pub fn keep_last(&mut self, count: usize) {
        let gone = self.notes.len().saturating_sub(count);
        self.notes.drain(..gone);
        self.samples.drain(..gone * BLOCK);
        self.before += gone as u64;
    }

    /// Counts samples at 48,000 a second that are not heard.
    pub fn skip(&mut self, samples: u64) {
        let all = samples + self.skipped_rest;
        self.skipped += all / crate::PER_EAR_SAMPLE;
        self.skipped_rest = all % crate::PER_EAR_SAMPLE;
    }

    /// Takes everything out, with no more than a tail after the last voice; of what is behind that, so many of the last
    /// blocks stay: the next word may begin in them, too softly to be voice.
    pub fn take(&mut self, tail: usize, stays: usize) -> Vec<i16> {
        let spoken = self.notes.iter().rposition(|note| note.voiced);
        let taken = spoken.map_or(0, |last| (last + 1 + tail).min(self.notes.len()));
        let samples = self.samples[..taken * BLOCK].to_vec();
        self.keep_last(stays.min(self.notes.len() - taken));
        samples
    }

    /// Splits off what comes after the quietest place near the end.
    pub fn split_at_quietest(&mut self) -> Self {
        let length = self.notes.len();
        let first = length - (length / 4).min(SEARCHED);
        let quietest = self.notes[first..]
            .windows(PLACE)
            .enumerate()
            .min_by(|(_, left), (_, right)| loudness(left).total_cmp(&loudness(right)))
            .map_or(length, |(at, _)| first + at + PLACE / 2);
        Self {
            samples: self.samples.split_off(quietest * BLOCK),
            notes: self.notes.split_off(quietest),
            before: self.before + quietest as u64,
            ..*self
        }
    }

    pub fn evidence(&self, noise: Decibels) -> Evidence {
        let voiced = self.notes.iter().filter(|note| note.voiced);
        let count = voiced.clone().count();
        let power: f32 = voiced.map(|note| note.power).sum();
        let peak = self.notes.iter().map(|note| note.peak).fold(0.0, f32::max);
        let first = self.notes.iter().position(|note| note.voiced);
        let last = self.notes.iter().rposition(|note| note.voiced);
        let spoken = first.zip(last).map_or(0, |(first, last)| last + 1 - first);
        Evidence {
            spoken: blocks(spoken as u64),
            voiced: blocks(count as u64),
            peak: Decibels::of_amplitude(peak),
            level: Decibels::of_power(power / count.max(1) as f32),
            noise: self.quietest_moment().map_or(
                noise,
                |quietest| {
                    if quietest > noise { quietest } else { noise }
                },
            ),
        }
    }

    /// How loud its quietest moment is; speech has pauses, and steady sounds have none.
    fn quietest_moment(&self) -> Option<Decibels> {
        if self.notes.len() < MOMENTS_FROM {
            return None;
        }
        let quietest = self
            .notes
            .windows(MOMENT)
            .map(loudness)
            .fold(f32::INFINITY, f32::min);
        Some(Decibels::of_power(quietest / MOMENT as f32))
    }
}

fn loudness(place: &[Note]) -> f32 {
    place.iter().map(|note| note.power).sum()
}
