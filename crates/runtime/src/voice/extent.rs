//! How far a delivery was heard: from sound that was played to characters of what was written.

use crate::ports::{SAMPLES_PER_SECOND, SpokenSound};
use vocabulary::Span;

/// What is known of the sound of a delivery.
#[derive(Debug, Default)]
pub(super) struct Extent {
    /// How many characters each sentence has.
    lengths: Vec<usize>,
    marks: Vec<Mark>,
    /// All that will ever be said of it has its sound.
    is_whole: bool,
}

/// The end of a frame.
#[derive(Debug)]
struct Mark {
    /// In samples from the beginning.
    ends: u64,
    sentence: usize,
    characters: Option<usize>,
}

/// The samples of a stretch of sound.
pub(super) fn samples(span: Span) -> u64 {
    span.0.saturating_mul(u64::from(SAMPLES_PER_SECOND) / 1_000)
}

impl Extent {
    /// One more sentence is to be said.
    pub fn sentence(&mut self, text: &str) {
        self.lengths.push(text.chars().count());
    }

    /// More is said of the newest sentence.
    pub fn grows(&mut self, words: &str) {
        if let Some(length) = self.lengths.last_mut() {
            *length += words.chars().count();
        }
    }

    /// Whether it has sound.
    pub fn is_begun(&self) -> bool {
        !self.marks.is_empty()
    }

    pub fn has_no_words(&self) -> bool {
        self.lengths.iter().all(|length| *length == 0)
    }

    /// One more frame is made.
    pub fn frame(&mut self, sound: &SpokenSound) {
        let before = self.marks.last().map_or(0, |mark| mark.ends);
        self.marks.push(Mark {
            ends: before + sound.frame.samples.len() as u64 / 2,
            sentence: sound.sentence,
            characters: sound.characters,
        });
    }

    /// No more frames are made.
    pub fn whole(&mut self) {
        self.is_whole = true;
    }

    /// How long the first so many frames are, in samples.
    pub fn of_frames(&self, count: usize) -> u64 {
        let last = count.min(self.marks.len()).checked_sub(1);
        last.map_or(0, |last| self.marks[last].ends)
    }

    /// How many characters of its sentences, joined by a space, are said by then: to the word where the voice tells, to
    /// the sentence where it does not.
    pub fn characters_at(&self, samples: u64) -> usize {
        let ended = self.marks.partition_point(|mark| mark.ends <= samples);
        let Some(last) = ended.checked_sub(1).map(|last| &self.marks[last]) else {
            return 0;
        };
        let next = self.marks.get(ended);
        let is_said = next.map_or(self.is_whole, |next| next.sentence != last.sentence);
        let length = self.lengths.get(last.sentence).copied().unwrap_or_default();
        let before: usize = self
            .lengths
            .iter()
            .take(last.sentence)
            .map(|length| length + 1)
            .sum();
        let told = self.marks[..ended].iter().rev();
        let mut told = told.take_while(|mark| mark.sentence == last.sentence);
        match (is_said, told.find_map(|mark| mark.characters)) {
            (true, _) => before + length,
            (false, Some(characters)) => before + characters.min(length),
            (false, None) => before.saturating_sub(1),
        }
    }
}

#[cfg(test)]
#[path = "extent_tests.rs"]
mod tests;
