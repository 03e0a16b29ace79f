//! The plot of a room's watch: what was seen in the last ten minutes.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;
use vocabulary::FrameId;

use super::Sample;

const KEPT_FOR: Duration = Duration::from_secs(600);
const SAMPLES_MAX: usize = 1_800;

#[derive(Default)]
pub(super) struct Samples {
    kept: VecDeque<(Instant, Sample)>,
}

impl Samples {
    pub fn push(&mut self, now: Instant, sample: Sample) {
        self.let_go(now);
        if self.kept.len() == SAMPLES_MAX {
            self.kept.pop_front();
        }
        self.kept.push_back((now, sample));
    }

    /// Those after a frame.
    pub fn after(&self, now: Instant, frame: Option<FrameId>) -> Vec<Sample> {
        self.kept
            .iter()
            .filter(|(at, _)| is_recent(*at, now))
            .map(|(_, sample)| *sample)
            .filter(|sample| frame.is_none_or(|frame| sample.glimpse.frame > frame))
            .collect()
    }

    /// Lets go of what is too old.
    pub fn let_go(&mut self, now: Instant) {
        while self.kept.front().is_some_and(|(at, _)| !is_recent(*at, now)) {
            self.kept.pop_front();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

fn is_recent(at: Instant, now: Instant) -> bool {
    now.duration_since(at) < KEPT_FOR
}

#[cfg(test)]
#[path = "samples_tests.rs"]
mod tests;
