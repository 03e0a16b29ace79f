//! Messages of a channel: history, posting, changing, pins.

use serde_json::{Value, json};

use super::answer::{Answered, Call, Failure, done, nothing};
use super::reactions;
use crate::gateway::emit::{Audience, emit};
use crate::ids::{Id, ids_of, iso, now};
use crate::world::access::{self, MANAGE_MESSAGES, READ_HISTORY};
use crate::world::message::{self, Message};
use crate::world::{World, render};

const PINS_MAX: usize = 250;
/// "Alice pinned a message to this channel."
const PINNED: u64 = 6;

/// Routes under `/channels/{id}/messages`.
pub fn route(world: &mut World, call: &Call, channel: Id, path: &[&str]) -> Answered {
    match (call.method.as_str(), path) {
        ("GET", []) => history(world, call, channel),
        ("POST", []) => {
            let id = message::post(world, call, call.me, channel)?;
            show(world, call, channel, id)
        }
        ("POST", ["bulk-delete"]) => bulk(world, call, channel),
        ("GET", ["pins"]) => pins(world, call, channel),
        ("PUT", ["pins", id]) => pin(world, call, channel, known(id)?, true),
        ("DELETE", ["pins", id]) => pin(world, call, channel, known(id)?, false),
        (_, [id, "reactions", rest @ ..]) => reactions::route(world, call, (channel, known(id)?), rest),
        ("POST", [id, "threads"]) => super::threads::from_message(world, call, channel, known(id)?),
        ("POST", [id, "crosspost"]) => show(world, call, channel, known(id)?),
        ("GET", [id]) => {
            access::channel(world, channel, call.me, READ_HISTORY)?;
            show(world, call, channel, known(id)?)
        }
        ("PATCH", [id]) => {
            message::edit(world, call, call.me, channel, known(id)?)?;
            show(world, call, channel, known(id)?)
        }
        ("DELETE", [id]) => remove(world, call, channel, known(id)?),
        _ => Err(Failure::NO_ROUTE),
    }
}

pub fn known(id: &str) -> Result<Id, Failure> {
    id.parse()
        .map_err(|_| Failure::form("message_id", "NUMBER_TYPE_COERCE", "Value is not snowflake."))
}

pub fn show(world: &World, call: &Call, channel: Id, id: Id) -> Answered {
    let found = world.channels.get(&channel).and_then(|it| it.messages.get(&id));
    done(render::message(
        world,
        found.ok_or(Failure::UNKNOWN_MESSAGE)?,
        call.me,
    ))
}

fn history(world: &World, call: &Call, channel: Id) -> Answered {
    let found = access::channel(world, channel, call.me, 0)?;
    if access::in_channel(world, found, call.me) & READ_HISTORY == 0 {
        return done(json!([]));
    }
    let limit = call.limit(50, 100)?;
    let all = || found.messages.values().filter(|it| it.flags & (1 << 6) == 0);
    let mut page: Vec<&Message> = if let Some(after) = call.asked_id("after") {
        all().filter(|it| it.id > after).take(limit).collect()
    } else if let Some(around) = call.asked_id("around") {
        let mut page: Vec<&Message> = all().rev().filter(|it| it.id < around).take(limit / 2).collect();
        page.reverse();
        page.extend(all().filter(|it| it.id >= around).take(limit - limit / 2));
        page
    } else {
        let before = call.asked_id("before").unwrap_or(Id::MAX);
        let mut page: Vec<&Message> = all().rev().filter(|it| it.id < before).take(limit).collect();
        page.reverse();
        page
    };
    page.reverse();
    done(
        page.into_iter()
            .map(|it| render::message(world, it, call.me))
            .collect(),
    )
}

fn remove(world: &mut World, call: &Call, channel: Id, id: Id) -> Answered {
    let found = access::channel(world, channel, call.me, 0)?;
    let message = found.messages.get(&id).ok_or(Failure::UNKNOWN_MESSAGE)?;
    let own = message.author == call.me;
    if !own && (found.guild.is_none() || access::in_channel(world, found, call.me) & MANAGE_MESSAGES == 0) {
        return Err(if found.guild.is_none() {
            Failure::DIRECT_ONLY
        } else {
            Failure::MISSING_PERMISSIONS
        });
    }
    message::delete(world, channel, &[id], false);
    nothing()
}

fn bulk(world: &mut World, call: &Call, channel: Id) -> Answered {
    access::channel(world, channel, call.me, MANAGE_MESSAGES)?;
    let ids = ids_of(&call.body["messages"]);
    if !(2..=100).contains(&ids.len()) {
        return Err(Failure::BULK_AMOUNT);
    }
    message::delete(world, channel, &ids, true);
    nothing()
}

fn pinned<'a>(world: &'a World, call: &Call, channel: Id) -> Result<Vec<&'a Message>, Failure> {
    let found = access::channel(world, channel, call.me, READ_HISTORY)?;
    Ok(found.messages.values().rev().filter(|it| it.pinned).collect())
}

/// Pins as they are told now: page by page, each with when it was pinned.
fn pins(world: &World, call: &Call, channel: Id) -> Answered {
    let limit = call.limit(50, 50)?;
    let all = pinned(world, call, channel)?;
    let at = world.channels[&channel].last_pin.unwrap_or(0);
    let items = all.iter().take(limit);
    let items: Vec<Value> = items
        .map(|it| json!({"pinned_at": iso(at), "message": render::message(world, it, call.me)}))
        .collect();
    done(json!({"items": items, "has_more": all.len() > limit}))
}

/// Pins as they were told before that.
pub fn old_pins(world: &World, call: &Call, channel: Id) -> Answered {
    let all = pinned(world, call, channel)?;
    done(all.iter().map(|it| render::message(world, it, call.me)).collect())
}

pub fn pin(world: &mut World, call: &Call, channel: Id, id: Id, pinned: bool) -> Answered {
    let found = access::channel(world, channel, call.me, MANAGE_MESSAGES)?;
    if pinned && found.messages.values().filter(|it| it.pinned).count() >= PINS_MAX {
        return Err(Failure::TOO_MANY_PINS);
    }
    let held = world.channels.get_mut(&channel).ok_or(Failure::UNKNOWN_CHANNEL)?;
    let message = held.messages.get_mut(&id).ok_or(Failure::UNKNOWN_MESSAGE)?;
    if std::mem::replace(&mut message.pinned, pinned) == pinned {
        return nothing();
    }
    let (guild, at) = (held.guild, now());
    held.last_pin = Some(at);
    let mut told = json!({"channel_id": channel.to_string(), "last_pin_timestamp": iso(at)});
    let mut reference = json!({"type": 0, "channel_id": channel.to_string(), "message_id": id.to_string()});
    if let Some(guild) = guild {
        told["guild_id"] = json!(guild.to_string());
        reference["guild_id"] = json!(guild.to_string());
    }
    message::tell(world, channel, id, "MESSAGE_UPDATE");
    emit(world, Audience::Channel(channel), "CHANNEL_PINS_UPDATE", told);
    if pinned {
        let notice = Message {
            channel,
            author: call.me,
            kind: PINNED,
            reference: Some(reference),
            embeds: json!([]),
            components: json!([]),
            ..Message::default()
        };
        message::place(world, notice);
    }
    nothing()
}
