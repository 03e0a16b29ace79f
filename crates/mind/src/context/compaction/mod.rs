//! Rolling compaction: what has left the recent window is folded, batch after batch, into a running summary.
//!
//! Everything before the cursor is in the summary, everything from it on is kept word for word; a run moves the
//! cursor only when it has succeeded, and forgets exactly the turns and notes it was sent.

mod forgetting;
mod guard;
mod landing;
mod outcome;
mod plan;
mod run;
mod state;

pub use crate::reasons::CompactionSkip;
pub use plan::{BATCH_SIZE, NOTES_ALONE, Plan, Question, RECENT_WINDOW, plan};
pub(crate) use state::Place;
pub use state::{Compaction, FinishedRun, RunView};

/// Longest summary, in characters.
pub const SUMMARY_CHARS_MAX: usize = 1_200;
/// Notes that are folded in one run, in characters.
pub const NOTES_CHARS_MAX: usize = 400;

#[cfg(test)]
mod bench;
#[cfg(test)]
mod compaction_tests;
#[cfg(test)]
mod guard_tests;
#[cfg(test)]
mod known_failures_tests;
#[cfg(test)]
mod landing_tests;
#[cfg(test)]
mod plan_tests;
