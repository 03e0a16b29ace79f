//! Why turns are folded into a summary, or are not.

use serde::{Deserialize, Serialize};

/// Why nothing is folded now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactionSkip {
    /// Too few turns since the cursor.
    BelowThreshold,
    /// A run is under way.
    AlreadyInFlight,
    /// Enough was said, but so much of it was taken back that no whole batch lies outside the recent window.
    NoEligibleBatch,
    /// The session is ending; no new run is begun.
    SessionEnding,
    /// No model can be asked, and no other summariser is allowed.
    ModelUnavailable,
    /// Nothing may be spent on it today, and no other summariser is allowed.
    BudgetSpent,
}

/// In which way more was said than stands word for word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outgrown {
    /// More turns than any prompt should hold.
    Count,
    /// More characters than the part of a prompt that holds them.
    Size,
}
