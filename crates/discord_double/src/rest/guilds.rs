//! Guilds: what they are made of, their channels and roles.

use serde_json::{Value, json};

use super::answer::{Answered, Call, Failure, done, made, nothing};
use super::{channels, members, threads, webhooks};
use crate::gateway::emit::{Audience, emit};
use crate::ids::{Id, id_of};
use crate::world::access::{self, MANAGE_CHANNELS, MANAGE_EXPRESSIONS, MANAGE_GUILD, MANAGE_ROLES};
use crate::world::guild::{Guild, Role, emoji};
use crate::world::{World, render};

pub fn route(world: &mut World, call: &Call, path: &[&str]) -> Answered {
    let Some((id, rest)) = path.split_first() else {
        return Err(Failure::NO_ROUTE);
    };
    let id: Id = id.parse().map_err(|_| Failure::UNKNOWN_GUILD)?;
    match (call.method.as_str(), rest) {
        ("GET", []) => {
            let mut told = render::guild(access::guild(world, id, call.me, 0)?);
            told["approximate_member_count"] = json!(world.guilds[&id].members.len());
            told["approximate_presence_count"] = json!(1);
            done(told)
        }
        ("PATCH", []) => rename(world, call, id),
        ("GET", ["preview"]) => done(render::guild(access::guild(world, id, call.me, 0)?)),
        ("GET", ["channels"]) => {
            let guild = access::guild(world, id, call.me, 0)?;
            let all = guild.channels.iter().filter_map(|id| world.channels.get(id));
            done(all.map(|it| render::channel(world, it, call.me)).collect())
        }
        ("POST", ["channels"]) => open_channel(world, call, id),
        ("PATCH", ["channels"]) => arrange(world, call, id),
        ("GET", ["threads", "active"]) => threads::active(world, call, id),
        (_, ["roles", rest @ ..]) => roles(world, call, id, rest),
        (_, ["emojis", rest @ ..]) => emojis(world, call, id, rest),
        ("GET", ["stickers"]) => done(json!(access::guild(world, id, call.me, 0)?.stickers)),
        ("GET", ["webhooks"]) => webhooks::of_guild(world, call, id),
        (_, ["members" | "bans" | "voice-states" | "prune", ..]) => members::route(world, call, id, rest),
        ("GET", ["invites" | "integrations" | "scheduled-events" | "templates" | "regions"]) => {
            access::guild(world, id, call.me, 0)?;
            done(json!([]))
        }
        ("GET", ["audit-logs"]) => done(
            json!({"audit_log_entries": [], "users": [], "webhooks": [], "threads": [],
            "integrations": [], "guild_scheduled_events": [], "auto_moderation_rules": [], "application_commands": []}),
        ),
        _ => Err(Failure::NO_ROUTE),
    }
}

fn rename(world: &mut World, call: &Call, id: Id) -> Answered {
    access::guild(world, id, call.me, MANAGE_GUILD)?;
    if let (Some(name), Some(guild)) = (call.body["name"].as_str(), world.guilds.get_mut(&id)) {
        guild.name = name.to_owned();
    }
    let told = render::guild(&world.guilds[&id]);
    emit(world, Audience::Guild(id), "GUILD_UPDATE", told.clone());
    done(told)
}

fn open_channel(world: &mut World, call: &Call, id: Id) -> Answered {
    access::guild(world, id, call.me, MANAGE_CHANNELS)?;
    let name = call.body["name"].as_str().unwrap_or_default();
    if name.is_empty() || name.chars().count() > 100 {
        return Err(Failure::form(
            "name",
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 1 and 100 in length.",
        ));
    }
    let channel = world.open_channel(id, call.body["type"].as_u64().unwrap_or(0), name);
    channels::apply(world, channel, &call.body);
    channels::tell(world, channel, "CHANNEL_CREATE");
    made(render::channel(world, &world.channels[&channel], call.me))
}

fn arrange(world: &mut World, call: &Call, id: Id) -> Answered {
    access::guild(world, id, call.me, MANAGE_CHANNELS)?;
    for wish in call.body.as_array().into_iter().flatten() {
        let channel = id_of(&wish["id"]).filter(|it| world.guilds[&id].channels.contains(it));
        if let Some(channel) = channel {
            channels::apply(world, channel, wish);
            channels::tell(world, channel, "CHANNEL_UPDATE");
        }
    }
    nothing()
}

