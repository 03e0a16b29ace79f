//! What a model said about a screen, read with a little patience.

/// A note as a model gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoteReading {
    Note {
        text: String,
        why: String,
    },
    /// It says that there is nothing to say.
    Nothing,
    /// No note could be made out.
    Unreadable,
}

/// Reads the answer to a question for a note.
pub(crate) fn read_note(answer: &str) -> NoteReading {
    let _ = answer;
    NoteReading::Unreadable
}

/// A comment as a model gave it: words or silence, and what it noted on the side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommentaryReading {
    /// What to say; none: it stays silent.
    pub say: Option<String>,
    /// What it noted, each with why it matters (may be empty).
    pub notes: Vec<(String, String)>,
    /// Why it is silent, in the model's words.
    pub why: String,
    /// What had to be put right to read it.
    pub repaired: Option<&'static str>,
}

/// Reads the answer to a question for a comment.
pub(crate) fn read_commentary(answer: &str, denizen: &str) -> CommentaryReading {
    let _ = (answer, denizen);
    CommentaryReading::default()
}
