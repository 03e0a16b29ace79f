//! A gem on its way to the store.

use serde::{Deserialize, Serialize};
use vocabulary::Gem;

/// A gem, and which known ones the model said it replaces or repeats, by the beginning of their ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gathered {
    pub gem: Gem,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<String>,
    /// Somebody else said it of the person it is about: it takes back nothing that this person said.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hearsay: bool,
}
