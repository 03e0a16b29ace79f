//! What a session tells a service, whichever it is.

/// Something to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// How the session is to be; with a handle, one that was there before goes on.
    SetUp { resume: Option<String> },
    /// Sound of a person, at the rate that the service takes.
    Append { samples: Vec<i16> },
    /// What was appended is whole: words of it are wanted.
    Commit,
    /// A text to be said, word for word.
    Utter { number: u64, text: String },
    /// No more of it is wanted.
    Cancel { number: u64, response: Option<String> },
    /// It need not keep this in its memory: Denizen thinks with its own.
    Forget { item: String },
}
