//! Why something that a model offered as a gem is none.

use serde::{Deserialize, Serialize};
use vocabulary::named;

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

named! {
    /// Why a gem was not taken.
    pub enum RejectReason {
        /// The answer holds no list of gems at all.
        Unreadable = "unreadable",
        /// It is no object, or a key has a value of another kind.
        Malformed = "malformed",
        EmptyContent = "empty_content",
        TooLong = "too_long",
        /// It begins with a pronoun that only the conversation explains.
        NotSelfContained = "not_self_contained",
        /// It asks instead of telling.
        Question = "question",
        /// Denizen itself said it, and promised nothing.
        OwnWords = "own_words",
        /// It goes back to what would be if something else were.
        Hypothetical = "hypothetical",
        /// It says nothing that would be worth knowing, or the model itself says so.
        SmallTalk = "small_talk",
        /// It cites no turn of the batch, or none that says anything like it.
        NoSource = "no_source",
        ImportanceOutOfRange = "importance_out_of_range",
        UnknownTag = "unknown_tag",
        /// It has a name or number that occurs nowhere in the batch.
        NotGrounded = "not_grounded",
        /// None of the turns it cites is by the speaker it names.
        UnknownSpeaker = "unknown_speaker",
        DuplicateInAnswer = "duplicate_in_answer",
        /// Without the secret in it, it says nothing.
        SecretOnly = "secret_only",
        /// What it was made of was edited before the answer came; the new words are read later.
        WordsChanged = "words_changed",
        /// The batch has given as many as it may.
        TooMany = "too_many",
    }
}
