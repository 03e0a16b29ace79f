//! Threads and the posts of forums.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::answer::{Answered, Call, Failure, done, made, nothing};
use super::channels;
use crate::gateway::emit::{Audience, emit};
use crate::ids::{Id, ids_of, iso, now};
use crate::world::access::{self, CREATE_PRIVATE_THREADS, CREATE_PUBLIC_THREADS, SEND_MESSAGES};
use crate::world::guild::{Channel, PRIVATE_THREAD, PUBLIC_THREAD, ThreadFacts};
use crate::world::message::{self, Message};
use crate::world::{World, render};

/// "Alice started a thread", and the first message of a thread that began with one.
const THREAD_CREATED: u64 = 18;
const STARTER: u64 = 21;

/// Routes under `/channels/{id}` that are about threads.
pub fn route(world: &mut World, call: &Call, channel: Id, path: &[&str]) -> Answered {
    match (call.method.as_str(), path) {
        ("POST", ["threads"]) => start(world, call, channel),
        ("GET", ["threads", "archived", "public"]) => archived(world, call, channel, PUBLIC_THREAD),
        ("GET", ["threads", "archived", "private"]) => archived(world, call, channel, PRIVATE_THREAD),
        ("GET", ["users", "@me", "threads", "archived", "private"]) => {
            archived(world, call, channel, PRIVATE_THREAD)
        }
        ("GET", ["thread-members"]) => {
            let facts = thread(world, call, channel)?;
            let members: Value = facts
                .members
                .iter()
                .map(|(id, at)| member(channel, *id, *at))
                .collect();
            done(members)
        }
        ("GET", ["thread-members", who]) => {
            let who = person(call, who)?;
            let at = thread(world, call, channel)?.members.get(&who).copied();
            done(member(channel, who, at.ok_or(Failure::UNKNOWN_MEMBER)?))
        }
        ("PUT", ["thread-members", who]) => {
            thread(world, call, channel)?;
            join(world, channel, person(call, who)?);
            nothing()
        }
        ("DELETE", ["thread-members", who]) => {
            thread(world, call, channel)?;
            leave(world, channel, person(call, who)?);
            nothing()
        }
        _ => Err(Failure::NO_ROUTE),
    }
}

fn person(call: &Call, who: &str) -> Result<Id, Failure> {
    if who == "@me" {
        Ok(call.me)
    } else {
        who.parse().map_err(|_| Failure::UNKNOWN_USER)
    }
}

fn thread<'a>(world: &'a World, call: &Call, channel: Id) -> Result<&'a ThreadFacts, Failure> {
    let found = access::channel(world, channel, call.me, 0)?;
    found.thread.as_ref().ok_or(Failure::WRONG_CHANNEL_TYPE)
}

fn member(thread: Id, who: Id, at: u64) -> Value {
    json!({"id": thread.to_string(), "user_id": who.to_string(), "join_timestamp": iso(at), "flags": 0, "muted": false})
}

/// What a new thread is to be.
struct Wish<'a> {
    parent: Id,
    /// Given where it grows from a message, whose id it then has.
    id: Option<Id>,
    kind: u64,
    owner: Id,
    body: &'a Value,
}

fn open(world: &mut World, wish: &Wish) -> Result<Id, Failure> {
    let name = wish.body["name"].as_str().unwrap_or_default();
    if name.is_empty() || name.chars().count() > 100 {
        return Err(Failure::form(
            "name",
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 1 and 100 in length.",
        ));
    }
    let guild = world.channels[&wish.parent]
        .guild
        .ok_or(Failure::WRONG_CHANNEL_TYPE)?;
    let id = wish.id.unwrap_or_else(|| world.ids.fresh());
    let mut made = Channel::new(id, wish.kind, Some(guild), name);
    made.parent = Some(wish.parent);
    made.slowmode = wish.body["rate_limit_per_user"].as_u64().unwrap_or(0);
    made.thread = Some(ThreadFacts {
        owner: wish.owner,
        archived: false,
        locked: false,
        invitable: wish.body["invitable"].as_bool().unwrap_or(true),
        auto_archive: wish.body["auto_archive_duration"].as_u64().unwrap_or(4320),
        changed: now(),
        members: BTreeMap::from([(wish.owner, now())]),
        sent: 0,
        applied_tags: ids_of(&wish.body["applied_tags"]),
    });
    world.channels.insert(id, made);
    if let Some(guild) = world.guilds.get_mut(&guild) {
        guild.threads.push(id);
    }
    let mut told = render::channel(world, &world.channels[&id], wish.owner);
    told["newly_created"] = json!(true);
    emit(world, Audience::Channel(id), "THREAD_CREATE", told);
    Ok(id)
}

