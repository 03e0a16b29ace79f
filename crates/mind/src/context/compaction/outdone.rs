//! How often in a row a small model's summary told less than what is written without one, and what follows.

use serde::{Deserialize, Serialize};

/// After so many it is no longer asked.
const LEFT_ALONE_AFTER: u64 = 3;
/// Every so many summaries it is, once.
const TRIED_EVERY: u64 = 20;

/// Summaries in a row; once the model is left alone, those that are written without asking it, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Outdone(pub(super) u64);

impl Outdone {
    /// Whether the model is worth asking.
    pub(super) fn may_do_better(self) -> bool {
        self.0 < LEFT_ALONE_AFTER || self.0.is_multiple_of(TRIED_EVERY)
    }

    pub(super) fn once_more(&mut self) {
        self.0 += 1;
    }

    /// One was written without asking.
    pub(super) fn unasked(&mut self) {
        if !self.may_do_better() {
            self.once_more();
        }
    }

    pub(super) fn is_none(&self) -> bool {
        self.0 == 0
    }
}
