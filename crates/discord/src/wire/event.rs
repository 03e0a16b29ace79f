//! Everything that happens and that Denizen wants to know of, by its name on the wire.

use secrecy::SecretString;
use serde_json::Value;
use vocabulary::WallTime;

use super::channel::Channel;
use super::contents::Emoji;
use super::guild::{Guild, GuildRole, usable_emoji};
use super::interaction::Interaction;
use super::message::{MessageChanged, PostedMessage};
use super::people::{Member, User, VoiceState};
use super::{Fields, Snowflake};

const LIST_MAX: usize = 5_000;
/// Names on the wire are short; a longer one is nobody's.
const NAME_MAX: usize = 64;

#[derive(Clone, Debug)]
pub enum GatewayEvent {
    /// A session began: what comes from here on is new, and what was missed before is to be asked for by REST.
    Ready(SessionReady),
    /// A session goes on, and everything missed was sent again.
    Resumed,
    /// A server that the bot is in, at the beginning, after an outage, or because it was invited.
    GuildCreated(Box<Guild>),
    /// Without its channels and people.
    GuildUpdated(Box<Guild>),
    /// An outage, which passes, or the bot was made to leave.
    GuildGone {
        guild: Snowflake,
        is_outage: bool,
    },
    ChannelCreated(Box<Channel>),
    ChannelUpdated(Box<Channel>),
    ChannelDeleted(Box<Channel>),
    /// New, or newly visible: [`super::ThreadFacts::is_new`].
    ThreadCreated(Box<Channel>),
    ThreadUpdated(Box<Channel>),
    ThreadDeleted {
        guild: Option<Snowflake>,
        thread: Snowflake,
    },
    /// All open threads of some channels, which have become visible.
    ThreadsListed(ThreadList),
    /// Who came into a thread and who went.
    ThreadPeopleChanged {
        guild: Option<Snowflake>,
        thread: Snowflake,
        added: Vec<Snowflake>,
        removed: Vec<Snowflake>,
    },
    MessageCreated(Box<PostedMessage>),
    MessageChanged(Box<MessageChanged>),
    MessagesDeleted {
        guild: Option<Snowflake>,
        channel: Snowflake,
        messages: Vec<Snowflake>,
    },
    ReactionAdded(Box<ReactionChange>),
    ReactionRemoved(Box<ReactionChange>),
    /// A moderator took away all of them, or all of one emoji.
    ReactionsCleared {
        guild: Option<Snowflake>,
        channel: Snowflake,
        message: Snowflake,
        emoji: Option<Emoji>,
    },
    /// All of a server's own emoji, anew.
    EmojiSet {
        guild: Snowflake,
        emoji: Vec<Emoji>,
    },
    /// New or changed.
    RoleSet {
        guild: Snowflake,
        role: GuildRole,
    },
    RoleDeleted {
        guild: Snowflake,
        role: Snowflake,
    },
    MemberJoined {
        guild: Snowflake,
        member: Box<Member>,
    },
    MemberUpdated {
        guild: Snowflake,
        member: Box<Member>,
    },
    MemberLeft {
        guild: Snowflake,
        user: User,
    },
    /// The answer to a question about people, or a part of it.
    MembersListed {
        guild: Snowflake,
        members: Vec<Member>,
        nonce: Option<String>,
        is_last: bool,
    },
    TypingStarted {
        guild: Option<Snowflake>,
        channel: Snowflake,
        user: Snowflake,
        member: Option<Box<Member>>,
        at: Option<WallTime>,
    },
    VoiceStateChanged(Box<VoiceState>),
    VoiceServerChanged(VoiceServer),
    InteractionCreated(Box<Interaction>),
    /// Nothing that Denizen knows of.
    Unknown {
        name: String,
    },
}

