//! Sound of any rate as frames of 20 ms at 48,000 samples a second.

use audio::resample::Resampler;
use bytes::Bytes;
use runtime::ports::{SoundFrame, SpokenSound};
use vocabulary::Span;

use super::voicebox::Sound;
use crate::speakable::Sayable;
use crate::trouble::Trouble;

/// Milliseconds of a frame.
pub(crate) const FRAME_MS: u64 = 20;
/// A pause between sentences; engines make theirs of different lengths, and some none.
const PAUSE_FRAMES: usize = 6;

/// Cuts what is spoken into frames, sentence after sentence.
#[derive(Debug, Default)]
pub(crate) struct Framer {
    /// Frames given so far, of all sentences.
    given: u64,
}

impl Framer {
    /// The pause before a further sentence.
    pub(crate) fn pause(&mut self, sentence: usize) -> Vec<SpokenSound> {
        if self.given == 0 {
            return Vec::new();
        }
        let silence = Bytes::from_static(&[0; audio::FRAME * 2]);
        (0..PAUSE_FRAMES)
            .map(|_| self.frame(silence.clone(), sentence, None))
            .collect()
    }

    pub(crate) fn frame(
        &mut self,
        samples: Bytes,
        sentence: usize,
        characters: Option<usize>,
    ) -> SpokenSound {
        let at = Span(self.given * FRAME_MS);
        self.given += 1;
        SpokenSound {
            frame: SoundFrame { samples, at },
            sentence,
            characters,
        }
    }
}

/// The sound of one sentence on its way into frames.
#[derive(Debug)]
pub(crate) struct SentenceSound<'a> {
    sentence: usize,
    said: &'a Sayable,
    resampler: Option<(u32, Resampler)>,
    waiting: Vec<i16>,
    marks: Vec<(f64, usize)>,
    frames: u64,
}

impl<'a> SentenceSound<'a> {
    pub(crate) fn new(sentence: usize, said: &'a Sayable) -> Self {
        Self {
            sentence,
            said,
            resampler: None,
            waiting: Vec::new(),
            marks: Vec::new(),
            frames: 0,
        }
    }

    /// How long the sound is by now.
    pub(crate) fn seconds(&self) -> f64 {
        self.frames as f64 * FRAME_MS as f64 / 1_000.0
    }

    /// Takes a piece and gives the frames that are whole by now.
    pub(crate) fn push(&mut self, sound: Sound, framer: &mut Framer) -> Result<Vec<SpokenSound>, Trouble> {
        self.marks.extend(sound.marks);
        if self
            .resampler
            .as_ref()
            .is_none_or(|(rate, _)| *rate != sound.rate)
        {
            let resampler = Resampler::new(sound.rate, audio::RATE).map_err(|error| {
                Trouble::lasting(format!("the voice gave sound that cannot be used: {error}"))
            })?;
            self.resampler = Some((sound.rate, resampler));
        }
        if let Some((_, resampler)) = &mut self.resampler {
            resampler.push(&sound.samples, &mut self.waiting);
        }
        Ok(self.whole_frames(framer))
    }

    /// The rest, filled up with silence.
    pub(crate) fn finish(&mut self, framer: &mut Framer) -> Vec<SpokenSound> {
        if let Some((_, resampler)) = &mut self.resampler {
            resampler.finish(&mut self.waiting);
        }
        let mut frames = self.whole_frames(framer);
        if !self.waiting.is_empty() {
            self.waiting.resize(audio::FRAME, 0);
            frames.extend(self.whole_frames(framer));
        }
        // What is over is said, whenever the last mark was.
        if let Some(last) = frames.last_mut()
            && !self.marks.is_empty()
        {
            last.characters = Some(self.said.written_until(usize::MAX));
        }
        frames
    }

    fn whole_frames(&mut self, framer: &mut Framer) -> Vec<SpokenSound> {
        let mut frames = Vec::new();
        let (whole, rest) = self.waiting.as_chunks::<{ audio::FRAME }>();
        for samples in whole {
            let mut bytes = Vec::new();
            audio::pcm::write(samples, &mut bytes);
            self.frames += 1;
            let now = self.frames as f64 * FRAME_MS as f64 / 1_000.0;
            let characters = characters_by(&self.marks, now, self.said);
            frames.push(framer.frame(bytes.into(), self.sentence, characters));
        }
        self.waiting = rest.to_vec();
        frames
    }
}

/// How far into the writing it is by this time; none where the engine does not tell.
fn characters_by(marks: &[(f64, usize)], now: f64, said: &Sayable) -> Option<usize> {
    let reached = reached_by(marks, now)?;
    Some(match reached {
        0 => 0,
        characters => said.written_until(characters),
    })
}

/// Characters that are said by this time; none where the engine does not tell.
pub(crate) fn reached_by(marks: &[(f64, usize)], now: f64) -> Option<usize> {
    let passed = marks.iter().filter(|(time, _)| *time <= now);
    let reached = passed.map(|(_, characters)| *characters).max().unwrap_or(0);
    (!marks.is_empty()).then_some(reached)
}

#[cfg(test)]
#[path = "frames_tests.rs"]
mod tests;
