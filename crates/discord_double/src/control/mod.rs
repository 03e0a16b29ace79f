//! The control API: what tests make happen, and what they look at afterwards. README.md lists it.

mod chat;
mod look;
mod make;
pub mod malformed;
mod trouble;

use serde_json::{Value, json};

use crate::ids::{Id, id_of};
use crate::rest::answer::Failure;
use crate::world::World;

pub type Told = Result<Value, String>;

/// Does what a verb says.
pub fn control(world: &mut World, verb: &str, wish: &Value) -> Told {
    match verb {
        "user" => make::user(world, wish),
        "guild" => make::guild(world, wish),
        "outage" => make::outage(world, wish),
        "channel" => make::channel(world, wish),
        "delete_channel" => make::delete_channel(world, wish),
        "role" => make::role(world, wish),
        "member" => make::member(world, wish),
        "emoji" => make::emoji(world, wish),
        "sticker" => make::sticker(world, wish),
        "voice" => make::voice(world, wish),
        "voice_server" => make::voice_server(world, wish),
        "post" => chat::post(world, wish),
        "edit" => chat::edit(world, wish),
        "delete" => chat::delete(world, wish),
        "react" => chat::react(world, wish, true),
        "unreact" => chat::react(world, wish, false),
        "type" => chat::typing(world, wish),
        "thread" => chat::thread(world, wish),
        "vote" => chat::vote(world, wish),
        "use" => chat::use_command(world, wish),
        "press" => chat::press(world, wish),
        "submit" => chat::submit(world, wish),
        "fault" => trouble::fault(world, wish),
        "mend" => trouble::mend(world),
        "limits" => {
            world.limits.set(wish);
            Ok(json!({}))
        }
        "gateway" => trouble::gateway(world, wish),
        "variants" => {
            world.variants.set(wish)?;
            Ok(world.variants.told())
        }
        "revoke" => trouble::revoke(world, wish),
        "requests" => look::requests(world, wish),
        "payloads" => look::payloads(world, wish),
        "sessions" => Ok(world.hub.told()),
        "messages" => look::messages(world, wish),
        "answer" => look::answer(world, wish),
        "state" => look::state(world),
        "calls" => Ok(look::calls(world)),
        _ => Err(format!("{verb:?} is no verb; README.md lists them")),
    }
}

/// A refusal of Discord's, as the control API tells it.
fn refused(failure: Failure) -> String {
    failure.body().to_string()
}

fn text<'a>(wish: &'a Value, key: &str) -> Result<&'a str, String> {
    wish[key]
        .as_str()
        .ok_or_else(|| format!("{key}: a text is needed"))
}

/// An account by name or id; a name that is new is a new person.
fn account(world: &mut World, wish: &Value, key: &str) -> Result<Id, String> {
    if let Some(id) = id_of(&wish[key]).filter(|id| world.accounts.contains_key(id)) {
        return Ok(id);
    }
    let name = text(wish, key)?;
    Ok(world.account(name, false))
}

/// A guild by name or id; the first one where none is named.
fn guild(world: &World, wish: &Value) -> Result<Id, String> {
    let wanted = &wish["guild"];
    let fits = |it: &&crate::world::guild::Guild| {
        wanted.is_null() || id_of(wanted) == Some(it.id) || wanted.as_str() == Some(&it.name)
    };
    let found = world.guilds.values().find(fits).map(|it| it.id);
    found.ok_or_else(|| format!("guild: there is no {wanted}"))
}

/// A channel by id, or by name in the guild that is named.
fn channel(world: &World, wish: &Value) -> Result<Id, String> {
    let wanted = &wish["channel"];
    if let Some(id) = id_of(wanted).filter(|id| world.channels.contains_key(id)) {
        return Ok(id);
    }
    let guild = &world.guilds[&guild(world, wish)?];
    let named = |id: &&Id| wanted.as_str() == world.channels.get(id).map(|it| it.name.as_str());
    let found = guild.channels.iter().chain(&guild.threads).find(named);
    found
        .copied()
        .ok_or_else(|| format!("channel: there is no {wanted} in {}", guild.name))
}

/// A channel, or the direct one of `as` and `to`.
fn place(world: &mut World, wish: &Value) -> Result<Id, String> {
    if wish["to"].is_null() {
        return channel(world, wish);
    }
    let (one, other) = (account(world, wish, "as")?, account(world, wish, "to")?);
    Ok(world.direct(one, other))
}

fn message(wish: &Value) -> Result<Id, String> {
    id_of(&wish["message"]).ok_or_else(|| "message: an id is needed".to_owned())
}
