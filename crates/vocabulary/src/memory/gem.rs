//! A gem: one thing worth remembering, distilled from turns, with where it came from and how long it holds.

use serde::{Deserialize, Serialize};

use super::Place;
use crate::{GemId, PersonId, SessionId, TurnKey, WallTime, named};

/// One thing worth remembering. The first keys are the gem format of the NeuralStream design; the rest is its life.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct Gem {
    /// Derived from the source, so that storing it again stores nothing twice.
    pub gem_id: GemId,
    /// The fact, decision, preference, task or piece of code, as a sentence that stands alone.
    pub content: String,
    /// One line for quick scanning.
    pub summary: String,
    #[serde(default)]
    pub topics: Vec<String>,
    /// 0 to 1, by the rubric of the extraction prompt.
    pub importance: f64,
    pub source: GemSource,
    pub tags: Vec<GemTag>,
    #[serde(with = "crate::rfc3339")]
    #[cfg_attr(feature = "describe", schemars(with = "String"))]
    pub created_at: WallTime,

    pub place: Place,
    /// Whom it is about; mostly whoever said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonId>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub person_name: String,
    /// What it states a value of, folded to a short phrase ("favourite colour"); a newer value supersedes an older one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// Somebody tried to give instructions by way of memory: it is shown as a quoted claim, never as guidance.
    #[serde(default)]
    pub claim: bool,
    /// A standing preference or instruction to do with the person: it does not age.
    #[serde(default)]
    pub standing: bool,
    /// An operator wants it kept in view: it does not age and ranks higher.
    #[serde(default)]
    pub pinned: bool,
    /// How often it was said; 1 at first.
    #[serde(default = "one")]
    pub strength: u32,
    #[serde(with = "crate::rfc3339")]
    #[cfg_attr(feature = "describe", schemars(with = "String"))]
    pub last_seen_at: WallTime,
    /// From when it holds.
    #[serde(with = "crate::rfc3339")]
    #[cfg_attr(feature = "describe", schemars(with = "String"))]
    pub valid_from: WallTime,
    /// Until when it held; none while it holds.
    #[serde(
        default,
        with = "crate::rfc3339::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "describe", schemars(with = "Option<String>"))]
    pub valid_until: Option<WallTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<GemId>,
    /// The extracting model, `offline`, `operator`, or the agent that put it in.
    #[serde(default)]
    pub made_by: String,
}

/// Where a gem came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct GemSource {
    pub session_id: SessionId,
    /// The day it was said, `2026-02-23`.
    pub date: String,
    /// First and last turn number, `15-20`.
    pub turn_range: String,
    /// The very turns.
    #[serde(default)]
    pub turns: Vec<TurnKey>,
}

named! {
    #[derive(Hash)]
    pub enum GemTag {
        Decision = "decision",
        Fact = "fact",
        Preference = "preference",
        Todo = "todo",
        Code = "code",
    }
}

impl Gem {
    /// Whether it still holds.
    pub fn is_current(&self) -> bool {
        self.superseded_by.is_none() && self.valid_until.is_none()
    }

    /// Whether time takes nothing off it.
    pub fn is_ageless(&self) -> bool {
        self.standing || self.pinned
    }
}

fn one() -> u32 {
    1
}
