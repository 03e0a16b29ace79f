//! The greatest change of a screen since a comment was last considered.

use serde::{Deserialize, Serialize};
use vocabulary::{Moment, ScreenRegion};

/// A change of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Noticed {
    pub score: f64,
    pub region: Option<ScreenRegion>,
    /// When something was last new in it.
    pub at: Moment,
}
