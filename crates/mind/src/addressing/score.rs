//! How likely a line that calls nobody is meant for Denizen, and what weighed most in that.

use serde::{Deserialize, Serialize};

use super::cues::{CueKind, Cues, KINDS};
use super::forest::weigh;
use super::reading::{Manner, Reading};

/// Cues that are named.
const NAMED_MAX: usize = 3;

/// How likely a line is meant for Denizen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AddressScore {
    /// 0 to 99: of a hundred such lines so many were meant.
    pub score: u64,
    /// From this score on it counts as meant.
    pub least: u64,
    /// What weighed most, the heaviest first.
    pub cues: Vec<WeighedCue>,
}

/// A cue that weighed much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WeighedCue {
    pub cue: CueKind,
    /// It spoke for Denizen, not against it.
    pub speaks_for: bool,
}

impl AddressScore {
    /// Weighs cues.
    pub(super) fn of(cues: &Cues, least: u64) -> Self {
        let weight = weigh(cues);
        let mut kinds: Vec<(CueKind, i32)> = Vec::with_capacity(KINDS.len());
        for (kind, moved) in KINDS.iter().zip(weight.moved) {
            match kinds.iter_mut().find(|(other, _)| other == kind) {
                Some((_, sum)) => *sum += moved,
                None => kinds.push((*kind, moved)),
            }
        }
        kinds.retain(|(_, moved)| *moved != 0);
        kinds.sort_by_key(|(kind, moved)| (std::cmp::Reverse(moved.abs()), *kind));
        kinds.truncate(NAMED_MAX);
        let cues = kinds.into_iter().map(|(cue, moved)| WeighedCue {
            cue,
            speaks_for: moved > 0,
        });
        Self {
            score: weight.score,
            least,
            cues: cues.collect(),
        }
    }

    /// Whether it counts as meant.
    pub fn is_enough(&self) -> bool {
        self.score >= self.least
    }
}

/// Whether a line leaves it open whom it is for: whom it calls or names it says itself.
pub(super) fn is_judged(reading: &Reading) -> bool {
    !matches!(
        reading.manner,
        Manner::Called | Manner::Named | Manner::ForEverybody
    )
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
