//! Why something that a model offered as a gem is none.

use serde::{Deserialize, Serialize};

/// A gem that was not taken, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    pub reason: RejectReason,
    /// The beginning of what was offered, without secrets.
    pub content: String,
    /// What exactly was wrong, where there is more to say: the tag, the name, the number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// Why a gem was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RejectReason {
    /// The answer holds no list of gems at all.
    Unreadable,
    /// It is no object, or a key has a value of another kind.
    Malformed,
    EmptyContent,
    TooLong,
    /// It begins with a pronoun that only the conversation explains.
    NotSelfContained,
    /// It asks instead of telling.
    Question,
    /// Denizen itself said it, and promised nothing.
    OwnWords,
    /// It goes back to what would be if something else were.
    Hypothetical,
    /// It says nothing that would be worth knowing, or the model itself says so.
    SmallTalk,
    /// It cites no turn of the batch, or none that says anything like it.
    NoSource,
    ImportanceOutOfRange,
    UnknownTag,
    /// It has a name or number that occurs nowhere in the batch.
    NotGrounded,
    /// None of the turns it cites is by the speaker it names.
    UnknownSpeaker,
    DuplicateInAnswer,
    /// Without the secret in it, it says nothing.
    SecretOnly,
    /// The batch has given as many as it may.
    TooMany,
}

impl RejectReason {
    pub const ALL: [RejectReason; 17] = [
        RejectReason::Unreadable,
        RejectReason::Malformed,
        RejectReason::EmptyContent,
        RejectReason::TooLong,
        RejectReason::NotSelfContained,
        RejectReason::Question,
        RejectReason::OwnWords,
        RejectReason::Hypothetical,
        RejectReason::SmallTalk,
        RejectReason::NoSource,
        RejectReason::ImportanceOutOfRange,
        RejectReason::UnknownTag,
        RejectReason::NotGrounded,
        RejectReason::UnknownSpeaker,
        RejectReason::DuplicateInAnswer,
        RejectReason::SecretOnly,
        RejectReason::TooMany,
    ];

    pub fn name(self) -> &'static str {
        match self {
            RejectReason::Unreadable => "unreadable",
            RejectReason::Malformed => "malformed",
            RejectReason::EmptyContent => "empty_content",
            RejectReason::TooLong => "too_long",
            RejectReason::NotSelfContained => "not_self_contained",
            RejectReason::Question => "question",
            RejectReason::OwnWords => "own_words",
            RejectReason::Hypothetical => "hypothetical",
            RejectReason::SmallTalk => "small_talk",
            RejectReason::NoSource => "no_source",
            RejectReason::ImportanceOutOfRange => "importance_out_of_range",
            RejectReason::UnknownTag => "unknown_tag",
            RejectReason::NotGrounded => "not_grounded",
            RejectReason::UnknownSpeaker => "unknown_speaker",
            RejectReason::DuplicateInAnswer => "duplicate_in_answer",
            RejectReason::SecretOnly => "secret_only",
            RejectReason::TooMany => "too_many",
        }
    }
}
