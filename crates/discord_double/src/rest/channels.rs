//! Channels: what they are, who may see them, who is typing in them.

use serde_json::{Value, json};

use super::answer::{Answered, Call, Failure, done, nothing};
use super::{messages, threads, webhooks};
use crate::gateway::emit::{Audience, emit};
use crate::ids::{Id, id_of, now};
use crate::world::access::{self, MANAGE_CHANNELS, MANAGE_ROLES, MANAGE_THREADS, SEND_MESSAGES};
use crate::world::guild::{Channel, Overwrite};
use crate::world::{World, render};

pub fn route(world: &mut World, call: &Call, path: &[&str]) -> Answered {
    let Some((id, rest)) = path.split_first() else {
        return Err(Failure::NO_ROUTE);
    };
    let id = id.parse().map_err(|_| Failure::UNKNOWN_CHANNEL)?;
    match (call.method.as_str(), rest) {
        ("GET", []) => done(render::channel(
            world,
            access::channel(world, id, call.me, 0)?,
            call.me,
        )),
        ("PATCH", []) => change(world, call, id),
        ("DELETE", []) => close(world, call, id),
        (_, ["messages", rest @ ..]) => messages::route(world, call, id, rest),
        ("GET", ["pins"]) => messages::old_pins(world, call, id),
        ("PUT", ["pins", message]) => messages::pin(world, call, id, messages::known(message)?, true),
        ("DELETE", ["pins", message]) => messages::pin(world, call, id, messages::known(message)?, false),
        ("POST", ["typing"]) => typing(world, call, id),
        (method, ["permissions", target]) => overwrite(world, call, id, target, method == "PUT"),
        (_, ["threads" | "thread-members" | "users", ..]) => threads::route(world, call, id, rest),
        (_, ["webhooks"]) => webhooks::of_channel(world, call, id),
        ("GET", ["invites"]) => done(json!([])),
        ("PUT", ["voice-status"]) => nothing(),
        (_, ["polls", message, rest @ ..]) => poll(world, call, id, messages::known(message)?, rest),
        _ => Err(Failure::NO_ROUTE),
    }
}

fn typing(world: &mut World, call: &Call, id: Id) -> Answered {
    access::channel(world, id, call.me, SEND_MESSAGES)?;
    type_in(world, call.me, id);
    nothing()
}

/// Tells that somebody is typing.
pub fn type_in(world: &mut World, who: Id, id: Id) {
    let guild = world.channels.get(&id).and_then(|it| it.guild);
    let mut told =
        json!({"channel_id": id.to_string(), "user_id": who.to_string(), "timestamp": now() / 1000});
    if let Some(guild) = guild {
        told["guild_id"] = json!(guild.to_string());
        told["member"] = render::member(world, guild, who);
    }
    emit(world, Audience::Channel(id), "TYPING_START", told);
}

/// Tells everybody about a channel as it is now.
pub fn tell(world: &mut World, id: Id, event: &str) {
    let Some(channel) = world.channels.get(&id) else {
        return;
    };
    let told = render::channel(world, channel, 0);
    let guild = channel.guild;
    // Channels are told to all of the guild, whether they may see into them or not.
    match guild {
        Some(guild) if channel.thread.is_none() => emit(world, Audience::Guild(guild), event, told),
        _ => emit(world, Audience::Channel(id), event, told),
    }
}

fn change(world: &mut World, call: &Call, id: Id) -> Answered {
    let found = access::channel(world, id, call.me, 0)?;
    if found.guild.is_none() {
        return Err(Failure::WRONG_CHANNEL_TYPE);
    }
    if let Some(thread) = &found.thread {
        let granted = access::in_channel(world, found, call.me);
        let own = thread.owner == call.me;
        let only_opens = call
            .body
            .as_object()
            .is_some_and(|it| it.keys().all(|key| key == "archived"));
        let allowed = granted & MANAGE_THREADS != 0 || !thread.locked && (own || only_opens);
        if !allowed {
            return Err(Failure::MISSING_PERMISSIONS);
        }
        threads::change(world, call, id);
    } else {
        access::channel(world, id, call.me, MANAGE_CHANNELS)?;
        apply(world, id, &call.body);
        tell(world, id, "CHANNEL_UPDATE");
    }
    done(render::channel(world, &world.channels[&id], call.me))
}

