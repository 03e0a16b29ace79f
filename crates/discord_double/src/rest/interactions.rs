//! Uses of commands, buttons and forms, and the answers to them.

use serde_json::{Value, json};

use super::answer::{Answered, Call, Failure, done, nothing};
use super::messages;
use crate::gateway::emit::{Audience, emit};
use crate::ids::{Id, made_at, now};
use crate::world::message::{self, Message};
use crate::world::{Interaction, World, access, render};

/// The kind of a message that answers a command, and the flags of one that is still awaited or only for one person.
const COMMAND_ANSWER: u64 = 20;
const LOADING: u64 = 1 << 7;
const EPHEMERAL: u64 = 1 << 6;
/// How long the first answer may take.
const FIRST_ANSWER: u64 = 3000;

/// A use of something of an application's.
#[derive(Debug)]
pub struct Use {
    pub kind: u64,
    pub application: Id,
    pub user: Id,
    pub channel: Id,
    pub data: Value,
    /// What the person's app is set to.
    pub locale: String,
    /// The message that a button is on.
    pub on: Option<Id>,
}

/// Tells the application that somebody uses something of it; gives the token the answer comes under.
pub fn begin(world: &mut World, used: Use) -> String {
    let id = world.ids.fresh();
    let token = format!("interaction-{id}");
    let metadata = json!({"id": id.to_string(), "type": used.kind, "user": render::user_by_id(world, used.user),
        "name": used.data["name"], "authorizing_integration_owners": {}});
    let interaction = Interaction {
        id,
        application: used.application,
        user: used.user,
        channel: used.channel,
        metadata,
        answered: None,
        original: used.on,
        ephemeral: false,
        shown: Value::Null,
    };
    world.interactions.insert(token.clone(), interaction);
    let channel = &world.channels[&used.channel];
    let guild = channel.guild;
    let mine = access::in_channel(world, channel, used.application).to_string();
    let theirs = access::in_channel(world, channel, used.user).to_string();
    let mut place = render::channel(world, channel, used.application);
    place["permissions"] = json!(theirs);
    let mut told = json!({"id": id.to_string(), "application_id": used.application.to_string(), "type": used.kind,
        "token": token, "version": 1, "data": used.data, "channel_id": used.channel.to_string(), "channel": place,
        "locale": used.locale, "app_permissions": mine, "entitlements": [], "entitlement_sku_ids": [],
        "authorizing_integration_owners": {"0": guild.unwrap_or(0).to_string()}, "attachment_size_limit": 10_485_760,
        "context": if guild.is_some() { 0 } else { 1 }});
    if let Some(guild) = guild {
        let mut member = render::member(world, guild, used.user);
        member["permissions"] = json!(theirs);
        told["member"] = member;
        told["guild_id"] = json!(guild.to_string());
        told["guild_locale"] = json!("en-US");
        told["guild"] = json!({"id": guild.to_string(), "locale": "en-US", "features": []});
    } else {
        told["user"] = render::user_by_id(world, used.user);
    }
    let on = used
        .on
        .and_then(|id| world.channels[&used.channel].messages.get(&id));
    if let Some(on) = on {
        told["message"] = render::message(world, on, used.application);
    }
    emit(
        world,
        Audience::One(used.application, guild),
        "INTERACTION_CREATE",
        told,
    );
    token
}

