//! Users, and what they are in a server.

use vocabulary::WallTime;

use super::{Fields, Snowflake};

/// More roles than this nobody has: a server has 250.
const ROLES_MAX: usize = 300;

/// Somebody with an account, a bot among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub id: Snowflake,
    /// Unique on Discord; empty where a server left it out.
    pub name: String,
    /// What they want to be called everywhere, where they said so.
    pub display_name: Option<String>,
    pub is_bot: bool,
    /// Discord itself.
    pub is_system: bool,
}

impl User {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        Some(Self {
            id: fields.id("id")?,
            name: fields.words("username").unwrap_or_default().to_owned(),
            display_name: fields.words("global_name").map(str::to_owned),
            is_bot: fields.flag("bot"),
            is_system: fields.flag("system"),
        })
    }

    /// What they are called outside of any server.
    pub fn shown(&self) -> &str {
        self.display_name.as_deref().unwrap_or(&self.name)
    }
}

/// What somebody is in a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    /// Missing beside a message's author, a mention or a voice state that names its user itself.
    pub user: Option<User>,
    pub nick: Option<String>,
    /// Without the role that everybody has.
    pub roles: Vec<Snowflake>,
    pub joined_at: Option<WallTime>,
    /// May not speak before.
    pub timed_out_until: Option<WallTime>,
    /// Has not agreed to the server's rules yet.
    pub is_pending: bool,
}

impl Member {
    /// Whatever is there: nothing of a member is indispensable.
    pub fn read(fields: Fields<'_>) -> Self {
        Self {
            user: fields.inner("user").and_then(User::read),
            nick: fields.words("nick").map(str::to_owned),
            roles: fields.ids("roles").take(ROLES_MAX).collect(),
            joined_at: fields.time("joined_at"),
            timed_out_until: fields.time("communication_disabled_until"),
            is_pending: fields.flag("pending"),
        }
    }
}

/// Where somebody is in voice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoiceState {
    /// Filled in from the server that lists it, where it does not say.
    pub guild: Option<Snowflake>,
    /// None: they have left.
    pub channel: Option<Snowflake>,
    pub user: Snowflake,
    pub member: Option<Member>,
    /// Of the voice connection. A voice server wants to hear it.
    pub session: String,
    /// Muted or deafened by a moderator, or by themselves.
    pub is_muted: bool,
    pub is_deafened: bool,
    pub shows_camera: bool,
    pub shares_screen: bool,
    /// In the audience of a stage.
    pub is_suppressed: bool,
}

impl VoiceState {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        let member = fields.inner("member").map(Member::read);
        let of_member = || Some(member.as_ref()?.user.as_ref()?.id);
        Some(Self {
            guild: fields.id("guild_id"),
            channel: fields.id("channel_id"),
            user: fields.id("user_id").or_else(of_member)?,
            session: fields.text("session_id").unwrap_or_default().to_owned(),
            is_muted: fields.flag("mute") || fields.flag("self_mute"),
            is_deafened: fields.flag("deaf") || fields.flag("self_deaf"),
            shows_camera: fields.flag("self_video"),
            shares_screen: fields.flag("self_stream"),
            is_suppressed: fields.flag("suppress"),
            member,
        })
    }
}
