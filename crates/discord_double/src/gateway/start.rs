//! The beginning of a session, and taking one up again.

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

use super::emit::{self, Audience, PRESENCES, emit};
use super::hub::{Session, Wire};
use crate::ids::{Id, id_of};
use crate::world::{PRIVILEGED, World, render};

/// What came of a wish to begin.
pub enum Begun {
    Session(String),
    /// Op 9: try again, from the start.
    Invalid,
    Close(u16, &'static str),
}

pub fn identify(world: &mut World, data: &Value, wire: (u64, UnboundedSender<Wire>)) -> Begun {
    let token = data["token"].as_str().unwrap_or_default();
    let Some(user) = world.whose(token.trim_start_matches("Bot ")) else {
        let code = if world.variants.bad_token_is_4000 {
            4000
        } else {
            4004
        };
        return Begun::Close(code, "Authentication failed.");
    };
    let shard = match data["shard"].as_array().map(Vec::as_slice) {
        Some([one, of]) => (one.as_u64().unwrap_or(0), of.as_u64().unwrap_or(0)),
        _ => (0, 1),
    };
    if shard.0 >= shard.1 {
        return Begun::Close(4010, "Invalid shard.");
    }
    if shard.1 < world.hub.shards {
        return Begun::Close(4011, "Sharding required.");
    }
    let Some(intents) = data["intents"].as_u64().filter(|intents| *intents < 1 << 32) else {
        return Begun::Close(4013, "Invalid intent(s).");
    };
    if intents & PRIVILEGED & !world.accounts[&user].privileges != 0 {
        return Begun::Close(4014, "Disallowed intent(s).");
    }
    if !world.hub.may_identify(user, shard.0) {
        return Begun::Invalid;
    }
    world.hub.made += 1;
    let id = format!("{:032x}", u128::from(world.hub.made) << 64 | u128::from(user));
    let session = Session {
        id: id.clone(),
        user,
        shard,
        intents,
        sequence: 0,
        offset: u64::from(world.variants.numbered_from_zero),
        sent: std::collections::VecDeque::new(),
        wire: Some(wire),
        zombie: false,
    };
    world.hub.sessions.insert(id.clone(), session);
    set_presence(world, user, &data["presence"]);
    // Nothing comes before READY, and of oneself no less.
    welcome(world, &id, data["large_threshold"].as_u64().unwrap_or(50));
    tell_presence(world, user);
    Begun::Session(id)
}

/// Tells a new session who it is and what there is.
fn welcome(world: &mut World, id: &str, threshold: u64) {
    let session = &world.hub.sessions[id];
    let (user, intents, shard) = (session.user, session.intents, session.shard);
    let mine: Vec<Id> = world
        .guilds
        .values()
        .filter(|guild| guild.members.contains_key(&user) && session.has(guild.id))
        .map(|guild| guild.id)
        .collect();
    let guilds: Vec<Value> = mine
        .iter()
        .map(|id| json!({"id": id.to_string(), "unavailable": true}))
        .collect();
    let ready = json!({"v": 10, "user": render::self_user(&world.accounts[&user]), "guilds": guilds, "session_id": id,
        "session_type": "normal", "resume_gateway_url": format!("ws://{}", world.address), "shard": [shard.0, shard.1],
        "application": {"id": user.to_string(), "flags": 565_248}, "user_settings": {}, "user_settings_proto": "",
        "private_channels": [], "relationships": [], "presences": [], "guild_join_requests": [], "geo_ordered_rtc_regions": [],
        "auth": {}, "_trace": ["denizen-discord-double"]});
    emit::tell(world, id, "READY", ready);
    if intents & emit::GUILDS == 0 {
        return;
    }
    for guild in mine {
        let found = &world.guilds[&guild];
        if found.unavailable {
            continue;
        }
        let all = intents & PRESENCES != 0 && found.members.len() as u64 <= threshold;
        let data = render::guild_create(world, found, user, all);
        emit::tell(world, id, "GUILD_CREATE", data);
    }
}

pub fn resume(world: &mut World, data: &Value, wire: (u64, UnboundedSender<Wire>)) -> Begun {
    let token = data["token"].as_str().unwrap_or_default();
    let Some(user) = world.whose(token.trim_start_matches("Bot ")) else {
        return Begun::Close(4004, "Authentication failed.");
    };
    let id = data["session_id"].as_str().unwrap_or_default().to_owned();
    let refused = world.variants.resume_refused;
    let known = world
        .hub
        .sessions
        .get_mut(&id)
        .filter(|session| session.user == user && !refused);
    let Some(session) = known else {
        return Begun::Invalid;
    };
    let heard = id_of(&data["seq"]).map_or(0, |told| told + session.offset);
    if heard > session.sequence {
        return Begun::Close(4007, "Invalid seq.");
    }
    let oldest = session
        .sent
        .front()
        .map_or(session.sequence + 1, |(sequence, _)| *sequence);
    if heard + 1 < oldest {
        world.hub.sessions.remove(&id);
        return Begun::Invalid;
    }
    if let Some((_, before)) = session.wire.replace(wire) {
        let _ = before.send(Wire::Drop);
    }
    session.zombie = false;
    for (sequence, text) in &session.sent {
        if *sequence > heard {
            session.send(Wire::Text(text.clone()));
        }
    }
    let status = world.accounts[&user].status.clone();
    emit::tell(
        world,
        &id,
        "RESUMED",
        json!({"_trace": ["denizen-discord-double"]}),
    );
    if status == "offline" {
        presence(world, user, &Value::Null);
    }
    Begun::Session(id)
}

/// What somebody does and whether they are there, told to everybody who shares a guild with them.
pub fn presence(world: &mut World, user: Id, data: &Value) {
    set_presence(world, user, data);
    tell_presence(world, user);
}

fn set_presence(world: &mut World, user: Id, data: &Value) {
    if let Some(account) = world.accounts.get_mut(&user) {
        account.status = data["status"].as_str().unwrap_or("online").to_owned();
        let activities = data.get("activities").filter(|it| it.is_array());
        account.activities = activities.cloned().unwrap_or(json!([]));
    }
}

fn tell_presence(world: &mut World, user: Id) {
    let anyone = |session: &Session| session.intents & PRESENCES != 0;
    if !world.hub.sessions.values().any(anyone) {
        return;
    }
    let shared = world.guilds.values().filter(|it| it.members.contains_key(&user));
    let shared: Vec<Id> = shared.map(|it| it.id).collect();
    for guild in shared {
        let data = render::presence(world, user, guild);
        emit(world, Audience::Guild(guild), "PRESENCE_UPDATE", data);
    }
}

/// Whoever has no connection any more is offline for the others.
pub fn gone(world: &mut World, user: Id) {
    let here = |session: &Session| session.user == user && session.wire.is_some();
    if !world.hub.sessions.values().any(here) {
        set_presence(world, user, &json!({"status": "offline"}));
        tell_presence(world, user);
    }
}
