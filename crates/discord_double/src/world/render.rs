//! How things are written on the wire.

use serde_json::{Value, json};

use super::guild::{Channel, Guild, Role, VoiceState};
use super::message::Message;
use super::{Account, PRIVILEGED, World, access};
use crate::ids::{Id, iso, made_at};

pub fn user(account: &Account) -> Value {
    json!({"id": account.id.to_string(), "username": account.name, "global_name": account.shown,
        "discriminator": if account.bot { "0001" } else { "0" }, "avatar": null, "banner": null, "accent_color": null,
        "bot": account.bot, "public_flags": 0, "flags": 0, "avatar_decoration_data": null, "collectibles": null,
        "clan": null, "primary_guild": null, "banner_color": null})
}

pub fn user_by_id(world: &World, id: Id) -> Value {
    match world.accounts.get(&id) {
        Some(account) => user(account),
        None => {
            json!({"id": id.to_string(), "username": "Deleted User", "discriminator": "0", "avatar": null})
        }
    }
}

/// The account as it sees itself.
pub fn self_user(account: &Account) -> Value {
    let mut user = user(account);
    user["verified"] = json!(true);
    user["mfa_enabled"] = json!(false);
    user["email"] = Value::Null;
    user["bio"] = json!("");
    user["locale"] = json!("en-US");
    user
}

pub fn application(world: &World, id: Id) -> Value {
    let account = world.accounts.get(&id);
    let name = account.map_or("", |account| account.name.as_str());
    // Presences, members and content, as small bots have them.
    let flags = match account.is_some_and(|account| account.privileges == PRIVILEGED) {
        true => 565_248,
        false => 0,
    };
    json!({"id": id.to_string(), "name": name, "description": "", "icon": null, "summary": "", "type": null, "hook": true,
        "bot_public": true, "bot_require_code_grant": false, "verify_key": "0".repeat(64), "flags": flags,
        "owner": user_by_id(world, id), "team": null, "tags": [], "redirect_uris": [], "rpc_origins": [],
        "interactions_endpoint_url": null, "role_connections_verification_url": null, "bot": user_by_id(world, id),
        "approximate_guild_count": world.guilds.len(), "approximate_user_install_count": 0, "custom_install_url": null,
        "integration_types_config": {"0": {}}})
}

/// A member without the user.
pub fn member_alone(world: &World, guild: Id, id: Id) -> Value {
    let Some(member) = world.guilds.get(&guild).and_then(|guild| guild.members.get(&id)) else {
        return Value::Null;
    };
    json!({"nick": member.nick, "avatar": null, "banner": null, "flags": 0, "premium_since": null, "pending": false,
        "roles": member.roles.iter().map(Id::to_string).collect::<Vec<_>>(), "joined_at": iso(member.joined),
        "mute": member.muted, "deaf": member.deafened, "avatar_decoration_data": null, "collectibles": null,
        "communication_disabled_until": member.silenced.map(iso)})
}

pub fn member(world: &World, guild: Id, id: Id) -> Value {
    let mut member = member_alone(world, guild, id);
    member["user"] = user_by_id(world, id);
    member
}

/// A member in an event of its own.
pub fn member_event(world: &World, guild: Id, id: Id) -> Value {
    let mut member = member(world, guild, id);
    member["guild_id"] = json!(guild.to_string());
    member
}

pub fn role(role: &Role) -> Value {
    let mut written = json!({"id": role.id.to_string(), "name": role.name, "description": null,
        "permissions": role.permissions.to_string(), "position": role.position, "color": role.color,
        "colors": {"primary_color": role.color, "secondary_color": null, "tertiary_color": null}, "hoist": role.hoist,
        "managed": role.managed_by.is_some(), "mentionable": role.mentionable, "icon": null, "unicode_emoji": null,
        "flags": 0});
    if let Some(bot) = role.managed_by {
        written["tags"] = json!({"bot_id": bot.to_string()});
    }
    written
}

