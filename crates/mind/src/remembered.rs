//! What memory tells the mind: what it found, stored and forgot.

use serde::{Deserialize, Serialize};
use vocabulary::{Forget, Found, Gem, GemId, Message, RoomId, TurnKey};

/// What a recall brought back. Empty where nothing fitted or the store failed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recollection {
    /// Older messages of the room that fit, best first.
    pub messages: Vec<Message>,
    /// Gems and turns of any room in view that fit, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Found>,
    /// Turns that fitted and were not sure enough to be brought back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsure: usize,
    /// What is known of the people at hand, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of_people: Vec<Gem>,
    /// Standing and pinned gems, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lasting: Vec<Gem>,
    /// Why it is empty, when something went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What came of storing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoringOutcome {
    Stored(StoredGems),
    /// It will be tried again: for a person, what went wrong and what to do.
    Failed {
        detail: String,
    },
}

/// What became of the gems of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredGems {
    /// New ones.
    pub added: Vec<GemId>,
    /// Known ones that were said again.
    pub strengthened: Vec<GemId>,
    /// Ones that do not hold any more.
    pub superseded: Vec<GemId>,
    /// Stored by an earlier try.
    pub already_there: usize,
    /// Not stored, because what they were made of was edited or taken back meanwhile.
    #[serde(default)]
    pub changed: usize,
}

/// What was forgotten, and how to tell where else it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Forgotten {
    pub what: Forget,
    /// Who is forgotten, by name.
    pub names: Vec<String>,
    /// The forgotten texts. Whoever records this input lets it go with all others before it.
    pub texts: Vec<String>,
    /// Every turn that went, for whatever reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turn_ids: Vec<TurnKey>,
    pub gems: usize,
    pub turns: usize,
    /// The room in which it was asked for, where it is told that it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_in: Option<RoomId>,
    /// Why nothing, or not everything, could be forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}
