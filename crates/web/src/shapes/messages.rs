//! Rooms and messages.

use utoipa::ToSchema;

#[derive(Debug, ToSchema)]
pub struct Rooms {
    pub rooms: Vec<Room>,
}

#[derive(Debug, ToSchema)]
pub struct Room {
    #[schema(example = "lounge")]
    pub id: String,
    pub name: String,
}

/// Messages, oldest first.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessagePage {
    pub messages: Vec<StoredMessage>,
    /// Whether there is more in the direction that was asked for.
    pub has_more: bool,
}

/// A message as it is kept.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredMessage {
    /// Its place among all messages; grows. Seldom missing right after writing, when it is not known yet.
    #[schema(nullable = false)]
    pub seq: Option<u64>,
    pub id: String,
    pub room: String,
    pub author: Author,
    pub text: String,
    /// Unix milliseconds.
    pub at: i64,
    /// The message this one answers.
    #[schema(nullable = false)]
    pub reply_to: Option<String>,
    /// Who was mentioned, by id.
    #[schema(required = false)]
    pub mentions: Vec<String>,
    #[schema(required = false)]
    pub attachments: Vec<Attachment>,
    /// Unix milliseconds.
    #[schema(nullable = false)]
    pub edited_at: Option<i64>,
    /// The turn a message of Denizen's came from.
    #[schema(nullable = false)]
    pub turn: Option<u64>,
    /// The model call a message of Denizen's came from.
    #[schema(nullable = false)]
    pub ask: Option<u64>,
    /// It was spoken, and written down.
    #[schema(required = false)]
    pub spoken: bool,
    /// What people put under it.
    #[schema(required = false)]
    pub reactions: Vec<Reaction>,
}

/// A reaction under a message, and whose it is.
#[derive(Debug, ToSchema)]
pub struct Reaction {
    #[schema(example = "👍")]
    pub emoji: String,
    /// Ids, in the order in which they reacted.
    #[schema(example = json!(["local:alice"]))]
    pub people: Vec<String>,
}

/// A reaction to be put under a message, or to be taken back.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReaction {
    /// Who reacts.
    #[schema(min_length = 1, max_length = 40, example = "Alice")]
    pub author: String,
    /// No spaces and no control characters.
    #[schema(min_length = 1, max_length = 32, example = "👍")]
    pub emoji: String,
}

#[derive(Debug, ToSchema)]
pub struct Author {
    #[schema(example = "local:alice")]
    pub id: String,
    #[schema(example = "Alice")]
    pub name: String,
    /// `person`, `denizen` or `other_bot`.
    #[schema(example = "person")]
    pub kind: String,
}

#[derive(Debug, ToSchema)]
pub struct Attachment {
    pub id: String,
    #[schema(example = "image/png")]
    pub mime: String,
    pub name: String,
    pub bytes: u64,
}

/// A message to be written.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
pub struct NewMessage {
    /// 1 to 40 characters, and not Denizen's own name.
    #[schema(min_length = 1, max_length = 40, example = "Alice")]
    pub author: String,
    /// `@Name` mentions somebody who wrote here lately, or Denizen.
    #[schema(required = false, max_length = 8000)]
    pub text: String,
    /// The message this one answers; it must be in the same room.
    pub reply_to: Option<String>,
    /// Pictures.
    #[schema(required = false, max_items = 4)]
    pub attachments: Vec<NewAttachment>,
    /// An id of one's own makes the request repeatable.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub id: Option<String>,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
pub struct NewAttachment {
    #[schema(max_length = 120, example = "cat.png")]
    pub name: String,
    /// `image/png`, `image/jpeg`, `image/webp` or `image/gif`.
    #[schema(example = "image/png")]
    pub mime: String,
    /// At most 5 MB once decoded.
    #[schema(content_encoding = "base64")]
    pub data_base64: String,
}

#[derive(Debug, ToSchema)]
pub struct MessageAnswer {
    pub message: StoredMessage,
}

#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageEdit {
    /// Who wrote it.
    pub author: String,
    #[schema(max_length = 8000)]
    pub text: String,
}

#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Typing {
    pub author: String,
    pub typing: bool,
}
