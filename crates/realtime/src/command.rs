//! What a session tells a service, whichever it is.

use std::sync::Arc;

use runtime::ports::NativeInstructions;
use vocabulary::{Span, ToolResult};

/// Something to be sent.
#[derive(Clone, Debug, PartialEq)]
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
    /// A conversation begins, or goes on where a handle is given: what it is to be, and what was said before.
    Begin {
        resume: Option<String>,
        being: Arc<NativeInstructions>,
        history: Vec<HistoryLine>,
    },
    /// What it is to be from now on.
    Instruct { being: Arc<NativeInstructions> },
    /// Words that it is to know of; nothing answers them.
    Tell { item: String, text: String },
    /// What its calls came to; it goes on when it is asked to answer.
    Results { results: Vec<ToolResult> },
    /// It is to think and speak.
    Answer { number: u64, prompt: AnswerPrompt },
    /// Of what it said under this name, so much was heard.
    Truncate { item: String, heard: Span },
    /// Somebody is there.
    Pong { id: i64 },
}

/// Something that was said before a connection was there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HistoryLine {
    pub(crate) is_own: bool,
    pub(crate) text: String,
}

/// What a service is given when it is to answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AnswerPrompt {
    /// To be heeded this once; empty: nothing.
    pub(crate) hint: String,
    pub(crate) being: Arc<NativeInstructions>,
    /// What a service that answers whatever it is told has not been told yet.
    pub(crate) held: Vec<Held>,
    /// The same of what its calls came to.
    pub(crate) results: Vec<ToolResult>,
}

/// Something that is told to a service only when it is to answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Held {
    Words(String),
    /// Sound, at the rate that the service takes, after a line that says whose it is.
    Clip {
        line: String,
        samples: Arc<[i16]>,
    },
}