fn start(world: &mut World, call: &Call, parent: Id) -> Answered {
    let found = access::channel(world, parent, call.me, 0)?;
    if found.guild.is_none() || found.thread.is_some() || found.is_voice() {
        return Err(Failure::WRONG_CHANNEL_TYPE);
    }
    if found.is_forum() {
        return forum_post(world, call, parent);
    }
    let kind = call.body["type"].as_u64().unwrap_or(PRIVATE_THREAD);
    let needed = if kind == PRIVATE_THREAD {
        CREATE_PRIVATE_THREADS
    } else {
        CREATE_PUBLIC_THREADS
    };
    access::channel(world, parent, call.me, needed)?;
    let id = open(
        world,
        &Wish {
            parent,
            id: None,
            kind,
            owner: call.me,
            body: &call.body,
        },
    )?;
    if kind == PUBLIC_THREAD {
        let notice = Message {
            channel: parent,
            author: call.me,
            kind: THREAD_CREATED,
            content: world.channels[&id].name.clone(),
            reference: Some(json!({"type": 0, "channel_id": id.to_string()})),
            embeds: json!([]),
            components: json!([]),
            ..Message::default()
        };
        message::place(world, notice);
    }
    made(render::channel(world, &world.channels[&id], call.me))
}

/// A post in a forum is a thread whose first message has its id.
fn forum_post(world: &mut World, call: &Call, parent: Id) -> Answered {
    access::channel(world, parent, call.me, SEND_MESSAGES)?;
    let id = open(
        world,
        &Wish {
            parent,
            id: None,
            kind: PUBLIC_THREAD,
            owner: call.me,
            body: &call.body,
        },
    )?;
    let mut first = call.clone();
    first.body = call.body["message"].clone();
    let posted = message::draft(world, &first, call.me, id);
    let mut posted = match posted {
        Ok(posted) => posted,
        Err(refused) => {
            channels::remove(world, id);
            return Err(refused);
        }
    };
    posted.channel = id;
    let placed = message::place_as(world, posted, Some(id));
    let mut told = render::channel(world, &world.channels[&id], call.me);
    told["message"] = render::message(world, &world.channels[&id].messages[&placed], call.me);
    made(told)
}

pub fn from_message(world: &mut World, call: &Call, parent: Id, id: Id) -> Answered {
    let found = access::channel(world, parent, call.me, CREATE_PUBLIC_THREADS)?;
    let from = found.messages.get(&id).ok_or(Failure::UNKNOWN_MESSAGE)?;
    if found.guild.is_none() || found.thread.is_some() {
        return Err(Failure::WRONG_CHANNEL_TYPE);
    }
    if from.thread.is_some() {
        return Err(Failure::THREAD_THERE);
    }
    let guild = found.guild.map(|it| it.to_string());
    open(
        world,
        &Wish {
            parent,
            id: Some(id),
            kind: PUBLIC_THREAD,
            owner: call.me,
            body: &call.body,
        },
    )?;
    if let Some(from) = world
        .channels
        .get_mut(&parent)
        .and_then(|it| it.messages.get_mut(&id))
    {
        from.thread = Some(id);
        from.flags |= 1 << 5;
    }
    message::tell(world, parent, id, "MESSAGE_UPDATE");
    let starter = Message {
        channel: id,
        author: call.me,
        kind: STARTER,
        reference: Some(
            json!({"type": 0, "channel_id": parent.to_string(), "message_id": id.to_string(), "guild_id": guild}),
        ),
        embeds: json!([]),
        components: json!([]),
        ..Message::default()
    };
    message::place(world, starter);
    made(render::channel(world, &world.channels[&id], call.me))
}

