//! Channels and threads.

use std::collections::BTreeMap;

use serde_json::Value;

use super::people::User;
use super::{Fields, Snowflake};

/// More exceptions than this a channel cannot have.
const OVERWRITES_MAX: usize = 1_000;
const LIST_MAX: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelKind {
    Text,
    Announcement,
    Voice,
    Stage,
    Forum,
    /// A forum of pictures.
    Media,
    Category,
    Thread,
    PrivateThread,
    Direct,
    GroupDirect,
    Other(u64),
}

impl ChannelKind {
    fn of(number: u64) -> Self {
        match number {
            0 => Self::Text,
            1 => Self::Direct,
            2 => Self::Voice,
            3 => Self::GroupDirect,
            4 => Self::Category,
            5 => Self::Announcement,
            10 | 11 => Self::Thread,
            12 => Self::PrivateThread,
            13 => Self::Stage,
            15 => Self::Forum,
            16 => Self::Media,
            other => Self::Other(other),
        }
    }

    pub fn is_thread(self) -> bool {
        matches!(self, Self::Thread | Self::PrivateThread)
    }

    pub fn is_direct(self) -> bool {
        matches!(self, Self::Direct | Self::GroupDirect)
    }

    pub fn is_voice(self) -> bool {
        matches!(self, Self::Voice | Self::Stage)
    }

    /// Whether messages stand in it; forums and categories hold channels instead.
    pub fn has_messages(self) -> bool {
        !matches!(self, Self::Category | Self::Forum | Self::Media | Self::Other(_))
    }
}

/// What a role or a person may do otherwise in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overwrite {
    /// Of a role or of a person.
    pub of: Snowflake,
    pub is_of_person: bool,
    pub allow: u64,
    pub deny: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    pub id: Snowflake,
    /// Filled in from the server that lists it, where it does not say.
    pub guild: Option<Snowflake>,
    pub kind: ChannelKind,
    /// Empty for direct messages.
    pub name: String,
    pub topic: Option<String>,
    /// The category of a channel, the channel of a thread.
    pub parent: Option<Snowflake>,
    pub is_age_restricted: bool,
    pub overwrites: Vec<Overwrite>,
    /// Who else is in a direct conversation.
    pub recipients: Vec<User>,
    /// Seconds between two messages of one person.
    pub slow_mode_seconds: u64,
    pub last_message: Option<Snowflake>,
    /// What a forum's posts may be tagged with.
    pub tags: BTreeMap<Snowflake, String>,
    pub thread: Option<ThreadFacts>,
}

/// What only a thread has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadFacts {
    /// Who began it.
    pub owner: Option<Snowflake>,
    pub is_archived: bool,
    /// Only moderators may open it again.
    pub is_locked: bool,
    /// Of a post in a forum.
    pub tags: Vec<Snowflake>,
    /// The bot itself is in it.
    pub is_joined: bool,
    /// It has just been made, and has not just become visible.
    pub is_new: bool,
}

impl Channel {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        let kind = ChannelKind::of(fields.number("type").unwrap_or_default());
        let tag = |tag: Fields<'_>| Some((tag.id("id")?, tag.text("name")?.to_owned()));
        Some(Self {
            id: fields.id("id")?,
            guild: fields.id("guild_id"),
            kind,
            name: fields.text("name").unwrap_or_default().to_owned(),
            topic: fields.words("topic").map(str::to_owned),
            parent: fields.id("parent_id"),
            is_age_restricted: fields.flag("nsfw"),
            overwrites: fields
                .objects("permission_overwrites")
                .take(OVERWRITES_MAX)
                .filter_map(Overwrite::read)
                .collect(),
            recipients: fields
                .objects("recipients")
                .take(LIST_MAX)
                .filter_map(User::read)
                .collect(),
            slow_mode_seconds: fields.number("rate_limit_per_user").unwrap_or_default(),
            last_message: fields.id("last_message_id"),
            tags: fields
                .objects("available_tags")
                .take(LIST_MAX)
                .filter_map(tag)
                .collect(),
            thread: kind.is_thread().then(|| ThreadFacts::read(fields)),
        })
    }
}

impl ThreadFacts {
    fn read(fields: Fields<'_>) -> Self {
        let state = fields.inner("thread_metadata");
        Self {
            owner: fields.id("owner_id"),
            is_archived: state.is_some_and(|state| state.flag("archived")),
            is_locked: state.is_some_and(|state| state.flag("locked")),
            tags: fields.ids("applied_tags").take(LIST_MAX).collect(),
            is_joined: fields.inner("member").is_some(),
            is_new: fields.flag("newly_created"),
        }
    }
}

impl Overwrite {
    fn read(fields: Fields<'_>) -> Option<Self> {
        // Older servers write the words.
        let is_of_person = match fields.value("type") {
            Some(Value::String(text)) => matches!(text.as_str(), "member" | "1"),
            _ => fields.number("type") == Some(1),
        };
        Some(Self {
            of: fields.id("id")?,
            is_of_person,
            allow: fields.number("allow").unwrap_or_default(),
            deny: fields.number("deny").unwrap_or_default(),
        })
    }
}
