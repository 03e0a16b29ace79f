//! A sound that goes on and on without becoming words: a radio, a film, a fan. Whoever has it beside the microphone is not
//! speaking, and must not keep Denizen silent nor interrupt it, whatever a detector takes for voice.

use runtime::ports::HeardSpeech;
use vocabulary::UnheardReason;

/// A part of a speech of which no words came says so much for a din; one that could not be understood, half of it.
const WORDLESS: u32 = 2;
/// With so much of it in one speech it is a din.
const DIN: u32 = 4;
/// Silence after which whoever begins to speak is taken to speak again: ten seconds.
const OVER_AFTER: u64 = 10 * audio::RATE as u64;
/// So many parts of a din are all looked at for words; then, where that costs money, only one in [`ONE_IN`].
const LOOKED_AT: u32 = 8;
const ONE_IN: u32 = 4;

/// Whether a track's sound is speech.
#[derive(Debug, Default)]
pub(crate) struct Din {
    /// What speaks for it in the speech under way.
    signs: u32,
    is_din: bool,
    /// Parts since it is a din.
    parts: u32,
    /// Where the last speech ended, in samples of the track.
    ended: u64,
}

/// What changes with the words of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// It is taken for a din from now on.
    IntoDin,
    /// It is speech after all.
    IntoSpeech,
}

impl Din {
    /// A speech begins at this sample of the track.
    pub(crate) fn begins(&mut self, at: u64) {
        self.signs = 0;
        if at > self.ended.saturating_add(OVER_AFTER) {
            self.is_din = false;
        }
    }

    /// The speech has ended at this sample of the track.
    pub(crate) fn ends(&mut self, at: u64) {
        self.ended = at;
    }

    pub(crate) fn is_din(&self) -> bool {
        self.is_din
    }

    /// What came of a clip; `is_current`: its speech is still under way.
    pub(crate) fn judged(&mut self, heard: &HeardSpeech, is_current: bool) -> Option<Turn> {
        match heard {
            HeardSpeech::Utterance(_) => {
                self.signs = 0;
                return std::mem::take(&mut self.is_din).then_some(Turn::IntoSpeech);
            }
            HeardSpeech::Missed { reason, .. } if is_current => {
                self.signs += match reason {
                    UnheardReason::Failed | UnheardReason::TimedOut | UnheardReason::NoEars => 1,
                    _ => WORDLESS,
                };
            }
            _ => return None,
        }
        if self.is_din || self.signs < DIN {
            return None;
        }
        self.is_din = true;
        self.parts = 0;
        Some(Turn::IntoDin)
    }

    /// Whether a clip is worth an ear: all are, but of a din that goes on only some, where each costs money.
    pub(crate) fn is_worth_an_ear(&mut self, is_free: bool) -> bool {
        if !self.is_din || is_free {
            return true;
        }
        self.parts += 1;
        self.parts <= LOOKED_AT || self.parts.is_multiple_of(ONE_IN)
    }
}
