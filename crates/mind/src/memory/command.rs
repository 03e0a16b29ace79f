//! Commands that somebody types into a room: to begin anew, to be forgotten, to come into the voice of the room,
//! and to learn of these.

use serde::{Deserialize, Serialize};

use super::triggers::SessionEnding;

/// A command, as it was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// `/new`: a new conversation; what was said is remembered.
    New,
    /// `/reset`: the same, by its other name.
    Reset,
    /// `/help`: what can be typed here.
    Help,
    /// `/forget me`: everything the author said, and all that is known of them. It is asked back.
    ForgetMe,
    /// `/forget me yes`: the answer to that.
    ForgetMeYes,
    /// `/forget that`: what the author said last.
    ForgetThat,
    /// `/join`: come into the voice of the room.
    Join,
    /// `/leave`: leave it.
    Leave,
}

impl Command {
    pub fn name(&self) -> &'static str {
        match self {
            Command::New => "/new",
            Command::Reset => "/reset",
            Command::Help => "/help",
            Command::ForgetMe => "/forget me",
            Command::ForgetMeYes => "/forget me yes",
            Command::ForgetThat => "/forget that",
            Command::Join => "/join",
            Command::Leave => "/leave",
        }
    }

    /// How it ends the conversation, if it does.
    pub fn ending(&self) -> Option<SessionEnding> {
        match self {
            Command::New => Some(SessionEnding::New),
            Command::Reset => Some(SessionEnding::Reset),
            Command::Help
            | Command::ForgetMe
            | Command::ForgetMeYes
            | Command::ForgetThat
            | Command::Join
            | Command::Leave => None,
        }
    }

    /// Whether something is gone for good once it is carried out.
    pub fn forgets(&self) -> bool {
        matches!(
            self,
            Command::ForgetMe | Command::ForgetMeYes | Command::ForgetThat
        )
    }
}

/// Reads a command: the whole message, whatever its case and spacing, with a full stop at most.
pub fn read(text: &str) -> Option<Command> {
    let folded = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    let words: Vec<&str> = folded.split_whitespace().collect();
    match words.as_slice() {
        ["/new"] => Some(Command::New),
        ["/reset"] => Some(Command::Reset),
        ["/help"] => Some(Command::Help),
        ["/join"] => Some(Command::Join),
        ["/leave"] => Some(Command::Leave),
        ["/forget", "me"] => Some(Command::ForgetMe),
        ["/forget", "me", "yes"] => Some(Command::ForgetMeYes),
        ["/forget", "that"] => Some(Command::ForgetThat),
        _ => None,
    }
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