pub fn channel(world: &World, channel: &Channel, viewer: Id) -> Value {
    let id = |id: Option<Id>| id.map(|id| id.to_string());
    let mut written = json!({"id": channel.id.to_string(), "type": channel.kind, "flags": 0,
        "last_message_id": id(channel.last_message)});
    let Some(guild) = channel.guild else {
        let others = channel.recipients.iter().filter(|id| **id != viewer);
        written["recipients"] = others.map(|id| user_by_id(world, *id)).collect();
        return written;
    };
    written["guild_id"] = json!(guild.to_string());
    written["name"] = json!(channel.name);
    written["parent_id"] = json!(id(channel.parent));
    written["rate_limit_per_user"] = json!(channel.slowmode);
    if let Some(facts) = &channel.thread {
        written["owner_id"] = json!(facts.owner.to_string());
        written["message_count"] = json!(facts.sent);
        written["total_message_sent"] = json!(facts.sent);
        written["member_count"] = json!(facts.members.len());
        written["applied_tags"] = facts
            .applied_tags
            .iter()
            .map(|id| json!(id.to_string()))
            .collect();
        written["thread_metadata"] = json!({"archived": facts.archived, "locked": facts.locked,
            "auto_archive_duration": facts.auto_archive, "archive_timestamp": iso(facts.changed),
            "create_timestamp": iso(made_at(channel.id)), "invitable": facts.invitable});
        if let Some(joined) = facts.members.get(&viewer) {
            written["member"] = json!({"id": channel.id.to_string(), "user_id": viewer.to_string(), "flags": 1,
                "join_timestamp": iso(*joined), "muted": false});
        }
        return written;
    }
    written["topic"] = json!(channel.topic);
    written["position"] = json!(channel.position);
    written["nsfw"] = json!(channel.nsfw);
    written["last_pin_timestamp"] = json!(channel.last_pin.map(iso));
    let overwrites = channel.overwrites.iter().map(|it| {
        json!({"id": it.id.to_string(), "type": u8::from(it.for_member), "allow": it.allow.to_string(),
            "deny": it.deny.to_string()})
    });
    written["permission_overwrites"] = overwrites.collect();
    if channel.is_voice() {
        written["bitrate"] = json!(64_000);
        written["user_limit"] = json!(0);
        written["rtc_region"] = Value::Null;
    }
    if channel.is_forum() {
        written["available_tags"] = json!(channel.tags);
        written["default_reaction_emoji"] = Value::Null;
        written["default_sort_order"] = Value::Null;
        written["default_forum_layout"] = json!(0);
    }
    written
}

/// A guild without who and what is in it.
pub fn guild(guild: &Guild) -> Value {
    let roles: Vec<Value> = guild.roles.values().map(role).collect();
    json!({"id": guild.id.to_string(), "name": guild.name, "owner_id": guild.owner.to_string(), "roles": roles,
        "emojis": guild.emojis, "stickers": guild.stickers, "icon": null, "splash": null, "discovery_splash": null,
        "banner": null, "description": null, "features": ["COMMUNITY"], "afk_channel_id": null, "afk_timeout": 300,
        "system_channel_id": null, "system_channel_flags": 0, "rules_channel_id": null, "public_updates_channel_id": null,
        "safety_alerts_channel_id": null, "verification_level": 0, "default_message_notifications": 1,
        "explicit_content_filter": 0, "mfa_level": 0, "nsfw_level": 0, "nsfw": false, "premium_tier": 0,
        "premium_subscription_count": 0, "premium_progress_bar_enabled": false, "preferred_locale": "en-US",
        "vanity_url_code": null, "max_members": 25_000_000, "max_presences": null, "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50, "application_id": null, "widget_enabled": false, "widget_channel_id": null,
        "region": "deprecated", "hub_type": null, "incidents_data": null, "inventory_settings": null})
}

/// A guild as a client is told of it; `all` members are for those who may know them.
pub fn guild_create(world: &World, found: &Guild, viewer: Id, all: bool) -> Value {
    let mut written = guild(found);
    let joined = found.members.get(&viewer).map_or(0, |member| member.joined);
    let channels = found.channels.iter().filter_map(|id| world.channels.get(id));
    let threads = found.threads.iter().filter_map(|id| world.channels.get(id));
    let threads = threads.filter(|thread| {
        let open = thread.thread.as_ref().is_some_and(|facts| !facts.archived);
        open && access::in_channel(world, thread, viewer) & access::VIEW_CHANNEL != 0
    });
    let told = |id: &&Id| all || **id == viewer || found.voice.contains_key(id);
    let members: Vec<Value> = found
        .members
        .keys()
        .filter(told)
        .map(|id| member(world, found.id, *id))
        .collect();
    let online = |id: &&Id| {
        world
            .accounts
            .get(id)
            .is_some_and(|account| account.status != "offline")
    };
    let presences: Vec<Value> = if all {
        found
            .members
            .keys()
            .filter(online)
            .map(|id| presence(world, *id, found.id))
            .collect()
    } else {
        Vec::new()
    };
    written["joined_at"] = json!(iso(joined));
    written["large"] = json!(found.members.len() > 250);
    written["unavailable"] = json!(false);
    written["member_count"] = json!(found.members.len());
    written["members"] = json!(members);
    written["channels"] = channels.map(|it| channel(world, it, viewer)).collect();
    written["threads"] = threads.map(|it| channel(world, it, viewer)).collect();
    written["presences"] = json!(presences);
    let voice = found
        .voice
        .iter()
        .map(|(id, state)| voice_state(world, found.id, *id, Some(state)));
    written["voice_states"] = voice.collect();
    for empty in [
        "stage_instances",
        "guild_scheduled_events",
        "embedded_activities",
        "soundboard_sounds",
    ] {
        written[empty] = json!([]);
    }
    written
}

pub fn presence(world: &World, who: Id, guild: Id) -> Value {
    let account = &world.accounts[&who];
    json!({"user": {"id": who.to_string()}, "guild_id": guild.to_string(), "status": account.status,
        "activities": account.activities, "client_status": {"desktop": account.status}})
}

