//! Accounts and direct channels.

use serde_json::{Value, json};

use super::answer::{Answered, Call, Failure, done, nothing};
use crate::ids::id_of;
use crate::world::{World, access, render};

pub fn route(world: &mut World, call: &Call, path: &[&str]) -> Answered {
    match (call.method.as_str(), path) {
        ("GET", ["@me"]) => done(render::self_user(&world.accounts[&call.me])),
        ("PATCH", ["@me"]) => rename(world, call),
        ("GET", ["@me", "guilds"]) => guilds(world, call),
        ("GET", ["@me", "guilds", guild, "member"]) => {
            let guild = guild.parse().map_err(|_| Failure::UNKNOWN_GUILD)?;
            access::guild(world, guild, call.me, 0)?;
            done(render::member(world, guild, call.me))
        }
        ("DELETE", ["@me", "guilds", guild]) => {
            let guild = guild.parse().map_err(|_| Failure::UNKNOWN_GUILD)?;
            access::guild(world, guild, call.me, 0)?;
            super::members::remove(world, guild, call.me);
            nothing()
        }
        ("GET", ["@me", "channels"]) => done(json!([])),
        ("POST", ["@me", "channels"]) => direct(world, call),
        ("GET", [id]) => {
            let account = id.parse().ok().and_then(|id| world.accounts.get(&id));
            done(render::user(account.ok_or(Failure::UNKNOWN_USER)?))
        }
        _ => Err(Failure::NO_ROUTE),
    }
}

fn rename(world: &mut World, call: &Call) -> Answered {
    if let (Some(name), Some(account)) = (call.body["username"].as_str(), world.accounts.get_mut(&call.me)) {
        account.shown = Some(name.to_owned());
    }
    done(render::self_user(&world.accounts[&call.me]))
}

fn guilds(world: &World, call: &Call) -> Answered {
    let limit = call.limit(200, 200)?;
    let (after, before) = (
        call.asked_id("after").unwrap_or(0),
        call.asked_id("before").unwrap_or(u64::MAX),
    );
    let mine = world
        .guilds
        .values()
        .filter(|it| it.members.contains_key(&call.me) && it.id > after && it.id < before);
    let told = mine.take(limit).map(|guild| {
        json!({"id": guild.id.to_string(), "name": guild.name, "icon": null, "banner": null, "features": [],
            "owner": guild.owner == call.me, "permissions": access::in_guild(guild, call.me).to_string(),
            "approximate_member_count": guild.members.len(), "approximate_presence_count": 1})
    });
    done(told.collect::<Value>())
}

fn direct(world: &mut World, call: &Call) -> Answered {
    let other = id_of(&call.body["recipient_id"]).ok_or(Failure::UNKNOWN_USER)?;
    if !world.accounts.contains_key(&other) || other == call.me {
        return Err(Failure::UNKNOWN_USER);
    }
    let id = world.direct(call.me, other);
    done(render::channel(world, &world.channels[&id], call.me))
}
