//! What is told of a realtime service that thinks for itself.

use serde::{Deserialize, Serialize};
use vocabulary::Span;

/// What a realtime service that thinks for itself calls what it is asked for, and what it tells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ServiceEvents {
    /// `session.update`
    pub instruct: String,
    /// `input_audio_buffer.commit`
    pub hear: String,
    /// `conversation.item.input_audio_transcription.completed`
    pub heard: String,
    /// `response.output_audio_transcript.delta`
    pub words: String,
    /// `conversation.item.truncate`; empty where it cannot be told how much was heard.
    pub stop: String,
}

/// What a realtime service was told and has heard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ServiceKnown {
    /// How often the conversation was begun; it knows nothing of what was before.
    pub begun: u64,
    pub items: u64,
    /// Of these, what people said, and for how long.
    pub clips: u64,
    pub heard: Span,
    /// Tokens that it said it read for its last answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// It lets go of what is old by itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub folds: bool,
    /// What an answer of its can cost now, at most, in millionths of a dollar; none where nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_micro_dollars: Option<u64>,
}
