//! A search of memory, and what it finds with the reasons.

use serde::{Deserialize, Serialize};

use super::{CapturedTurn, Gem, Place, Viewpoint};
use crate::{GemId, PersonId, TurnKey, WallTime};

/// The id of either kind of record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordId {
    Gem(GemId),
    Turn(TurnKey),
}

/// Something that can be found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Record {
    Gem(Box<Gem>),
    Turn(CapturedTurn),
}

/// Which kinds of records to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kinds {
    Gems,
    /// Turns, with the gems made of them as further keys to them.
    Turns,
    #[default]
    Both,
}

/// What to look for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Search {
    /// A question or plain words.
    pub words: String,
    /// The words as the store's embedder sees them; none searches by words alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector: Option<Vec<f32>>,
    pub view: Viewpoint,
    /// Only what is about or by this person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonId>,
    #[serde(default)]
    pub kinds: Kinds,
    /// Turns that are in view anyway.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<TurnKey>,
    /// Also what does not hold any more.
    #[serde(default)]
    pub superseded: bool,
    /// For age.
    pub now: WallTime,
    pub limit: usize,
}

/// What was found, with why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Found {
    pub record: Record,
    pub scores: Scores,
    /// Words of the search that it has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matched: Vec<String>,
    /// Gems that led to this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<GemId>,
}

/// How a score came about. All parts are comparable only within one search, but for `confidence`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Scores {
    /// What the order follows.
    pub total: f64,
    /// 0 to 1, comparable between searches: below a threshold nothing is brought up.
    pub confidence: f64,
    /// By its own words.
    pub lexical: f64,
    /// By meaning.
    pub dense: f64,
    /// By what was said around it, or by its conversation as a whole.
    pub surroundings: f64,
    /// By gems that lead to it.
    pub keys: f64,
    /// What age takes off, as a factor.
    pub recency: f64,
    /// What importance adds, as a factor.
    pub importance: f64,
}

impl Record {
    pub fn id(&self) -> RecordId {
        match self {
            Record::Gem(gem) => RecordId::Gem(gem.gem_id.clone()),
            Record::Turn(turn) => RecordId::Turn(turn.id.clone()),
        }
    }

    /// Where it was said or learnt.
    pub fn place(&self) -> &Place {
        match self {
            Record::Gem(gem) => &gem.place,
            Record::Turn(turn) => &turn.place,
        }
    }

    /// The text that is searched.
    pub fn text(&self) -> &str {
        match self {
            Record::Gem(gem) => &gem.content,
            Record::Turn(turn) => &turn.text,
        }
    }
}
