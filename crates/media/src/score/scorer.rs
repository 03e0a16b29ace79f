//! The change score of one screen: against the last emitted frame, held at its greatest until the next is emitted.

use vocabulary::{ChangeScore, ScreenRegion};

use super::{EMA_ALPHA, GRID_HEIGHT, GRID_WIDTH, Grid, SCENE_CUT, region};

/// Scores the frames of one screen.
#[derive(Clone, Debug, Default)]
pub struct Scorer {
    /// The frame that was emitted last, against which everything since is measured.
    emitted: Option<Grid>,
    /// The frame that was looked at last, and is emitted next.
    latest: Option<Grid>,
    /// The greatest difference since: the sum over the grid, and where most of it was.
    most: u32,
    region: Option<ScreenRegion>,
    ema: f64,
}

impl Scorer {
    /// Looks at a decoded frame; what it differs from the last emitted one is held if it is the most so far.
    pub fn look(&mut self, grid: Grid) {
        if let Some(emitted) = &self.emitted {
            let difference = difference(emitted, &grid);
            if difference > self.most {
                self.most = difference;
                self.region = region::dominant(emitted, &grid);
            }
        }
        self.latest = Some(grid);
    }

    /// Somebody else saw so great a change since the last emitted frame, in frames that are not shown here. Where nothing
    /// was emitted yet, there is nothing that could have changed.
    pub fn hold(&mut self, score: f64) {
        if self.emitted.is_some() && score.is_finite() {
            let held = (score.clamp(0.0, 1.0) * GREATEST_DIFFERENCE) as u32;
            self.most = self.most.max(held);
        }
    }

    /// What would be emitted now: the greatest change so far.
    pub fn held(&self) -> ChangeScore {
        let score = f64::from(self.most) / GREATEST_DIFFERENCE;
        ChangeScore {
            score,
            ema: EMA_ALPHA * score + (1.0 - EMA_ALPHA) * self.ema,
            scene_cut: score >= SCENE_CUT,
            region: self.region,
        }
    }

    /// Emits the frame that was looked at last: the greatest change since the frame emitted before it.
    pub fn emit(&mut self) -> ChangeScore {
        let emitted = self.held();
        self.ema = emitted.ema;
        self.most = 0;
        self.region = None;
        if let Some(latest) = self.latest.take() {
            self.emitted = Some(latest);
        }
        emitted
    }
}

/// From all black to all white.
const GREATEST_DIFFERENCE: f64 = (GRID_WIDTH * GRID_HEIGHT * 255) as f64;

fn difference(before: &Grid, after: &Grid) -> u32 {
    let pairs = before.0.iter().zip(&after.0);
    pairs
        .map(|(&before, &after)| u32::from(before.abs_diff(after)))
        .sum()
}
