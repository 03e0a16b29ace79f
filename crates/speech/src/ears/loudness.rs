//! How loud somebody usually is: what is much quieter on their track is somebody else, or a television.

use audio::segment::Evidence;

/// So much quieter than usual, it is not them.
const QUIETER_DECIBELS: f32 = 18.0;
/// How much a clip says about what is usual.
const WEIGHT: f32 = 0.3;
/// What is usual goes down by this with each clip that was too quiet: people lean back, and microphones move.
const FORGOTTEN_DECIBELS: f32 = 1.0;

/// One person's usual loudness.
#[derive(Debug, Default)]
pub(crate) struct Loudness {
    usual: Option<f32>,
}

impl Loudness {
    /// Whether a clip is much quieter than this person usually is.
    pub(crate) fn is_far_away(&mut self, evidence: &Evidence) -> bool {
        let Some(usual) = &mut self.usual else {
            return false;
        };
        let is_far = evidence.level.0 + QUIETER_DECIBELS < *usual;
        if is_far {
            *usual -= FORGOTTEN_DECIBELS;
        }
        is_far
    }

    /// Words came of a clip.
    pub(crate) fn learn(&mut self, evidence: &Evidence) {
        let level = evidence.level.0;
        self.usual = Some(self.usual.map_or(level, |usual| usual + WEIGHT * (level - usual)));
    }
}
