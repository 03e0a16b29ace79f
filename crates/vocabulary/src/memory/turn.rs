//! A turn as memory takes it in: word for word, with who said it, where and when.

use serde::{Deserialize, Serialize};

use super::Place;
use crate::{Author, SessionId, TurnKey, WallTime};

/// One accepted turn, of whatever kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CapturedTurn {
    /// The same however often it is captured; a message's own id where it is one.
    pub id: TurnKey,
    pub place: Place,
    /// The conversation it is part of.
    pub session: SessionId,
    /// Its place in that conversation, growing; neighbours in time are neighbours here. 0: not given yet.
    #[serde(default)]
    pub number: u64,
    pub speaker: Author,
    pub kind: TurnKind,
    pub text: String,
    pub at: WallTime,
}

/// What kind of turn it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnKind {
    Typed,
    Spoken,
    /// Something Denizen brought up by itself.
    Ambient,
    /// What was seen on a shared screen.
    ScreenNote,
    /// The final summary of a session.
    Summary,
}

impl TurnKind {
    pub fn name(self) -> &'static str {
        match self {
            TurnKind::Typed => "typed",
            TurnKind::Spoken => "spoken",
            TurnKind::Ambient => "ambient",
            TurnKind::ScreenNote => "screen_note",
            TurnKind::Summary => "summary",
        }
    }
}
