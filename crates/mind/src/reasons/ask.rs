//! Why a question to a model was given up.

use serde::{Deserialize, Serialize};

/// Why nobody waits for an answer any more. Former journals have the words in place of the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CancelReason {
    #[serde(alias = "more of the burst came")]
    BurstGrew,
    #[serde(alias = "a message it answers was edited")]
    MessageEdited,
    #[serde(alias = "a message it answers was deleted")]
    MessageDeleted,
    #[serde(alias = "every message of it was taken back")]
    AllTakenBack,
    #[serde(alias = "something it may hold was forgotten")]
    Forgotten,
    #[serde(alias = "the screen it was about is not watched any more")]
    Unwatched,
    DroppedByOperator,
    RoomEnded,
    NewerTurn,
    SpokenOver,
    VoiceEnded,
    TooLate,
    RoomMovedOn,
    Quiet,
}

impl CancelReason {
    /// For a person.
    pub fn words(self) -> &'static str {
        match self {
            CancelReason::BurstGrew => "more of the burst came",
            CancelReason::MessageEdited => "a message it answers was edited",
            CancelReason::MessageDeleted => "a message it answers was deleted",
            CancelReason::AllTakenBack => "every message of it was taken back",
            CancelReason::Forgotten => "something it may hold was forgotten",
            CancelReason::Unwatched => "the screen it was about is not watched any more",
            CancelReason::DroppedByOperator => "the operator dropped the thought",
            CancelReason::RoomEnded => "the room is gone",
            CancelReason::NewerTurn => "something newer was said",
            CancelReason::SpokenOver => "somebody spoke over it",
            CancelReason::VoiceEnded => "it left the voice of the room",
            CancelReason::TooLate => "it would have come too late",
            CancelReason::RoomMovedOn => "something happened in the room",
            CancelReason::Quiet => "somebody wants it quiet in the room",
        }
    }
}

/// Why a reply is asked for as suits a small model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlainCause {
    /// `llm.profile` says so.
    Setting,
    /// It is small, by what its server or its name says.
    FewParameters,
    /// It reads little at once.
    ShortContext,
    /// Its server refuses tools.
    ToolsRefused,
}
