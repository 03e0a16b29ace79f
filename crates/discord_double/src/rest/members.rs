//! Who is in a guild, what they are called there, and who is out.

use serde_json::{Value, json};

use super::answer::{Answered, Call, Failure, done, nothing};
use crate::gateway::emit::{Audience, emit};
use crate::gateway::voice;
use crate::ids::{Id, id_of, ids_of, now};
use crate::world::access::{
    self, BAN_MEMBERS, CHANGE_NICKNAME, KICK_MEMBERS, MANAGE_NICKNAMES, MANAGE_ROLES, MODERATE_MEMBERS,
    MOVE_MEMBERS,
};
use crate::world::guild::Member;
use crate::world::{World, render};

/// Routes under `/guilds/{id}` that are about people.
pub fn route(world: &mut World, call: &Call, guild: Id, path: &[&str]) -> Answered {
    access::guild(world, guild, call.me, 0)?;
    match (call.method.as_str(), path) {
        ("GET", ["members"]) => list(world, call, guild),
        ("GET", ["members", "search"]) => search(world, call, guild),
        ("PATCH", ["members", "@me"]) => {
            access::guild(world, guild, call.me, CHANGE_NICKNAME)?;
            change(world, guild, call.me, &json!({"nick": call.body["nick"]}));
            done(render::member(world, guild, call.me))
        }
        ("GET", ["members", who]) => done(render::member(world, guild, there(world, guild, who)?)),
        ("PATCH", ["members", who]) => {
            let who = there(world, guild, who)?;
            access::guild(world, guild, call.me, needed(&call.body))?;
            change(world, guild, who, &call.body);
            done(render::member(world, guild, who))
        }
        ("DELETE", ["members", who]) => {
            let who = there(world, guild, who)?;
            access::guild(world, guild, call.me, KICK_MEMBERS)?;
            remove(world, guild, who);
            nothing()
        }
        (method @ ("PUT" | "DELETE"), ["members", who, "roles", role]) => {
            let who = there(world, guild, who)?;
            access::guild(world, guild, call.me, MANAGE_ROLES)?;
            let role: Id = role.parse().map_err(|_| Failure::UNKNOWN_ROLE)?;
            if !world.guilds[&guild].roles.contains_key(&role) {
                return Err(Failure::UNKNOWN_ROLE);
            }
            let mut roles = world.guilds[&guild].members[&who].roles.clone();
            roles.retain(|it| *it != role);
            if method == "PUT" {
                roles.push(role);
            }
            let roles: Vec<String> = roles.iter().map(Id::to_string).collect();
            change(world, guild, who, &json!({"roles": roles}));
            nothing()
        }
        (_, ["bans", rest @ ..]) => bans(world, call, guild, rest),
        ("GET", ["voice-states", who]) => {
            let who = if *who == "@me" {
                call.me
            } else {
                there(world, guild, who)?
            };
            let state = world.guilds[&guild]
                .voice
                .get(&who)
                .ok_or(Failure::UNKNOWN_VOICE_STATE)?;
            done(render::voice_state(world, guild, who, Some(state)))
        }
        ("PATCH", ["voice-states", _]) => nothing(),
        _ => Err(Failure::NO_ROUTE),
    }
}

fn there(world: &World, guild: Id, who: &str) -> Result<Id, Failure> {
    let who = who.parse().map_err(|_| Failure::UNKNOWN_USER)?;
    if !world.accounts.contains_key(&who) {
        return Err(Failure::UNKNOWN_USER);
    }
    let inside = world.guilds[&guild].members.contains_key(&who);
    if inside {
        Ok(who)
    } else {
        Err(Failure::UNKNOWN_MEMBER)
    }
}

fn list(world: &World, call: &Call, guild: Id) -> Answered {
    let limit = call.limit(1, 1000)?;
    let after = call.asked_id("after").unwrap_or(0);
    let page = world.guilds[&guild]
        .members
        .keys()
        .filter(|id| **id > after)
        .take(limit);
    done(page.map(|id| render::member(world, guild, *id)).collect())
}

fn search(world: &World, call: &Call, guild: Id) -> Answered {
    let limit = call.limit(1, 1000)?;
    let query = call.asked("query").unwrap_or_default().to_lowercase();
    let called = |id: &&Id| {
        let member = render::member(world, guild, **id);
        let begins = |name: &Value| {
            name.as_str()
                .is_some_and(|name| name.to_lowercase().starts_with(&query))
        };
        begins(&member["nick"])
            || begins(&member["user"]["username"])
            || begins(&member["user"]["global_name"])
    };
    let page = world.guilds[&guild].members.keys().filter(called).take(limit);
    done(page.map(|id| render::member(world, guild, *id)).collect())
}

