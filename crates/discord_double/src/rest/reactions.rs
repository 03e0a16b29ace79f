//! Reactions to a message.

use serde_json::{Value, json};

use super::answer::{Answered, Call, Failure, done, nothing};
use crate::gateway::emit::{Audience, emit};
use crate::ids::Id;
use crate::world::access::{self, MANAGE_MESSAGES, READ_HISTORY};
use crate::world::{World, message, render};

const DIFFERENT_MAX: usize = 20;

/// Routes under `/channels/{id}/messages/{id}/reactions`.
pub fn route(world: &mut World, call: &Call, at: (Id, Id), path: &[&str]) -> Answered {
    let (channel, id) = at;
    access::channel(world, channel, call.me, READ_HISTORY)?;
    let held = world.channels[&channel]
        .messages
        .get(&id)
        .ok_or(Failure::UNKNOWN_MESSAGE)?;
    let there = |emoji: &Value| held.reactions.iter().any(|it| it.emoji == *emoji);
    let full = held.reactions.len() >= DIFFERENT_MAX;
    match (call.method.as_str(), path) {
        ("PUT", [written, "@me"]) => {
            let emoji = emoji(world, written)?;
            if full && !there(&emoji) {
                return Err(Failure::TOO_MANY_REACTIONS);
            }
            message::react(world, call.me, channel, id, &emoji)?;
            nothing()
        }
        ("DELETE", [written, "@me"]) => {
            let emoji = emoji(world, written)?;
            message::unreact(world, call.me, channel, id, &emoji)?;
            nothing()
        }
        ("DELETE", [written, who]) => {
            access::channel(world, channel, call.me, MANAGE_MESSAGES)?;
            let emoji = emoji(world, written)?;
            let who = who.parse().map_err(|_| Failure::UNKNOWN_USER)?;
            message::unreact(world, who, channel, id, &emoji)?;
            nothing()
        }
        ("DELETE", []) => {
            access::channel(world, channel, call.me, MANAGE_MESSAGES)?;
            clear(world, at, None)
        }
        ("DELETE", [written]) => {
            access::channel(world, channel, call.me, MANAGE_MESSAGES)?;
            let emoji = emoji(world, written)?;
            clear(world, at, Some(emoji))
        }
        ("GET", [written]) => {
            let emoji = emoji(world, written)?;
            let held = &world.channels[&channel].messages[&id];
            let by = held
                .reactions
                .iter()
                .find(|it| it.emoji == emoji)
                .map(|it| it.by.clone());
            let limit = call.limit(25, 100)?;
            let after = call.asked_id("after").unwrap_or(0);
            let mut by = by.unwrap_or_default();
            by.sort_unstable();
            let page = by.into_iter().filter(|id| *id > after).take(limit);
            done(page.map(|id| render::user_by_id(world, id)).collect())
        }
        _ => Err(Failure::NO_ROUTE),
    }
}

fn clear(world: &mut World, at: (Id, Id), emoji: Option<Value>) -> Answered {
    let (channel, id) = at;
    let guild = world.channels[&channel].guild;
    let held = world
        .channels
        .get_mut(&channel)
        .and_then(|it| it.messages.get_mut(&id));
    let held = held.ok_or(Failure::UNKNOWN_MESSAGE)?;
    let mut told = json!({"channel_id": channel.to_string(), "message_id": id.to_string()});
    if let Some(guild) = guild {
        told["guild_id"] = json!(guild.to_string());
    }
    match emoji {
        None => {
            held.reactions.clear();
            emit(
                world,
                Audience::Channel(channel),
                "MESSAGE_REACTION_REMOVE_ALL",
                told,
            );
        }
        Some(emoji) => {
            held.reactions.retain(|it| it.emoji != emoji);
            told["emoji"] = emoji;
            emit(
                world,
                Audience::Channel(channel),
                "MESSAGE_REACTION_REMOVE_EMOJI",
                told,
            );
        }
    }
    nothing()
}

/// An emoji as an address has it: the sign itself, or `name:id`.
pub fn emoji(world: &World, written: &str) -> Result<Value, Failure> {
    let written = written.trim_start_matches("a:");
    if let Some((_, id)) = written.rsplit_once(':') {
        let all = world.guilds.values().flat_map(|guild| &guild.emojis);
        let found = all
            .into_iter()
            .find(|it| it["id"] == json!(id))
            .ok_or(Failure::UNKNOWN_EMOJI)?;
        return Ok(json!({"id": found["id"], "name": found["name"], "animated": found["animated"]}));
    }
    if written.is_empty() || written.is_ascii() && !written.ends_with('\u{20e3}') {
        return Err(Failure::UNKNOWN_EMOJI);
    }
    Ok(json!({"id": null, "name": written}))
}
