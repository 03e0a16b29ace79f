//! What every engine that speaks has in common.

use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::services::{TrialTime, Unreached};
use crate::trouble::Trouble;

/// A piece of sound from an engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sound {
    /// Samples a second; the same for all of a sentence.
    pub(crate) rate: u32,
    pub(crate) samples: Vec<i16>,
    /// Where the engine tells it: by this time, in seconds since the sentence began, so many characters are said.
    pub(crate) marks: Vec<(f64, usize)>,
}

/// Samples that are handed on at a time.
const PIECE: usize = 4_096;

/// Hands a whole sound on, in pieces; false where nobody wants it any more.
pub(crate) async fn send(samples: &[i16], rate: u32, sound: &mpsc::Sender<Sound>) -> bool {
    for piece in samples.chunks(PIECE) {
        let piece = Sound {
            rate,
            samples: piece.to_vec(),
            marks: Vec::new(),
        };
        if sound.send(piece).await.is_err() {
            return false;
        }
    }
    true
}

/// How much louder a sentence is made than its network gave it. A voice's loudness is its own; what matters is that
/// nothing is cut off, and that all parts are as loud as the first.
#[derive(Debug)]
pub(crate) struct Loudness(f32);

impl Default for Loudness {
    fn default() -> Self {
        Self(3.0)
    }
}

impl Loudness {
    /// What a network gave for the next part, as samples.
    pub(crate) fn samples(&mut self, numbers: &[f32]) -> Vec<i16> {
        let loudest = numbers
            .iter()
            .fold(0.01_f32, |loudest, number| loudest.max(number.abs()));
        self.0 = self.0.min(0.9 / loudest);
        let scale = self.0 * f32::from(i16::MAX);
        numbers.iter().map(|number| (number * scale) as i16).collect()
    }
}

/// An engine that speaks.
#[async_trait]
pub(crate) trait Voicebox: Send + Sync {
    /// The name under which what it says is written down.
    fn engine(&self) -> String;

    /// Whether it makes one sentence after the other: on this machine two at once would each take longer, the first among
    /// them, which is waited for.
    fn one_at_a_time(&self) -> bool {
        false
    }

    /// Whether it answers; what runs on this machine does.
    async fn reach(&self, patience: TrialTime) -> Result<(), Unreached> {
        let _ = patience;
        Ok(())
    }

    /// Says a text; the sound goes out as it is made. An empty voice is the usual one.
    async fn say(&self, text: &str, voice: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble>;

    /// Millionths of a dollar for so many characters, which took so long to say.
    fn cost(&self, characters: u64, seconds: f64) -> Option<u64> {
        let _ = (characters, seconds);
        Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_sentence_are_as_loud_as_the_first_and_none_is_cut_off() {
        let mut loudness = Loudness::default();
        let first = loudness.samples(&[0.45, -0.1]);
        assert_eq!(first, [29_490, -6_553]);
        let softer = loudness.samples(&[0.1]);
        assert_eq!(softer, [6_553], "what is said more softly stays so");
        let louder = loudness.samples(&[0.9, -0.9]);
        assert_eq!(louder, [29_490, -29_490]);
    }
}
