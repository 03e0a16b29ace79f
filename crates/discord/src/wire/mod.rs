//! What Discord says, read leniently into small types of our own. Servers differ in what they leave out and how they
//! write it; what is not needed is not looked at, and what is needed may come in any form that can be understood.

mod channel;
mod contents;
mod event;
mod fields;
mod guild;
mod interaction;
mod message;
mod message_kind;
mod payload;
mod people;
mod snowflake;

pub use channel::{Channel, ChannelKind, Overwrite, ThreadFacts};
pub use contents::{Embed, Emoji, Poll, PollAnswer, PostedFile, Sticker};
pub use event::{GatewayEvent, ReactionChange, SessionReady, ThreadList, VoiceServer};
pub use fields::Fields;
pub use guild::{Guild, GuildRole};
pub use interaction::{CommandCall, Interaction, InteractionAsk, OptionValue};
pub use message::{ForwardedMessage, MessageChanged, MessageReference, PostedMessage, ReactionCount};
pub use message_kind::MessageKind;
pub use payload::{Op, Payload};
pub use people::{Member, User, VoiceState};
pub use snowflake::Snowflake;

#[cfg(test)]
#[path = "event_tests.rs"]
mod event_tests;
#[cfg(test)]
#[path = "hostile_tests.rs"]
mod hostile_tests;
#[cfg(test)]
#[path = "message_tests.rs"]
mod message_tests;
#[cfg(test)]
mod samples;
