//! What a client that is in asks of the gateway.

use serde_json::{Value, json};

use super::{emit, start, voice};
use crate::ids::{Id, id_of, ids_of};
use crate::world::{World, access, render};

/// Members told at a time.
const CHUNK: usize = 1000;

/// Does what an op says; otherwise the code to close with.
pub fn take(world: &mut World, session: &str, op: u64, data: &Value) -> Result<(), (u16, &'static str)> {
    let Some(user) = world.hub.sessions.get(session).map(|it| it.user) else {
        return Err((4003, "Not authenticated."));
    };
    match op {
        3 => start::presence(world, user, data),
        4 => voice::wish(world, session, user, data),
        8 => chunks(world, session, user, data),
        // Sounds of a soundboard: there are none.
        31 => {}
        _ => return Err((4001, "Unknown opcode.")),
    }
    Ok(())
}

/// Tells who is in a guild, all of them or those that are asked for.
fn chunks(world: &mut World, session: &str, user: Id, data: &Value) {
    let wanted = match &data["guild_id"] {
        Value::Array(_) => ids_of(&data["guild_id"]),
        one => id_of(one).into_iter().collect(),
    };
    for guild in wanted {
        if access::guild(world, guild, user, 0).is_ok() {
            chunk(world, session, guild, data);
        }
    }
}

fn chunk(world: &mut World, session: &str, guild: Id, data: &Value) {
    let found = &world.guilds[&guild];
    let intents = world.hub.sessions[session].intents;
    let asked = match &data["user_ids"] {
        Value::Null => None,
        Value::Array(_) => Some(ids_of(&data["user_ids"])),
        one => Some(id_of(one).into_iter().collect()),
    };
    let mut unknown = Vec::new();
    let mut members: Vec<Id> = Vec::new();
    if let Some(asked) = asked {
        for id in asked {
            let there = found.members.contains_key(&id);
            if there {
                members.push(id)
            } else {
                unknown.push(id.to_string())
            }
        }
    } else {
        let query = data["query"].as_str().unwrap_or_default().to_lowercase();
        if query.is_empty() && intents & emit::MEMBERS == 0 {
            return;
        }
        members = found
            .members
            .keys()
            .copied()
            .filter(|id| is_called(world, guild, *id, &query))
            .collect();
        let limit = data["limit"]
            .as_u64()
            .and_then(|it| usize::try_from(it).ok())
            .unwrap_or(0);
        if limit > 0 {
            members.truncate(limit);
        }
    }
    let parts: Vec<Vec<Id>> = if members.is_empty() {
        vec![Vec::new()]
    } else {
        members.chunks(CHUNK).map(<[Id]>::to_vec).collect()
    };
    for (at, part) in parts.iter().enumerate() {
        let listed: Vec<Value> = part.iter().map(|id| render::member(world, guild, *id)).collect();
        let mut told = json!({"guild_id": guild.to_string(), "members": listed, "chunk_index": at,
            "chunk_count": parts.len(), "not_found": unknown});
        if data["presences"] == json!(true) && intents & emit::PRESENCES != 0 {
            told["presences"] = part
                .iter()
                .map(|id| render::presence(world, *id, guild))
                .collect();
        }
        if data["nonce"].is_string() {
            told["nonce"] = data["nonce"].clone();
        }
        emit::tell(world, session, "GUILD_MEMBERS_CHUNK", told);
    }
}

/// Whether a member's name or nickname begins with this.
pub fn is_called(world: &World, guild: Id, id: Id, query: &str) -> bool {
    let begins = |name: &str| name.to_lowercase().starts_with(query);
    let nick = world.guilds[&guild]
        .members
        .get(&id)
        .and_then(|it| it.nick.as_deref());
    let account = world.accounts.get(&id);
    nick.is_some_and(begins)
        || account.is_some_and(|it| begins(&it.name) || it.shown.as_deref().is_some_and(begins))
}
