//! What somebody wrote in a text channel.

use serde::{Deserialize, Serialize};

use crate::{AttachmentId, MessageId, PersonId, RoomId, WallTime};

/// One message of a text channel, from any platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub id: MessageId,
    pub room: RoomId,
    pub author: Author,
    pub text: String,
    pub at: WallTime,
    /// The message this one answers, where the platform has reply threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageId>,
    /// Whose message that is, where the room can tell: it may have been said long ago.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to_author: Option<PersonId>,
    /// Who was mentioned by the platform's own mention, Denizen included. `@everyone` is nobody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<PersonId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// It was spoken in a voice channel, and written down here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spoken: bool,
    /// A sign of Denizen's about itself, such as that it listens: no part of the conversation, and not remembered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sign: bool,
}

/// Who wrote a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Author {
    pub id: PersonId,
    /// The name the room shows.
    pub name: String,
    pub kind: AuthorKind,
}

/// What kind of participant an author is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AuthorKind {
    Person,
    /// Denizen itself.
    Denizen,
    /// Some other program; it is read, and never answered.
    OtherBot,
}

/// A picture or file that came with a message; its bytes are kept outside the mind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    pub id: AttachmentId,
    /// For example `image/png`.
    pub mime: String,
    pub name: String,
    pub bytes: u64,
    /// What is to be seen, where that is known: what was wished for, of something that was made or found.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

impl Attachment {
    /// Whether a model with eyes could look at it.
    pub fn is_image(&self) -> bool {
        matches!(
            self.mime.as_str(),
            "image/png" | "image/jpeg" | "image/webp" | "image/gif"
        )
    }
}
