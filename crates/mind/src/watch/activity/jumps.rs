//! Jumps of the score that keep coming: an advertisement that turns its picture, lines that somebody types.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::{Moment, ScreenRegion, Span};

/// Jumps are remembered this long.
const MEMORY: Span = Span::seconds(30);
/// Twice as many as it takes to be busy, and more; the oldest make room.
const JUMPS_MAX: usize = 16;
/// So many alike before it, and a jump is part of the background.
const ALIKE_MIN: usize = 4;
/// Alike are jumps at the same place whose sizes differ by no more than this share.
const ALIKE: f64 = 0.10;
/// Larger ones are never background: somebody may well go to and fro between two windows.
const BACKGROUND_MAX: f64 = 0.02;
/// So many jumps, and one more is nothing new …
const BUSY_MIN: usize = 4;
/// … unless it is this much larger than they are.
const STANDS_OUT: f64 = 1.5;

/// The jumps of the last half minute.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Jumps {
    jumps: VecDeque<Jump>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Jump {
    at: Moment,
    score: f64,
    region: Option<ScreenRegion>,
}

impl Jumps {
    pub fn add(&mut self, at: Moment, score: f64, region: Option<ScreenRegion>) {
        if self.jumps.len() >= JUMPS_MAX {
            self.jumps.pop_front();
        }
        self.jumps.push_back(Jump { at, score, region });
    }

    pub fn forget_before(&mut self, now: Moment) {
        while self.jumps.front().is_some_and(|jump| now.since(jump.at) > MEMORY) {
            self.jumps.pop_front();
        }
    }

    /// Whether the same has happened again and again, so that it is part of the background.
    pub fn are_often_like(&self, score: f64, region: Option<ScreenRegion>) -> bool {
        let alike = |jump: &&Jump| jump.region == region && (jump.score - score).abs() <= ALIKE * score;
        score <= BACKGROUND_MAX && self.jumps.iter().filter(alike).count() >= ALIKE_MIN
    }

    /// The size from which a jump is news, where there were many.
    pub fn line(&self) -> Option<f64> {
        if self.jumps.len() < BUSY_MIN {
            return None;
        }
        let mut scores: Vec<f64> = self.jumps.iter().map(|jump| jump.score).collect();
        scores.sort_unstable_by(f64::total_cmp);
        // Of small and large ones, the small ones are what there are many of.
        Some(STANDS_OUT * scores[scores.len() / 4])
    }
}
