//! Who hears of an event: by intents, by guild and shard, by what they may see, and with what left out.

use serde_json::{Value, json};

use crate::ids::{Id, id_of};
use crate::world::{World, access};

pub const GUILDS: u64 = 1;
pub const MEMBERS: u64 = 1 << 1;
pub const VOICE_STATES: u64 = 1 << 7;
pub const PRESENCES: u64 = 1 << 8;
pub const MESSAGE_CONTENT: u64 = 1 << 15;

/// Whom an event is for.
#[derive(Clone, Debug)]
pub enum Audience {
    /// Everybody in the guild.
    Guild(Id),
    /// Everybody who may see the channel.
    Channel(Id),
    /// One account, on the shard of the guild if there is one.
    One(Id, Option<Id>),
}

/// Which intents an event needs one of; 0 needs none.
fn intents(name: &str, direct: bool) -> u64 {
    let of = |guild: u32, dm: u32| 1 << if direct { dm } else { guild };
    match name {
        "MESSAGE_CREATE" | "MESSAGE_UPDATE" | "MESSAGE_DELETE" => of(9, 12),
        "MESSAGE_DELETE_BULK" => 1 << 9,
        "MESSAGE_POLL_VOTE_ADD" | "MESSAGE_POLL_VOTE_REMOVE" => of(24, 25),
        "TYPING_START" => of(11, 14),
        "CHANNEL_PINS_UPDATE" => of(0, 12),
        "GUILD_MEMBER_ADD" | "GUILD_MEMBER_REMOVE" | "GUILD_MEMBER_UPDATE" => MEMBERS,
        "THREAD_MEMBERS_UPDATE" => GUILDS | MEMBERS,
        "GUILD_BAN_ADD" | "GUILD_BAN_REMOVE" => 1 << 2,
        "GUILD_EMOJIS_UPDATE" | "GUILD_STICKERS_UPDATE" => 1 << 3,
        "WEBHOOKS_UPDATE" => 1 << 5,
        "VOICE_STATE_UPDATE" => VOICE_STATES,
        "PRESENCE_UPDATE" => PRESENCES,
        "INTERACTION_CREATE" | "VOICE_SERVER_UPDATE" | "GUILD_MEMBERS_CHUNK" | "USER_UPDATE" => 0,
        _ if name.starts_with("MESSAGE_REACTION") => of(10, 13),
        _ => GUILDS,
    }
}

/// Tells everybody whom it concerns.
pub fn emit(world: &mut World, to: Audience, name: &str, mut data: Value) {
    let (guild, channel) = match to {
        Audience::Guild(guild) => (Some(guild), None),
        Audience::Channel(id) => (world.channels.get(&id).and_then(|it| it.guild), Some(id)),
        Audience::One(_, guild) => (guild, None),
    };
    let needed = intents(name, guild.is_none());
    let hears = |user: Id| match (&to, channel) {
        (Audience::One(one, _), _) => *one == user,
        (_, Some(channel)) => access::can_view(world, channel, user),
        _ => guild
            .and_then(|id| world.guilds.get(&id))
            .is_some_and(|it| it.members.contains_key(&user)),
    };
    let here = |session: &&crate::gateway::hub::Session| {
        guild.map_or(session.shard.0 == 0, |guild| session.has(guild))
            && (needed == 0 || session.intents & needed != 0 || own(name, &data, session.user))
            && hears(session.user)
    };
    let heard_by: Vec<String> = world
        .hub
        .sessions
        .values()
        .filter(here)
        .map(|it| it.id.clone())
        .collect();
    if heard_by.is_empty() {
        return;
    }
    let whole = data.clone();
    world.variants.bend(&mut data);
    let told = data.to_string();
    let keep = world.hub.replayable;
    for id in heard_by {
        let Some(session) = world.hub.sessions.get_mut(&id) else {
            continue;
        };
        let direct = guild.is_none();
        let hidden =
            session.intents & MESSAGE_CONTENT == 0 && !direct && is_hidden_from(name, &whole, session.user);
        if hidden {
            let mut without = data.clone();
            hide(&mut without);
            session.deliver(name, &without.to_string(), keep);
        } else {
            session.deliver(name, &told, keep);
        }
    }
}

/// A change of oneself is told whatever was asked for.
fn own(name: &str, data: &Value, user: Id) -> bool {
    matches!(name, "GUILD_MEMBER_UPDATE" | "VOICE_STATE_UPDATE")
        && id_of(&data["user"]["id"]).or_else(|| id_of(&data["user_id"])) == Some(user)
}

/// Content that is neither one's own nor addressed to one is for those with the intent.
fn is_hidden_from(name: &str, data: &Value, user: Id) -> bool {
    let mentioned = data["mentions"]
        .as_array()
        .into_iter()
        .flatten()
        .any(|it| id_of(&it["id"]) == Some(user));
    matches!(name, "MESSAGE_CREATE" | "MESSAGE_UPDATE")
        && id_of(&data["author"]["id"]) != Some(user)
        && !mentioned
}

fn hide(message: &mut Value) {
    message["content"] = json!("");
    for list in ["embeds", "attachments", "components"] {
        message[list] = json!([]);
    }
    if let Some(fields) = message.as_object_mut() {
        fields.remove("poll");
        fields.remove("message_snapshots");
    }
    if message["referenced_message"].is_object() {
        hide(&mut message["referenced_message"]);
    }
}

/// Tells one session, whatever it asked for.
pub fn tell(world: &mut World, session: &str, name: &str, mut data: Value) {
    world.variants.bend(&mut data);
    let keep = world.hub.replayable;
    if let Some(session) = world.hub.sessions.get_mut(session) {
        session.deliver(name, &data.to_string(), keep);
    }
}
