//! A turn as memory takes it in: word for word, with who said it, where and when.

use serde::{Deserialize, Serialize};

use super::Place;
use crate::{Author, SessionId, TurnKey, WallTime, named};

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

named! {
    /// What kind of turn it was.
    pub enum TurnKind {
        Typed = "typed",
        Spoken = "spoken",
        /// Something Denizen brought up by itself.
        Ambient = "ambient",
        /// What was seen on a shared screen.
        ScreenNote = "screen_note",
        /// The final summary of a session.
        Summary = "summary",
    }
}
