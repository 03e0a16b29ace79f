//! Typed ids: names that come from a platform are text, numbers that the mind counts are `u64`.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};

/// A text goes into its place at once: a state has thousands of ids, and by way of a `String` each would be copied twice.
fn text<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
    struct Text;

    impl Visitor<'_> for Text {
        type Value = Arc<str>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Arc<str>, E> {
            Ok(text.into())
        }
    }

    from.deserialize_str(Text)
}

macro_rules! text_ids {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                text(from).map(Self)
            }
        }

        impl $name {
            /// Takes the platform's own id as it is.
            pub fn new(text: impl Into<Arc<str>>) -> Self {
                Self(text.into())
            }

            /// The id as the platform wrote it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    )+};
}

macro_rules! number_ids {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// The next number; what it was called on keeps count.
            pub fn take_next(&mut self) -> Self {
                self.0 += 1;
                *self
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    )+};
}

text_ids! {
    /// A community: a Discord server, or the local one. The unit of state: one mind each.
    CommunityId;
    /// A text channel.
    RoomId;
    /// Somebody who can write: a person, another bot, or Denizen itself.
    PersonId;
    /// A message, by the id its platform gave it.
    MessageId;
    /// One thing to be sent, the same across retries and restarts, so that it is sent once.
    DeliveryId;
    /// A picture or file that came with a message.
    AttachmentId;
    /// A gem of memory, derived from what it came from.
    GemId;
    /// A captured turn: a message's own id where it is one.
    TurnKey;
    /// One conversation of a room, or one of another agent's.
    SessionId;
    /// One screen that somebody shares, from its start to its end. No secret: the token is.
    ShareId;
}

number_ids! {
    /// One attempt to answer one burst of messages.
    TurnId;
    /// A turn's place on the time line of a conversation, counted from 0; never an index into anything.
    TurnSeq;
    /// A note's place among the notes of a conversation.
    NoteSeq;
    /// One question to a model.
    AskId;
    /// One look into what was said or learnt before.
    RecallId;
    /// One run of making gems out of turns.
    ExtractionId;
    /// An emitted frame of a shared screen. The picture is in the shell; the mind has the number.
    FrameId;
    /// One call of a tool.
    ToolRunId;
    /// One look around before a thought.
    GatherId;
    /// One picture, clip or GIF that is wanted.
    MediaId;
    /// The number of a journal line within its community.
    JournalSeq;
}

/// The community that a data folder has from the start.
const HOME: &str = "local";

impl CommunityId {
    /// The community that a data folder has from the start: the default one.
    pub fn home() -> Self {
        Self::from(HOME)
    }
}

impl TurnKey {
    /// The turn that a message is. Ids of messages are unique within their community, those of turns everywhere; in the
    /// home community they are the same, since they were kept so before there could be another one.
    pub fn of_message(community: &CommunityId, message: &MessageId) -> Self {
        match community.as_str() {
            HOME => Self::from(message.as_str()),
            other => Self::new(format!("{other}/{message}")),
        }
    }

    /// The message of a community that a turn with this key would be; none where it can be none.
    pub fn message_of(&self, community: &CommunityId) -> Option<MessageId> {
        match community.as_str() {
            HOME => Some(MessageId::from(self.as_str())),
            other => {
                let id = self.as_str().strip_prefix(other)?.strip_prefix('/')?;
                Some(MessageId::from(id))
            }
        }
    }
}
