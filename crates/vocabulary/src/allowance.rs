//! What may be charged for a question beside its words and its answer.

use serde::{Deserialize, Serialize};

/// What a question may take on top of its words and the longest answer, as whoever carries it out knows the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskAllowance {
    /// Tokens that the model may think.
    pub thought_tokens: u64,
    /// It is asked once more, with more room, where all that it was given went into thoughts.
    #[serde(default)]
    pub asked_twice: bool,
    /// What a million tokens cost in millionths of a dollar, at their dearest; none where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_price: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_price: Option<u64>,
    /// It costs no money, whatever it takes: its model runs here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
    /// Tokens that its model reads at once, prompt and answer together, where its server says so or was seen to refuse more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads_tokens: Option<u64>,
    /// Its model is on this machine or in its network, and may be slow.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nearby: bool,
}
