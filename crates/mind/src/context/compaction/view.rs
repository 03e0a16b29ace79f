//! A session as its page shows it.

use serde::Serialize;
use vocabulary::{AskId, WallTime};

use super::state::{FinishedRun, RunView};
use crate::context::notes::PendingNote;
use crate::log::TimelineTurn;

/// A session in numbers, for whoever looks at it after each step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOutline {
    /// What leaves the window is folded here.
    pub folds: bool,
    /// The first turn that is not in the summary.
    pub cursor: u64,
    /// How many turns there were in all.
    pub turns: u64,
    /// The turns that are kept word for word.
    pub verbatim: Vec<u64>,
    /// The notes that wait.
    pub notes: Vec<u64>,
    pub summary_chars: usize,
    pub run: Option<AskId>,
}

/// A session as its page shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    pub enabled: bool,
    pub summary: String,
    pub summarised_at: Option<WallTime>,
    /// The first turn that is not in the summary.
    pub cursor: u64,
    /// How many turns there were in all.
    pub turns: u64,
    /// What the model sees word for word.
    pub verbatim: Vec<TimelineTurn>,
    pub pending_notes: Vec<PendingNote>,
    pub run: Option<RunView>,
    /// Finished runs, oldest first.
    pub finished: Vec<FinishedRun>,
    pub recent_window: usize,
    pub batch_size: usize,
    pub summary_chars_max: usize,
}
