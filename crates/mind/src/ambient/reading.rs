//! What a model's answer says about its thought.

use serde::{Deserialize, Serialize};
use vocabulary::MediaWish;

/// Longest text of a thought, of a wish for media, and of a reason.
pub const THOUGHT_CHARS_MAX: usize = 1_800;
pub const MEDIA_PROMPT_CHARS_MAX: usize = 900;
pub const REASON_CHARS_MAX: usize = 240;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThoughtAction {
    PostNow,
    Hold,
    Drop,
}

impl ThoughtAction {
    pub fn name(self) -> &'static str {
        match self {
            ThoughtAction::PostNow => "post_now",
            ThoughtAction::Hold => "hold",
            ThoughtAction::Drop => "drop",
        }
    }
}

/// An answer, read.
#[derive(Clone, Debug, PartialEq)]
pub struct ThoughtReading {
    pub action: ThoughtAction,
    /// What to say; empty only where the action is to drop it.
    pub text: String,
    /// The channel it is meant for, as the model wrote it; empty: none named.
    pub channel: String,
    /// The handle of the message it answers, such as `m3`.
    pub reply_to: Option<String>,
    pub media: Option<MediaWish>,
    pub reason: String,
    /// What had to be mended to read it.
    pub repaired: Option<&'static str>,
}

/// Reads an answer. Whatever cannot be understood is a thought that is dropped, and says why.
pub fn read_thought(answer: &str, name: &str) -> ThoughtReading {
    let _ = (answer, name);
    ThoughtReading {
        action: ThoughtAction::Drop,
        text: String::new(),
        channel: String::new(),
        reply_to: None,
        media: None,
        reason: "the answer could not be understood".to_owned(),
        repaired: None,
    }
}
