//! What Discord says, read leniently into small types of our own. Servers differ in what they leave out and how they
//! write it; what is not needed is not looked at, and what is needed may come in any form that can be understood.

mod contents;
mod fields;
mod message;
mod message_kind;
mod people;
mod snowflake;

pub use contents::{Embed, Emoji, Poll, PollAnswer, PostedFile, Sticker};
pub use fields::Fields;
pub use message::{ForwardedMessage, MessageChanged, MessageReference, PostedMessage, ReactionCount};
pub use message_kind::MessageKind;
pub use people::{Member, User, VoiceState};
pub use snowflake::Snowflake;

#[cfg(test)]
#[path = "hostile_tests.rs"]
mod hostile_tests;
#[cfg(test)]
#[path = "message_tests.rs"]
mod message_tests;