/// Takes over what a body says of a thread.
pub fn change(world: &mut World, call: &Call, id: Id) {
    let body = &call.body;
    channels::apply(world, id, body);
    let Some(facts) = world.channels.get_mut(&id).and_then(|it| it.thread.as_mut()) else {
        return;
    };
    facts.changed = now();
    if let Some(archived) = body["archived"].as_bool() {
        facts.archived = archived;
    }
    if let Some(locked) = body["locked"].as_bool() {
        facts.locked = locked;
    }
    if let Some(minutes) = body["auto_archive_duration"].as_u64() {
        facts.auto_archive = minutes;
    }
    if body["applied_tags"].is_array() {
        facts.applied_tags = ids_of(&body["applied_tags"]);
    }
    changed(world, id);
}

/// Tells everybody about a thread as it is now.
pub fn changed(world: &mut World, id: Id) {
    channels::tell(world, id, "THREAD_UPDATE");
}

pub fn join(world: &mut World, id: Id, who: Id) {
    let (at, known) = (now(), world.accounts.contains_key(&who));
    let Some(channel) = world.channels.get_mut(&id).filter(|_| known) else {
        return;
    };
    let guild = channel.guild.unwrap_or(0);
    let Some(facts) = channel.thread.as_mut() else {
        return;
    };
    if facts.members.insert(who, at).is_some() {
        return;
    }
    let count = facts.members.len();
    let told = render::channel(world, &world.channels[&id], who);
    emit(world, Audience::One(who, Some(guild)), "THREAD_CREATE", told);
    let mut added = member(id, who, at);
    added["member"] = render::member(world, guild, who);
    added["presence"] = Value::Null;
    members_changed(world, id, count, json!([added]), json!([]));
}

fn leave(world: &mut World, id: Id, who: Id) {
    let facts = world.channels.get_mut(&id).and_then(|it| it.thread.as_mut());
    if let Some(facts) = facts
        && facts.members.remove(&who).is_some()
    {
        let count = facts.members.len();
        members_changed(world, id, count, json!([]), json!([who.to_string()]));
    }
}

fn members_changed(world: &mut World, id: Id, count: usize, added: Value, removed: Value) {
    let guild = world.channels[&id].guild.map(|it| it.to_string());
    let told = json!({"id": id.to_string(), "guild_id": guild, "member_count": count, "added_members": added,
        "removed_member_ids": removed});
    emit(world, Audience::Channel(id), "THREAD_MEMBERS_UPDATE", told);
}

fn archived(world: &World, call: &Call, parent: Id, kind: u64) -> Answered {
    access::channel(world, parent, call.me, access::READ_HISTORY)?;
    let fits = |it: &&Channel| {
        it.parent == Some(parent) && it.kind == kind && it.thread.as_ref().is_some_and(|facts| facts.archived)
    };
    let found: Vec<&Channel> = world.channels.values().filter(fits).collect();
    listed(world, call, &found)
}

/// The threads of a guild that are not archived.
pub fn active(world: &World, call: &Call, guild: Id) -> Answered {
    let guild = access::guild(world, guild, call.me, 0)?;
    let all = guild.threads.iter().filter_map(|id| world.channels.get(id));
    let open = all.filter(|it| it.thread.as_ref().is_some_and(|facts| !facts.archived));
    let seen: Vec<&Channel> = open
        .filter(|it| access::can_view(world, it.id, call.me))
        .collect();
    listed(world, call, &seen)
}

fn listed(world: &World, call: &Call, threads: &[&Channel]) -> Answered {
    let members = threads
        .iter()
        .filter_map(|it| Some((it.id, *it.thread.as_ref()?.members.get(&call.me)?)));
    let members: Value = members.map(|(id, at)| member(id, call.me, at)).collect();
    let threads: Value = threads
        .iter()
        .map(|it| render::channel(world, it, call.me))
        .collect();
    done(json!({"threads": threads, "members": members, "has_more": false}))
}