fn roles(world: &mut World, call: &Call, guild: Id, path: &[&str]) -> Answered {
    let needed = if call.method == "GET" { 0 } else { MANAGE_ROLES };
    let found = access::guild(world, guild, call.me, needed)?;
    match (call.method.as_str(), path) {
        ("GET", []) => done(found.roles.values().map(render::role).collect()),
        ("GET", [id]) => done(render::role(role(found, id)?)),
        ("POST", []) => {
            let id = world.ids.fresh();
            let made = make_role(world, guild, id, &call.body);
            done(made)
        }
        ("PATCH", []) => done(world.guilds[&guild].roles.values().map(render::role).collect()),
        ("PATCH", [id]) => {
            let id = role(found, id)?.id;
            done(change_role(world, guild, id, &call.body))
        }
        ("DELETE", [id]) => {
            let id = role(found, id)?.id;
            let found = world.guilds.get_mut(&guild).ok_or(Failure::UNKNOWN_GUILD)?;
            found.roles.remove(&id);
            for member in found.members.values_mut() {
                member.roles.retain(|it| *it != id);
            }
            let told = json!({"guild_id": guild.to_string(), "role_id": id.to_string()});
            emit(world, Audience::Guild(guild), "GUILD_ROLE_DELETE", told);
            nothing()
        }
        _ => Err(Failure::NO_ROUTE),
    }
}

fn role<'a>(guild: &'a Guild, id: &str) -> Result<&'a Role, Failure> {
    let id: Option<Id> = id.parse().ok();
    id.and_then(|id| guild.roles.get(&id))
        .ok_or(Failure::UNKNOWN_ROLE)
}

/// Makes a role and tells of it.
pub fn make_role(world: &mut World, guild: Id, id: Id, body: &Value) -> Value {
    let Some(found) = world.guilds.get_mut(&guild) else {
        return Value::Null;
    };
    let mut role = Role::new(id, "new role", found.roles.len() as u64);
    read_role(&mut role, body);
    let told = render::role(&role);
    found.roles.insert(id, role);
    emit(
        world,
        Audience::Guild(guild),
        "GUILD_ROLE_CREATE",
        json!({"guild_id": guild.to_string(), "role": told}),
    );
    told
}

/// Changes a role and tells of it.
pub fn change_role(world: &mut World, guild: Id, id: Id, body: &Value) -> Value {
    let found = world.guilds.get_mut(&guild).and_then(|it| it.roles.get_mut(&id));
    let Some(role) = found else {
        return Value::Null;
    };
    read_role(role, body);
    let told = render::role(role);
    emit(
        world,
        Audience::Guild(guild),
        "GUILD_ROLE_UPDATE",
        json!({"guild_id": guild.to_string(), "role": told}),
    );
    told
}

fn read_role(role: &mut Role, body: &Value) {
    if let Some(name) = body["name"].as_str() {
        role.name = name.to_owned();
    }
    if let Some(permissions) = id_of(&body["permissions"]) {
        role.permissions = permissions;
    }
    if let Some(color) = body["color"]
        .as_u64()
        .or_else(|| body["colors"]["primary_color"].as_u64())
    {
        role.color = color;
    }
    role.hoist = body["hoist"].as_bool().unwrap_or(role.hoist);
    role.mentionable = body["mentionable"].as_bool().unwrap_or(role.mentionable);
    role.managed_by = id_of(&body["managed_by"]).or(role.managed_by);
}

fn emojis(world: &mut World, call: &Call, guild: Id, path: &[&str]) -> Answered {
    let needed = if call.method == "GET" {
        0
    } else {
        MANAGE_EXPRESSIONS
    };
    let found = access::guild(world, guild, call.me, needed)?;
    match (call.method.as_str(), path) {
        ("GET", []) => done(json!(found.emojis)),
        ("GET", [id]) => {
            let one = found.emojis.iter().find(|it| it["id"] == json!(id));
            done(one.ok_or(Failure::UNKNOWN_EMOJI)?.clone())
        }
        ("POST", []) => made(add_emoji(
            world,
            guild,
            call.body["name"].as_str().unwrap_or("emoji"),
        )),
        _ => Err(Failure::NO_ROUTE),
    }
}

/// Gives a guild an emoji of its own and tells of it.
pub fn add_emoji(world: &mut World, guild: Id, name: &str) -> Value {
    let one = emoji(world.ids.fresh(), name);
    if let Some(found) = world.guilds.get_mut(&guild) {
        found.emojis.push(one.clone());
        let told = json!({"guild_id": guild.to_string(), "emojis": found.emojis});
        emit(world, Audience::Guild(guild), "GUILD_EMOJIS_UPDATE", told);
    }
    one
}