/// What one must be allowed to change that of somebody.
fn needed(body: &Value) -> u64 {
    let of = |key: &str, right: u64| if body.get(key).is_some() { right } else { 0 };
    of("nick", MANAGE_NICKNAMES)
        | of("roles", MANAGE_ROLES)
        | of("communication_disabled_until", MODERATE_MEMBERS)
        | of("channel_id", MOVE_MEMBERS)
}

/// Changes a member and tells of it.
pub fn change(world: &mut World, guild: Id, who: Id, body: &Value) {
    let Some(member) = world
        .guilds
        .get_mut(&guild)
        .and_then(|it| it.members.get_mut(&who))
    else {
        return;
    };
    if let Some(nick) = body.get("nick") {
        member.nick = nick.as_str().filter(|nick| !nick.is_empty()).map(str::to_owned);
    }
    if body["roles"].is_array() {
        member.roles = ids_of(&body["roles"]);
    }
    if let Some(until) = body.get("communication_disabled_until") {
        // Whoever is silenced is so for an hour; tests wait for no end.
        member.silenced = until.is_string().then(|| now() + 3_600_000);
    }
    let told = render::member_event(world, guild, who);
    emit(world, Audience::Guild(guild), "GUILD_MEMBER_UPDATE", told);
    match (
        body.get("channel_id"),
        world.guilds[&guild].voice.get(&who).cloned(),
    ) {
        (Some(Value::Null), Some(_)) => voice::leave(world, guild, who),
        (Some(to), Some(mut state)) => {
            state.channel = id_of(to).unwrap_or(state.channel);
            voice::enter(world, guild, who, state);
        }
        _ => {}
    }
}

/// Lets somebody in: they hear of the guild, the others of them.
pub fn add(world: &mut World, guild: Id, who: Id) {
    let Some(found) = world.guilds.get_mut(&guild) else {
        return;
    };
    if found.members.contains_key(&who) {
        return;
    }
    let told_others = |world: &World| render::member_event(world, guild, who);
    found.members.insert(who, Member::now());
    let told = told_others(world);
    emit(world, Audience::Guild(guild), "GUILD_MEMBER_ADD", told);
    let mut told = render::guild_create(world, &world.guilds[&guild], who, false);
    // A guild that one comes into was never out of reach: clients tell the two apart by this.
    if let Some(fields) = told.as_object_mut() {
        fields.remove("unavailable");
    }
    emit(world, Audience::One(who, Some(guild)), "GUILD_CREATE", told);
}

/// Puts somebody out: they lose the guild, the others hear that they are gone.
pub fn remove(world: &mut World, guild: Id, who: Id) {
    voice::leave(world, guild, who);
    let there = world
        .guilds
        .get_mut(&guild)
        .and_then(|it| it.members.remove(&who));
    if there.is_none() {
        return;
    }
    emit(
        world,
        Audience::One(who, Some(guild)),
        "GUILD_DELETE",
        json!({"id": guild.to_string()}),
    );
    let told = json!({"guild_id": guild.to_string(), "user": render::user_by_id(world, who)});
    emit(world, Audience::Guild(guild), "GUILD_MEMBER_REMOVE", told);
}

fn bans(world: &mut World, call: &Call, guild: Id, path: &[&str]) -> Answered {
    access::guild(world, guild, call.me, BAN_MEMBERS)?;
    let written = |world: &World, who: Id, reason: &Option<String>| json!({"user": render::user_by_id(world, who), "reason": reason});
    let [who] = path else {
        let all = &world.guilds[&guild].bans;
        return done(
            all.iter()
                .map(|(who, reason)| written(world, *who, reason))
                .collect(),
        );
    };
    let who: Id = who.parse().map_err(|_| Failure::UNKNOWN_USER)?;
    let told = json!({"guild_id": guild.to_string(), "user": render::user_by_id(world, who)});
    match call.method.as_str() {
        "GET" => {
            let reason = world.guilds[&guild].bans.get(&who).ok_or(Failure::UNKNOWN_BAN)?;
            done(written(world, who, reason))
        }
        "PUT" => {
            if let Some(found) = world.guilds.get_mut(&guild) {
                found.bans.insert(who, None);
            }
            emit(world, Audience::Guild(guild), "GUILD_BAN_ADD", told);
            remove(world, guild, who);
            nothing()
        }
        "DELETE" => {
            let there = world.guilds.get_mut(&guild).and_then(|it| it.bans.remove(&who));
            there.ok_or(Failure::UNKNOWN_BAN)?;
            emit(world, Audience::Guild(guild), "GUILD_BAN_REMOVE", told);
            nothing()
        }
        _ => Err(Failure::NO_METHOD),
    }
}