/// Takes over what a body says of a channel.
pub fn apply(world: &mut World, id: Id, body: &Value) {
    let Some(channel) = world.channels.get_mut(&id) else {
        return;
    };
    if let Some(name) = body["name"].as_str() {
        channel.name = name.to_owned();
    }
    if let Some(topic) = body.get("topic") {
        channel.topic = topic.as_str().map(str::to_owned);
    }
    if let Some(parent) = body.get("parent_id") {
        channel.parent = id_of(parent);
    }
    if let Some(position) = body["position"].as_u64() {
        channel.position = position;
    }
    if let Some(nsfw) = body["nsfw"].as_bool() {
        channel.nsfw = nsfw;
    }
    if let Some(slow) = body["rate_limit_per_user"].as_u64() {
        channel.slowmode = slow;
    }
    if let Some(rules) = body["permission_overwrites"].as_array() {
        channel.overwrites = rules
            .iter()
            .filter_map(|rule| read_rule(id_of(&rule["id"])?, rule))
            .collect();
    }
    if let Some(tags) = body["available_tags"].as_array() {
        let mut tags = tags.clone();
        for tag in &mut tags {
            if id_of(&tag["id"]).is_none() {
                tag["id"] = json!(world.ids.fresh().to_string());
            }
            for missing in ["emoji_id", "emoji_name"] {
                if tag.get(missing).is_none() {
                    tag[missing] = Value::Null;
                }
            }
            tag["moderated"] = json!(tag["moderated"].as_bool().unwrap_or(false));
        }
        channel.tags = tags;
    }
}

fn read_rule(id: Id, rule: &Value) -> Option<Overwrite> {
    let for_member = rule["type"].as_u64().or_else(|| id_of(&rule["type"]))? == 1;
    let bits = |key: &str| id_of(&rule[key]).unwrap_or(0);
    Some(Overwrite {
        id,
        for_member,
        allow: bits("allow"),
        deny: bits("deny"),
    })
}

fn overwrite(world: &mut World, call: &Call, id: Id, target: &str, put: bool) -> Answered {
    access::channel(world, id, call.me, MANAGE_ROLES)?;
    let target: Id = target.parse().map_err(|_| Failure::UNKNOWN_ROLE)?;
    let channel = world.channels.get_mut(&id).ok_or(Failure::UNKNOWN_CHANNEL)?;
    channel.overwrites.retain(|it| it.id != target);
    if put {
        channel.overwrites.extend(read_rule(target, &call.body));
    }
    tell(world, id, "CHANNEL_UPDATE");
    nothing()
}

fn close(world: &mut World, call: &Call, id: Id) -> Answered {
    let found = access::channel(world, id, call.me, 0)?;
    let told = render::channel(world, found, call.me);
    if found.guild.is_none() {
        return done(told);
    }
    let needed = if found.thread.is_some() {
        MANAGE_THREADS
    } else {
        MANAGE_CHANNELS
    };
    access::channel(world, id, call.me, needed)?;
    remove(world, id);
    done(told)
}

/// Takes a channel away, with its threads.
pub fn remove(world: &mut World, id: Id) {
    let within = |channel: &&Channel| channel.thread.is_some() && channel.parent == Some(id);
    let threads: Vec<Id> = world.channels.values().filter(within).map(|it| it.id).collect();
    for thread in threads {
        remove(world, thread);
    }
    let Some(channel) = world.channels.get(&id) else {
        return;
    };
    if channel.thread.is_some() {
        let told = json!({"id": id.to_string(), "guild_id": channel.guild.map(|it| it.to_string()),
            "parent_id": channel.parent.map(|it| it.to_string()), "type": channel.kind});
        emit(world, Audience::Channel(id), "THREAD_DELETE", told);
    } else {
        tell(world, id, "CHANNEL_DELETE");
    }
    let guild = world.channels.remove(&id).and_then(|channel| channel.guild);
    if let Some(guild) = guild.and_then(|id| world.guilds.get_mut(&id)) {
        guild.channels.retain(|it| *it != id);
        guild.threads.retain(|it| *it != id);
    }
}

/// Polls are over when their author says so; nobody votes but through the control API.
fn poll(world: &mut World, call: &Call, channel: Id, id: Id, path: &[&str]) -> Answered {
    access::channel(world, channel, call.me, 0)?;
    let held = world
        .channels
        .get_mut(&channel)
        .and_then(|it| it.messages.get_mut(&id));
    let held = held.ok_or(Failure::UNKNOWN_MESSAGE)?;
    match (call.method.as_str(), path) {
        ("POST", ["expire"]) if held.author == call.me => {
            if let Some(poll) = &mut held.poll {
                poll["results"]["is_finalized"] = json!(true);
            }
            crate::world::message::tell(world, channel, id, "MESSAGE_UPDATE");
            messages::show(world, call, channel, id)
        }
        ("GET", ["answers", _]) => done(json!({"users": []})),
        _ => Err(Failure::NO_ROUTE),
    }
}
