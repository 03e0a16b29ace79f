//! What an answer used, in tokens and in money.

use serde::{Deserialize, Serialize};

/// What an answer used; zero where a provider does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub input_tokens: u64,
    /// Of the input, what the provider had read before and asks less for.
    pub cached_input_tokens: u64,
    /// Of the input, what the provider keeps for the next question, where it asks more for that.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_written_tokens: u64,
    pub output_tokens: u64,
    /// Millionths of a dollar; none where the price is not known.
    pub cost_micro_dollars: Option<u64>,
    /// The price is not known: what its maker asks was taken, that of its dearest relative, or a guess.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cost_assumed: bool,
    /// Millionths of a dollar that it would have cost more if nothing had been kept from earlier questions; fewer than none
    /// where more was paid for keeping than was saved by it.
    #[serde(default, skip_serializing_if = "is_none")]
    pub cache_saved_micro_dollars: i64,
}

fn is_none(micro_dollars: &i64) -> bool {
    *micro_dollars == 0
}

fn is_zero(tokens: &u64) -> bool {
    *tokens == 0
}

fn is_false(value: &bool) -> bool {
    !value
}
