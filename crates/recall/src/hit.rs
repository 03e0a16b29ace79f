//! What a search of the index finds.

use vocabulary::{GemId, RecordId, Scores};

/// One record that fits, with why.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub id: RecordId,
    pub scores: Scores,
    /// Words of the search that it has, as they were searched for.
    pub matched: Vec<String>,
    /// Gems that led to this turn, the best first.
    pub through: Vec<GemId>,
}
