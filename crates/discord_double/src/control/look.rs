//! What tests look at.

use serde_json::{Value, json};

use super::{Told, channel, text};
use crate::ids::{Id, id_of};
use crate::voice::calls::CallSite;
use crate::voice::group::CallGroup;
use crate::world::{World, render};

/// `{"since", "method", "path"}`: requests that came after that number, of that method and with that in their path.
pub fn requests(world: &World, wish: &Value) -> Told {
    let mut found = world.log.requests_since(id_of(&wish["since"]).unwrap_or(0));
    if let Some(method) = wish["method"].as_str() {
        found.retain(|it| it["method"] == json!(method));
    }
    if let Some(part) = wish["path"].as_str() {
        found.retain(|it| it["path"].as_str().is_some_and(|path| path.contains(part)));
    }
    Ok(json!(found))
}

/// `{"since", "op"}`: what clients sent to the gateway.
pub fn payloads(world: &World, wish: &Value) -> Told {
    let mut found = world.log.payloads_since(id_of(&wish["since"]).unwrap_or(0));
    if let Some(op) = id_of(&wish["op"]) {
        found.retain(|it| it["op"] == json!(op));
    }
    Ok(json!(found))
}

/// `{"channel"}`: everything in it, oldest first.
pub fn messages(world: &World, wish: &Value) -> Told {
    let channel = &world.channels[&channel(world, wish)?];
    Ok(channel
        .messages
        .values()
        .map(|it| render::message(world, it, 0))
        .collect())
}

/// `{"token"}`: what came of an interaction.
pub fn answer(world: &World, wish: &Value) -> Told {
    let token = text(wish, "token")?;
    let found = world
        .interactions
        .get(token)
        .ok_or("token: there is no such interaction")?;
    let of_it = world.channels[&found.channel].messages.values().filter(|it| {
        it.interaction
            .as_ref()
            .is_some_and(|metadata| metadata["id"] == json!(found.id.to_string()))
    });
    let messages: Value = of_it.map(|it| render::message(world, it, found.user)).collect();
    Ok(
        json!({"answered": found.answered, "ephemeral": found.ephemeral, "shown": found.shown, "messages": messages}),
    )
}

/// Who and what there is, by name.
pub fn state(world: &World) -> Told {
    let accounts: Value = world.accounts.values().map(render::user).collect();
    let guilds = world.guilds.values().map(|guild| {
        let channels = guild.channels.iter().chain(&guild.threads).filter_map(|id| world.channels.get(id));
        let channels: Value = channels.map(|it| render::channel(world, it, 0)).collect();
        json!({"id": guild.id.to_string(), "name": guild.name, "members": guild.members.len(), "channels": channels})
    });
    let invalid: Value = world
        .limits
        .invalid
        .iter()
        .map(|(id, count)| json!([id.to_string(), count]))
        .collect();
    Ok(
        json!({"accounts": accounts, "guilds": guilds.collect::<Value>(), "invalid_requests": invalid,
        "variants": world.variants.told()}),
    )
}

/// Who is in a call, with how many packets; and what its group is like.
pub fn calls(world: &World) -> Value {
    let name = |id: &Id| {
        world
            .accounts
            .get(id)
            .map(|it| it.name.clone())
            .unwrap_or_default()
    };
    let talkers = world.calls.talkers.values();
    let talkers: Vec<Value> = talkers.map(|it| it.told(&name(&it.user))).collect();
    let group = |((_, channel), it): (&CallSite, &CallGroup)| {
        let members: Vec<String> = it.members().map(|it| name(&it.user)).collect();
        json!({"channel": channel.to_string(), "members": members, "epoch": it.epoch, "version": it.version,
            "rekeys": it.rekeys, "invalid": it.invalid})
    };
    let groups: Vec<Value> = world.calls.groups.iter().map(group).collect();
    json!({"endpoint": world.hub.voice_endpoint, "talkers": talkers, "groups": groups})
}
