//! How much a screen changes: a grid of area averages, scored against the last emitted frame, held at its greatest.

mod columns;
mod emission;
mod grid;
mod region;
mod scorer;

#[cfg(test)]
mod grid_tests;
#[cfg(test)]
mod scorer_tests;

pub use emission::Emission;
pub use grid::Grid;
pub use scorer::Scorer;

/// Columns and rows of the grid.
pub const GRID_WIDTH: usize = 64;
pub const GRID_HEIGHT: usize = 36;
/// How much the newest emitted frame counts in the smoothed score.
pub const EMA_ALPHA: f64 = 0.35;
/// A score from which the whole screen is another.
pub const SCENE_CUT: f64 = 0.40;
