//! Servers, which the protocol calls guilds, and their roles.

use serde_json::Value;

use super::channel::Channel;
use super::contents::Emoji;
use super::people::{Member, VoiceState};
use super::{Fields, Snowflake};

const ROLES_MAX: usize = 1_000;
const CHANNELS_MAX: usize = 2_000;
const MEMBERS_MAX: usize = 5_000;
/// Discord's own limit is 250 of each kind.
const EMOJI_MAX: usize = 500;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuildRole {
    pub id: Snowflake,
    pub name: String,
    pub permissions: u64,
    pub position: i64,
    /// Anybody may mention it.
    pub is_mentionable: bool,
    /// A bot's own, which nobody else has.
    pub is_managed: bool,
}

impl GuildRole {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        Some(Self {
            id: fields.id("id")?,
            name: fields.text("name").unwrap_or_default().to_owned(),
            permissions: fields.number("permissions").unwrap_or_default(),
            position: fields.signed("position").unwrap_or_default(),
            is_mentionable: fields.flag("mentionable"),
            is_managed: fields.flag("managed"),
        })
    }
}

/// A server, as it is told when the bot comes in, or when the server has changed: then without its lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guild {
    pub id: Snowflake,
    pub name: String,
    pub owner: Option<Snowflake>,
    /// The language its administrators chose.
    pub locale: Option<String>,
    pub member_count: Option<u64>,
    /// None: not told. A server has at least one.
    pub roles: Option<Vec<GuildRole>>,
    pub channels: Vec<Channel>,
    /// Open threads that the bot may see.
    pub threads: Vec<Channel>,
    /// In larger servers only some.
    pub members: Vec<Member>,
    pub voice_states: Vec<VoiceState>,
    /// The server's own, as far as they can be used. None: not told.
    pub emoji: Option<Vec<Emoji>>,
}

impl Guild {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        // Some servers put what describes a guild into a part of its own.
        let facts = fields.inner("properties").unwrap_or(fields);
        let id = fields.id("id").or_else(|| facts.id("id"))?;
        let channels = |name| {
            let read = fields.objects(name).take(CHANNELS_MAX).filter_map(Channel::read);
            let here = read.map(|channel| Channel {
                guild: Some(id),
                ..channel
            });
            here.collect()
        };
        let states = fields.objects("voice_states").take(MEMBERS_MAX);
        let states = states.filter_map(VoiceState::read).map(|state| VoiceState {
            guild: Some(id),
            ..state
        });
        let roles = fields.value("roles").is_some().then(|| {
            let roles = fields.objects("roles").take(ROLES_MAX);
            roles.filter_map(GuildRole::read).collect()
        });
        let emoji = fields.value("emojis").is_some().then(|| usable_emoji(fields));
        Some(Self {
            id,
            emoji,
            name: facts.text("name").unwrap_or_default().to_owned(),
            owner: facts.id("owner_id"),
            locale: facts.words("preferred_locale").map(str::to_owned),
            member_count: fields.number("member_count"),
            roles,
            channels: channels("channels"),
            threads: channels("threads"),
            members: fields
                .objects("members")
                .take(MEMBERS_MAX)
                .map(Member::read)
                .collect(),
            voice_states: states.collect(),
        })
    }
}

/// A server's own emoji, as far as they can be used.
pub(super) fn usable_emoji(fields: Fields<'_>) -> Vec<Emoji> {
    let told = fields.objects("emojis").take(EMOJI_MAX);
    let usable = told.filter(|emoji| emoji.value("available") != Some(&Value::Bool(false)));
    usable.filter_map(Emoji::read).collect()
}
