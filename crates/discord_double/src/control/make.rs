//! Making people, guilds and what is in them.

use serde_json::{Value, json};

use super::{Told, account, channel as find_channel, guild as find_guild, text};
use crate::gateway::emit::{Audience, emit};
use crate::gateway::voice as voices;
use crate::ids::{Id, id_of, now};
use crate::rest::{channels, guilds, members};
use crate::world::guild::VoiceState;
use crate::world::{PRIVILEGED, World, render};

/// `{"name", "bot", "shown", "dms_closed", "privileged"}`.
pub fn user(world: &mut World, wish: &Value) -> Told {
    let id = world.account(text(wish, "name")?, wish["bot"].as_bool().unwrap_or(false));
    let account = world.accounts.get_mut(&id).ok_or("no such account")?;
    if let Some(shown) = wish["shown"].as_str() {
        account.shown = Some(shown.to_owned());
    }
    account.closed = wish["dms_closed"].as_bool().unwrap_or(account.closed);
    if let Some(granted) = wish["privileged"].as_bool() {
        account.privileges = if granted { PRIVILEGED } else { 0 };
    }
    Ok(render::user(account))
}

/// `{"name", "owner", "open", "members": […], "channels": [{…}]}`.
pub fn guild(world: &mut World, wish: &Value) -> Told {
    let owner = if wish["owner"].is_null() {
        world.account("owner", false)
    } else {
        account(world, wish, "owner")?
    };
    let id = world.found(text(wish, "name")?, owner);
    let open = wish["open"].as_bool().unwrap_or(false);
    let mut inside: Vec<Id> = if open {
        world.accounts.keys().copied().collect()
    } else {
        vec![owner]
    };
    for name in wish["members"].as_array().into_iter().flatten() {
        inside.push(account(world, &json!({"name": name}), "name")?);
    }
    if let Some(guild) = world.guilds.get_mut(&id) {
        guild.open = open;
        guild.members.clear();
    }
    for wanted in wish["channels"].as_array().into_iter().flatten() {
        let mut wanted = wanted.clone();
        wanted["guild"] = json!(id.to_string());
        channel(world, &wanted)?;
    }
    for who in inside {
        members::add(world, id, who);
    }
    let channels = world.guilds[&id]
        .channels
        .iter()
        .filter_map(|id| world.channels.get(id));
    let channels: serde_json::Map<String, Value> = channels
        .map(|it| (it.name.clone(), json!(it.id.to_string())))
        .collect();
    Ok(json!({"id": id.to_string(), "channels": channels}))
}

/// `{"guild", "over"}`: a guild is gone for a while, and there again.
pub fn outage(world: &mut World, wish: &Value) -> Told {
    let id = find_guild(world, wish)?;
    let over = wish["over"].as_bool().unwrap_or(false);
    if let Some(guild) = world.guilds.get_mut(&id) {
        guild.unavailable = !over;
    }
    if !over {
        emit(
            world,
            Audience::Guild(id),
            "GUILD_DELETE",
            json!({"id": id.to_string(), "unavailable": true}),
        );
        return Ok(json!({}));
    }
    let inside: Vec<Id> = world.guilds[&id].members.keys().copied().collect();
    for who in inside {
        let told = render::guild_create(world, &world.guilds[&id], who, false);
        emit(world, Audience::One(who, Some(id)), "GUILD_CREATE", told);
    }
    Ok(json!({}))
}

/// A new channel, or one that is there and changes: `{"guild", "name", "type", "channel", …}` as Discord names the rest.
pub fn channel(world: &mut World, wish: &Value) -> Told {
    let (id, event) = if wish["channel"].is_null() {
        let guild = find_guild(world, wish)?;
        (
            world.open_channel(guild, wish["type"].as_u64().unwrap_or(0), text(wish, "name")?),
            "CHANNEL_CREATE",
        )
    } else {
        (find_channel(world, wish)?, "CHANNEL_UPDATE")
    };
    channels::apply(world, id, wish);
    channels::tell(world, id, event);
    Ok(render::channel(world, &world.channels[&id], 0))
}

pub fn delete_channel(world: &mut World, wish: &Value) -> Told {
    let id = find_channel(world, wish)?;
    channels::remove(world, id);
    Ok(json!({}))
}

/// A new role, or one that is there and changes: `{"guild", "role", "name", "permissions", …}`; `@everyone` has the
/// guild's id.
pub fn role(world: &mut World, wish: &Value) -> Told {
    let guild = find_guild(world, wish)?;
    if let Some(id) = id_of(&wish["role"]) {
        return Ok(guilds::change_role(world, guild, id, wish));
    }
    let id = world.ids.fresh();
    Ok(guilds::make_role(world, guild, id, wish))
}

/// `{"guild", "user", "out", "roles", "nick", "ago"}`: somebody comes, changes or goes; `ago`: they came so many
/// milliseconds ago.
pub fn member(world: &mut World, wish: &Value) -> Told {
    let (guild, who) = (find_guild(world, wish)?, account(world, wish, "user")?);
    if wish["out"] == json!(true) {
        members::remove(world, guild, who);
        return Ok(json!({}));
    }
    members::add(world, guild, who);
    if let Some(ago) = wish["ago"].as_u64() {
        let guild = world.guilds.get_mut(&guild);
        let found = guild.and_then(|guild| guild.members.get_mut(&who));
        found.ok_or("user: nobody of that guild")?.joined = now().saturating_sub(ago);
    }
    if wish.get("roles").is_some() || wish.get("nick").is_some() {
        members::change(world, guild, who, wish);
    }
    Ok(render::member(world, guild, who))
}

pub fn emoji(world: &mut World, wish: &Value) -> Told {
    let guild = find_guild(world, wish)?;
    Ok(guilds::add_emoji(world, guild, text(wish, "name")?))
}

pub fn sticker(world: &mut World, wish: &Value) -> Told {
    let guild = find_guild(world, wish)?;
    let made = json!({"id": world.ids.fresh().to_string(), "name": text(wish, "name")?, "description": null, "tags": "x",
        "type": 2, "format_type": 1, "available": true, "guild_id": guild.to_string()});
    if let Some(found) = world.guilds.get_mut(&guild) {
        found.stickers.push(made.clone());
        let told = json!({"guild_id": guild.to_string(), "stickers": found.stickers});
        emit(world, Audience::Guild(guild), "GUILD_STICKERS_UPDATE", told);
    }
    Ok(made)
}

/// `{"guild", "user", "channel"}`: somebody goes into a voice channel; null goes out.
pub fn voice(world: &mut World, wish: &Value) -> Told {
    let (guild, who) = (find_guild(world, wish)?, account(world, wish, "user")?);
    if wish["channel"].is_null() {
        voices::leave(world, guild, who);
        return Ok(json!({}));
    }
    let channel = find_channel(world, wish)?;
    let is = |key: &str| wish[key].as_bool().unwrap_or(false);
    let state = VoiceState {
        channel,
        session: format!("voice-of-{who}"),
        self_mute: is("self_mute"),
        self_deaf: is("self_deaf"),
        self_video: is("self_video"),
        streaming: is("self_stream"),
    };
    voices::enter(world, guild, who, state);
    Ok(json!({}))
}

/// `{"endpoint"}`: where the sound is to be had from now on.
pub fn voice_server(world: &mut World, wish: &Value) -> Told {
    voices::move_server(world, wish["endpoint"].as_str().map(str::to_owned));
    Ok(json!({}))
}
