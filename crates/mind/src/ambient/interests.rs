//! What a community is into, by what its people wrote lately: words that keep coming back, from more than one message.

use vocabulary::Message;

/// A topic with how often it came up and how many people brought it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interest {
    pub word: String,
    pub messages: usize,
    pub people: usize,
}

/// The strongest topics of these messages, strongest first. Bots and Denizen itself do not count.
pub fn interests(messages: &[&Message], limit: usize) -> Vec<Interest> {
    let _ = (messages, limit);
    Vec::new()
}