/// The first thing that a session says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionReady {
    /// The bot itself.
    pub user: User,
    pub application: Option<Snowflake>,
    /// Servers that will be told one by one.
    pub guilds: Vec<Snowflake>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadList {
    pub guild: Snowflake,
    /// The channels whose threads these are; none: of the whole server.
    pub parents: Option<Vec<Snowflake>>,
    pub threads: Vec<Channel>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReactionChange {
    pub guild: Option<Snowflake>,
    pub channel: Snowflake,
    pub message: Snowflake,
    pub user: Snowflake,
    /// Told when a reaction is added in a server.
    pub member: Option<Member>,
    /// Who wrote the message, where the server says so.
    pub author: Option<Snowflake>,
    pub emoji: Emoji,
    pub is_burst: bool,
}

/// Where to connect for voice.
#[derive(Clone, Debug)]
pub struct VoiceServer {
    pub guild: Snowflake,
    pub token: SecretString,
    /// None: the server went away, and another one will be named.
    pub endpoint: Option<String>,
}

impl GatewayEvent {
    /// Reads an event by its name. None: something that is indispensable to it is missing.
    pub fn read(name: &str, data: &Value) -> Option<Self> {
        if name == "RESUMED" {
            return Some(Self::Resumed);
        }
        let Some(fields) = Fields::of(data) else {
            return (!is_known(name)).then(|| Self::unknown(name));
        };
        Some(match name {
            "READY" => Self::Ready(SessionReady::read(fields)?),
            "GUILD_CREATE" | "GUILD_DELETE" | "GUILD_UPDATE" => guild_event(name, fields)?,
            "CHANNEL_CREATE" => Self::ChannelCreated(channel(fields)?),
            "CHANNEL_UPDATE" => Self::ChannelUpdated(channel(fields)?),
            "CHANNEL_DELETE" => Self::ChannelDeleted(channel(fields)?),
            "THREAD_CREATE" => Self::ThreadCreated(channel(fields)?),
            "THREAD_UPDATE" => Self::ThreadUpdated(channel(fields)?),
            "THREAD_DELETE" | "THREAD_LIST_SYNC" | "THREAD_MEMBER_UPDATE" | "THREAD_MEMBERS_UPDATE" => {
                thread_event(name, fields)?
            }
            "MESSAGE_CREATE" => Self::MessageCreated(Box::new(PostedMessage::read(fields)?)),
            "MESSAGE_UPDATE" => Self::MessageChanged(Box::new(MessageChanged::read(fields)?)),
            "MESSAGE_DELETE" | "MESSAGE_DELETE_BULK" => deletion(name, fields)?,
            "MESSAGE_REACTION_ADD" => Self::ReactionAdded(Box::new(ReactionChange::read(fields)?)),
            "MESSAGE_REACTION_REMOVE" => Self::ReactionRemoved(Box::new(ReactionChange::read(fields)?)),
            "MESSAGE_REACTION_REMOVE_ALL" | "MESSAGE_REACTION_REMOVE_EMOJI" => clearance(fields)?,
            "GUILD_EMOJIS_UPDATE" => Self::EmojiSet {
                guild: fields.id("guild_id")?,
                emoji: usable_emoji(fields),
            },
            "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE" => Self::RoleSet {
                guild: fields.id("guild_id")?,
                role: GuildRole::read(fields.inner("role")?)?,
            },
            "GUILD_ROLE_DELETE" => Self::RoleDeleted {
                guild: fields.id("guild_id")?,
                role: fields.id("role_id")?,
            },
            "GUILD_MEMBER_ADD" | "GUILD_MEMBER_UPDATE" | "GUILD_MEMBER_REMOVE" | "GUILD_MEMBERS_CHUNK" => {
                member_event(name, fields)?
            }
            "TYPING_START" => typing(fields)?,
            "VOICE_STATE_UPDATE" => Self::VoiceStateChanged(Box::new(VoiceState::read(fields)?)),
            "VOICE_SERVER_UPDATE" => Self::VoiceServerChanged(VoiceServer {
                guild: fields.id("guild_id")?,
                token: SecretString::from(fields.words("token")?),
                endpoint: fields.words("endpoint").map(str::to_owned),
            }),
            "INTERACTION_CREATE" => Self::InteractionCreated(Box::new(Interaction::read(fields)?)),
            other => Self::unknown(other),
        })
    }

    fn unknown(name: &str) -> Self {
        Self::Unknown {
            name: name.chars().take(NAME_MAX).collect(),
        }
    }
}

/// Whether an event is read at all, so that one without an object is malformed and not merely unknown.
fn is_known(name: &str) -> bool {
    let empty = Value::Object(serde_json::Map::new());
    !matches!(
        GatewayEvent::read(name, &empty),
        Some(GatewayEvent::Unknown { .. })
    )
}

impl SessionReady {
    fn read(fields: Fields<'_>) -> Option<Self> {
        Some(Self {
            user: User::read(fields.inner("user")?)?,
            application: fields
                .inner("application")
                .and_then(|application| application.id("id")),
            guilds: fields.ids("guilds").take(LIST_MAX).collect(),
        })
    }
}

impl ReactionChange {
    fn read(fields: Fields<'_>) -> Option<Self> {
        let member = fields.inner("member").map(Member::read);
        let of_member = || Some(member.as_ref()?.user.as_ref()?.id);
        Some(Self {
            guild: fields.id("guild_id"),
            channel: fields.id("channel_id")?,
            message: fields.id("message_id")?,
            user: fields.id("user_id").or_else(of_member)?,
            author: fields.id("message_author_id"),
            emoji: Emoji::read(fields.inner("emoji")?)?,
            is_burst: fields.flag("burst"),
            member,
        })
    }
}

fn channel(fields: Fields<'_>) -> Option<Box<Channel>> {
    Channel::read(fields).map(Box::new)
}

fn guild_event(name: &str, fields: Fields<'_>) -> Option<GatewayEvent> {
    let is_outage = fields.flag("unavailable");
    if name == "GUILD_DELETE" || is_outage {
        let guild = fields.id("id")?;
        return Some(GatewayEvent::GuildGone { guild, is_outage });
    }
    let guild = Box::new(Guild::read(fields)?);
    Some(match name {
        "GUILD_CREATE" => GatewayEvent::GuildCreated(guild),
        _ => GatewayEvent::GuildUpdated(guild),
    })
}

fn thread_event(name: &str, fields: Fields<'_>) -> Option<GatewayEvent> {
    let guild = fields.id("guild_id");
    match name {
        "THREAD_LIST_SYNC" => {
            let guild = guild?;
            let joined: Vec<Snowflake> = fields
                .objects("members")
                .take(LIST_MAX)
                .filter_map(|m| m.id("id"))
                .collect();
            let threads = fields
                .objects("threads")
                .take(LIST_MAX)
                .filter_map(Channel::read)
                .map(|mut thread| {
                    thread.guild = Some(guild);
                    if let Some(facts) = &mut thread.thread {
                        facts.is_joined |= joined.contains(&thread.id);
                    }
                    thread
                });
            Some(GatewayEvent::ThreadsListed(ThreadList {
                guild,
                parents: fields
                    .value("channel_ids")
                    .map(|_| fields.ids("channel_ids").take(LIST_MAX).collect()),
                threads: threads.collect(),
            }))
        }
        "THREAD_DELETE" => Some(GatewayEvent::ThreadDeleted {
            guild,
            thread: fields.id("id")?,
        }),
        // The bot itself: it is told when it comes into a thread.
        "THREAD_MEMBER_UPDATE" => Some(GatewayEvent::ThreadPeopleChanged {
            guild,
            thread: fields.id("id")?,
            added: fields.id("user_id").into_iter().collect(),
            removed: Vec::new(),
        }),
        _ => {
            let added = fields.objects("added_members").take(LIST_MAX);
            Some(GatewayEvent::ThreadPeopleChanged {
                guild,
                thread: fields.id("id")?,
                added: added.filter_map(|member| member.id("user_id")).collect(),
                removed: fields.ids("removed_member_ids").take(LIST_MAX).collect(),
            })
        }
    }
}

fn deletion(name: &str, fields: Fields<'_>) -> Option<GatewayEvent> {
    let messages = match name {
        "MESSAGE_DELETE" => vec![fields.id("id")?],
        _ => fields.ids("ids").take(LIST_MAX).collect(),
    };
    Some(GatewayEvent::MessagesDeleted {
        guild: fields.id("guild_id"),
        channel: fields.id("channel_id")?,
        messages,
    })
}

fn clearance(fields: Fields<'_>) -> Option<GatewayEvent> {
    Some(GatewayEvent::ReactionsCleared {
        guild: fields.id("guild_id"),
        channel: fields.id("channel_id")?,
        message: fields.id("message_id")?,
        emoji: fields.inner("emoji").and_then(Emoji::read),
    })
}

fn member_event(name: &str, fields: Fields<'_>) -> Option<GatewayEvent> {
    let guild = fields.id("guild_id")?;
    if name == "GUILD_MEMBERS_CHUNK" {
        let (index, count) = (fields.number("chunk_index"), fields.number("chunk_count"));
        return Some(GatewayEvent::MembersListed {
            guild,
            members: fields
                .objects("members")
                .take(LIST_MAX)
                .map(Member::read)
                .collect(),
            nonce: fields.text("nonce").map(str::to_owned),
            is_last: index.unwrap_or_default().saturating_add(1) >= count.unwrap_or_default(),
        });
    }
    // Whoever it is about is indispensable here.
    let user = User::read(fields.inner("user")?)?;
    let member = || Box::new(Member::read(fields));
    Some(match name {
        "GUILD_MEMBER_ADD" => GatewayEvent::MemberJoined {
            guild,
            member: member(),
        },
        "GUILD_MEMBER_UPDATE" => GatewayEvent::MemberUpdated {
            guild,
            member: member(),
        },
        _ => GatewayEvent::MemberLeft { guild, user },
    })
}

fn typing(fields: Fields<'_>) -> Option<GatewayEvent> {
    let member = fields.inner("member").map(Member::read).map(Box::new);
    let of_member = || Some(member.as_ref()?.user.as_ref()?.id);
    let seconds = fields.number("timestamp").and_then(|at| i64::try_from(at).ok());
    Some(GatewayEvent::TypingStarted {
        guild: fields.id("guild_id"),
        channel: fields.id("channel_id")?,
        user: fields.id("user_id").or_else(of_member)?,
        at: seconds.map(|seconds| WallTime(seconds.saturating_mul(1_000))),
        member,
    })
}
