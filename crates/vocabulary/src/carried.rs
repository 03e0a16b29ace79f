//! What a provider wants back unchanged when the results of calls are sent.

use serde::{Deserialize, Serialize};

/// An answer as its provider wrote it, with what only the provider can read: thoughts it signed or locked. It wants them
/// back unchanged when the results of the calls are sent. Nobody is shown it, and nobody else is sent it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct Carried {
    /// Who wrote it, as the adapter names it: wire format, provider and model.
    pub from: String,
    /// The pieces of the answer, in order.
    pub pieces: Vec<serde_json::Value>,
}

impl Carried {
    /// More than this is not carried: it would be kept with every state.
    pub const BYTES_MAX: usize = 128 << 10;

    /// The same, unless it is too much to carry.
    pub fn bounded(self) -> Option<Self> {
        (self.size() <= Self::BYTES_MAX).then_some(self)
    }

    /// Its length, written down.
    pub fn size(&self) -> usize {
        self.pieces.iter().map(|piece| piece.to_string().len()).sum()
    }
}
