//! Rolling compaction: what has left the recent window is folded, batch after batch, into a running summary.
//!
//! Everything before the cursor is in the summary, everything from it on is kept word for word; a run moves the
//! cursor only when it has succeeded, and forgets exactly the turns and notes it was sent. Folding is considered when a
//! prompt is built, and when something is said that no prompt could hold beside the rest.

mod guard;
mod landing;
mod outcome;
mod outdone;
mod plan;
mod run;
mod state;
mod view;

pub use crate::reasons::CompactionSkip;
pub use plan::{
    BATCH_SIZE, NEWEST_TURNS, NOTES_ALONE, OUTGROWN_TURNS, Plan, Question, RECENT_WINDOW, Verbatim,
    holds_chars, large_batch, outgrown, plan,
};
pub use run::UNASKED_RUNS_MAX;
pub use state::{Compaction, FinishedRun, RunView};
pub use view::{SessionOutline, SessionView};

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
mod outdone_tests;
#[cfg(test)]
mod outgrown_tests;
#[cfg(test)]
mod plan_tests;