/// The first answer.
pub fn callback(world: &mut World, call: &Call, id: &str, token: &str) -> Answered {
    let found = world.interactions.get(token).filter(|it| it.id.to_string() == id);
    let interaction = found.ok_or(Failure::UNKNOWN_INTERACTION)?.clone();
    if interaction.answered.is_some() {
        return Err(Failure::INTERACTION_ANSWERED);
    }
    if now() > made_at(interaction.id) + FIRST_ANSWER {
        return Err(Failure::UNKNOWN_INTERACTION);
    }
    let kind = call.body["type"].as_u64().unwrap_or(0);
    let mut inner = call.clone();
    inner.body = call.body["data"].clone();
    let mut answered = interaction.clone();
    answered.answered = Some(kind);
    match kind {
        4 | 5 => {
            answered.ephemeral = inner.body["flags"].as_u64().unwrap_or(0) & EPHEMERAL != 0;
            answered.original = Some(say(world, &inner, &interaction, kind == 5)?);
        }
        7 => {
            let on = interaction.original.ok_or(Failure::UNKNOWN_MESSAGE)?;
            message::rewrite(world, &inner, interaction.channel, on)?;
        }
        8 | 9 => answered.shown = inner.body.clone(),
        6 | 1 => {}
        _ => {
            return Err(Failure::form(
                "type",
                "BASE_TYPE_CHOICES",
                "Value must be one of {1, 4, 5, 6, 7, 8, 9, 10, 12}.",
            ));
        }
    }
    let (original, ephemeral) = (answered.original, answered.ephemeral);
    world.interactions.insert(token.to_owned(), answered);
    if !call.wants("with_response") {
        return nothing();
    }
    let held = original.and_then(|id| world.channels.get(&interaction.channel)?.messages.get(&id));
    let mut told = json!({"interaction": {"id": id, "type": interaction.metadata["type"],
        "response_message_id": original.map(|it| it.to_string()), "response_message_loading": kind == 5,
        "response_message_ephemeral": ephemeral}});
    if let Some(held) = held {
        told["resource"] =
            json!({"type": kind, "message": render::message(world, held, interaction.application)});
    }
    done(told)
}

/// Posts an answer; one that is deferred has nothing in it yet.
fn say(world: &mut World, call: &Call, interaction: &Interaction, deferred: bool) -> Result<Id, Failure> {
    let (application, channel) = (interaction.application, interaction.channel);
    let mut message = if deferred {
        Message {
            channel,
            author: application,
            flags: LOADING | call.body["flags"].as_u64().unwrap_or(0) & EPHEMERAL,
            embeds: json!([]),
            components: json!([]),
            ..Message::default()
        }
    } else {
        message::draft(world, call, application, channel)?
    };
    message.kind = COMMAND_ANSWER;
    message.interaction = Some(interaction.metadata.clone());
    Ok(message::place(world, message))
}

/// Everything after the first answer: `/webhooks/{application}/{token}/…`.
pub fn after(world: &mut World, call: &Call, token: &str, path: &[&str]) -> Answered {
    let interaction = world
        .interactions
        .get(token)
        .ok_or(Failure::UNKNOWN_WEBHOOK)?
        .clone();
    let channel = interaction.channel;
    if interaction.answered.is_none() {
        return Err(Failure::UNKNOWN_WEBHOOK);
    }
    let call = &Call {
        me: interaction.application,
        ..call.clone()
    };
    if let ("POST", []) = (call.method.as_str(), path) {
        let awaited = interaction.original.filter(|id| is_awaited(world, channel, *id));
        let id = match awaited {
            Some(id) => fill(world, call, channel, id)?,
            None => say(world, call, &interaction, false)?,
        };
        return messages::show(world, call, channel, id);
    }
    let ["messages", id] = path else {
        return Err(Failure::NO_ROUTE);
    };
    let id = if *id == "@original" {
        interaction.original
    } else {
        id.parse().ok()
    };
    let id = id.ok_or(Failure::UNKNOWN_MESSAGE)?;
    match call.method.as_str() {
        "GET" => messages::show(world, call, channel, id),
        "PATCH" => {
            fill(world, call, channel, id)?;
            messages::show(world, call, channel, id)
        }
        "DELETE" => {
            message::delete(world, channel, &[id], false);
            nothing()
        }
        _ => Err(Failure::NO_METHOD),
    }
}

fn is_awaited(world: &World, channel: Id, id: Id) -> bool {
    let held = world.channels.get(&channel).and_then(|it| it.messages.get(&id));
    held.is_some_and(|it| it.flags & LOADING != 0)
}

/// Changes an answer; one that was awaited is there then.
fn fill(world: &mut World, call: &Call, channel: Id, id: Id) -> Result<Id, Failure> {
    if let Some(held) = world
        .channels
        .get_mut(&channel)
        .and_then(|it| it.messages.get_mut(&id))
    {
        held.flags &= !LOADING;
    }
    message::rewrite(world, call, channel, id)?;
    Ok(id)
}
