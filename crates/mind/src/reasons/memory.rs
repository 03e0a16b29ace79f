//! Why gems are made, or not, and what fills a context.

use serde::{Deserialize, Serialize};
use vocabulary::{Forget, named};

/// Why gems are made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExtractionTrigger {
    /// A batch of turns is complete.
    TurnEnd,
    /// Nobody has said anything for a while.
    Idle,
    /// The conversation fills a good part of its model's window, and will soon be folded away.
    Context,
    /// The conversation is over.
    SessionEnd,
    /// Somebody began a new one with `/new`.
    New,
    /// Somebody began anew with `/reset`.
    Reset,
}

/// Why they are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtractionSkip {
    NothingPending,
    BelowBatchSize,
    /// People talk: it is read as a whole when they pause, or when a run is full.
    TalkGoesOn,
    AlreadyInFlight,
    /// The last try failed a moment ago.
    Resting,
    MemoryOff,
}

named! {
    /// Why a run ended without gems of its turns.
    pub enum ExtractionDrop {
        /// Some of its turns were taken back or forgotten.
        TurnsGone = "turns_gone",
        /// All of its turns read otherwise by now.
        WordsChanged = "words_changed",
        /// Its question was lost with a part of the state.
        QuestionLost = "question_lost",
    }
}

/// How much of its window a conversation's last prompt took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextUse {
    pub tokens: u64,
    pub window: u64,
}

impl ContextUse {
    /// The part of the window that is full, from 0 up.
    pub fn share(self) -> f64 {
        if self.window == 0 {
            0.0
        } else {
            self.tokens as f64 / self.window as f64
        }
    }
}

named! {
    /// What kind of thing was forgotten.
    pub enum ForgottenKind {
        Person = "person",
        Gems = "gems",
        Turns = "turns",
        Session = "session",
        Room = "room",
        Community = "community",
    }
}

impl ForgottenKind {
    pub fn of(what: &Forget) -> Self {
        match what {
            Forget::Person { .. } => ForgottenKind::Person,
            Forget::Gems(_) => ForgottenKind::Gems,
            Forget::Turns(_) => ForgottenKind::Turns,
            Forget::Session(_) => ForgottenKind::Session,
            Forget::Room { .. } => ForgottenKind::Room,
            Forget::Community(_) => ForgottenKind::Community,
        }
    }
}