pub fn voice_state(world: &World, guild: Id, who: Id, state: Option<&VoiceState>) -> Value {
    let is = |read: fn(&VoiceState) -> bool| state.is_some_and(read);
    json!({"guild_id": guild.to_string(), "channel_id": state.map(|it| it.channel.to_string()),
        "user_id": who.to_string(), "member": member(world, guild, who), "session_id": state.map(|it| it.session.as_str()),
        "deaf": false, "mute": false, "self_deaf": is(|it| it.self_deaf), "self_mute": is(|it| it.self_mute),
        "self_stream": is(|it| it.streaming), "self_video": is(|it| it.self_video), "suppress": false,
        "request_to_speak_timestamp": null})
}

/// A message as one viewer fetches it.
pub fn message(world: &World, message: &Message, viewer: Id) -> Value {
    let mut written = bare(world, message);
    let reactions = message.reactions.iter().map(|it| {
        json!({"emoji": it.emoji, "count": it.by.len(), "me": it.by.contains(&viewer), "me_burst": false,
            "burst_colors": [], "count_details": {"burst": 0, "normal": it.by.len()}})
    });
    let reactions: Vec<Value> = reactions.collect();
    if !reactions.is_empty() {
        written["reactions"] = json!(reactions);
    }
    written
}

fn bare(world: &World, message: &Message) -> Value {
    let mut written = json!({"id": message.id.to_string(), "channel_id": message.channel.to_string(),
        "author": author(world, message), "content": message.content, "timestamp": iso(made_at(message.id)),
        "edited_timestamp": message.edited.map(iso), "tts": message.tts, "type": message.kind, "flags": message.flags,
        "mention_everyone": message.everyone, "pinned": message.pinned,
        "mentions": message.mentions.iter().map(|id| user_by_id(world, *id)).collect::<Vec<_>>(),
        "mention_roles": message.mention_roles.iter().map(Id::to_string).collect::<Vec<_>>(),
        "attachments": message.attachments, "embeds": message.embeds, "components": message.components});
    let optional = [
        ("nonce", &message.nonce),
        ("poll", &message.poll),
        ("message_reference", &message.reference),
        ("message_snapshots", &message.snapshots),
        ("interaction_metadata", &message.interaction),
    ];
    for (key, value) in optional {
        if let Some(value) = value {
            written[key] = value.clone();
        }
    }
    if !message.stickers.is_empty() {
        written["sticker_items"] = json!(message.stickers);
    }
    if let Some((id, _)) = &message.webhook {
        written["webhook_id"] = json!(id.to_string());
    }
    if message.interaction.is_some() {
        written["application_id"] = json!(message.author.to_string());
    }
    if let Some(thread) = message.thread.and_then(|id| world.channels.get(&id)) {
        written["thread"] = channel(world, thread, 0);
    }
    if let Some(id) = message.replies_to {
        let found = world
            .channels
            .get(&message.channel)
            .and_then(|it| it.messages.get(&id));
        written["referenced_message"] = found.map_or(Value::Null, |found| {
            let mut found = bare(world, found);
            if let Some(fields) = found.as_object_mut() {
                fields.remove("referenced_message");
            }
            found
        });
    }
    written
}

fn author(world: &World, message: &Message) -> Value {
    match &message.webhook {
        Some((id, name)) => {
            json!({"id": id.to_string(), "username": name, "discriminator": "0000", "avatar": null,
            "bot": true, "global_name": null, "public_flags": 0, "flags": 0})
        }
        None => user_by_id(world, message.author),
    }
}

/// A message as an event tells it: with the guild and what the author is in it.
pub fn message_event(world: &World, message: &Message) -> Value {
    let mut written = self::message(world, message, 0);
    let channel = &world.channels[&message.channel];
    written["channel_type"] = json!(channel.kind);
    if let Some(guild) = channel.guild {
        written["guild_id"] = json!(guild.to_string());
        if message.webhook.is_none() {
            written["member"] = member_alone(world, guild, message.author);
        }
        for (at, id) in message.mentions.iter().enumerate() {
            written["mentions"][at]["member"] = member_alone(world, guild, *id);
        }
    }
    written
}

/// What is shown of a message that was forwarded.
pub fn snapshot(world: &World, message: &Message) -> Value {
    let whole = bare(world, message);
    let keys = [
        "content",
        "timestamp",
        "edited_timestamp",
        "type",
        "flags",
        "mentions",
        "mention_roles",
        "attachments",
        "embeds",
        "components",
    ];
    keys.iter()
        .map(|key| ((*key).to_owned(), whole[*key].clone()))
        .collect()
}

pub fn reaction_event(world: &World, who: Id, channel: Id, message: Id, emoji: &Value) -> Value {
    let mut written = json!({"user_id": who.to_string(), "channel_id": channel.to_string(),
        "message_id": message.to_string(), "emoji": emoji, "burst": false, "type": 0});
    if let Some(guild) = world.channels.get(&channel).and_then(|it| it.guild) {
        written["guild_id"] = json!(guild.to_string());
    }
    written
}
