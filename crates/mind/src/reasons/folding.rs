//! Why nothing is folded into a summary.

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
}
