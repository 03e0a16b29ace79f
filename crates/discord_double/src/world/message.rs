//! Messages: posting them, changing them, taking them away, and who hears of it.

use serde_json::{Value, json};

use super::access::{self, ADD_REACTIONS, ATTACH_FILES, MANAGE_MESSAGES, READ_HISTORY, SEND_MESSAGES};
use super::{World, mentions, render};
use crate::gateway::emit::{Audience, emit};
use crate::ids::{Id, Millis, id_of, ids_of, now};
use crate::rest::answer::{Call, Failure};
use crate::rest::files;

pub const REPLY: u64 = 19;
const CONTENT_MAX: usize = 2000;
/// How long a nonce is remembered.
const NONCE_KEPT: Millis = 5 * 60 * 1000;
const EPHEMERAL: u64 = 1 << 6;

#[derive(Clone, Debug, Default)]
pub struct Message {
    pub id: Id,
    pub channel: Id,
    pub author: Id,
    /// The name and id of the webhook that wrote it, where one did.
    pub webhook: Option<(Id, String)>,
    pub kind: u64,
    pub flags: u64,
    pub content: String,
    pub edited: Option<Millis>,
    pub tts: bool,
    pub pinned: bool,
    pub mentions: Vec<Id>,
    pub mention_roles: Vec<Id>,
    pub everyone: bool,
    pub attachments: Vec<Value>,
    pub embeds: Value,
    pub components: Value,
    pub stickers: Vec<Value>,
    pub poll: Option<Value>,
    pub reference: Option<Value>,
    pub snapshots: Option<Value>,
    pub replies_to: Option<Id>,
    pub reactions: Vec<Reaction>,
    pub nonce: Option<Value>,
    pub interaction: Option<Value>,
    pub thread: Option<Id>,
}

#[derive(Clone, Debug)]
pub struct Reaction {
    pub emoji: Value,
    pub by: Vec<Id>,
}

/// Posts what a request says, with everything that Discord refuses refused. The same nonce again is the same message.
pub fn post(world: &mut World, call: &Call, author: Id, channel: Id) -> Result<Id, Failure> {
    let found = access::channel(world, channel, author, 0)?;
    let silent_bot = found.guild.is_none() && direct_closed(world, channel, author);
    if silent_bot {
        return Err(Failure::CANNOT_SEND_TO_USER);
    }
    let granted = access::in_channel(world, found, author);
    if granted & SEND_MESSAGES == 0 || (!call.files.is_empty() && granted & ATTACH_FILES == 0) {
        return Err(Failure::MISSING_PERMISSIONS);
    }
    if found.is_forum() || found.kind == 4 {
        return Err(Failure::NON_TEXT_CHANNEL);
    }
    let locked = found.thread.as_ref().is_some_and(|thread| thread.locked);
    if locked && granted & access::MANAGE_THREADS == 0 {
        return Err(Failure::THREAD_LOCKED);
    }
    let last = found.spoken.get(&author).copied().unwrap_or(0);
    let patience = MANAGE_MESSAGES | access::MANAGE_CHANNELS;
    if found.slowmode > 0 && granted & patience == 0 && now() < last + found.slowmode * 1000 {
        return Err(Failure::SLOW_MODE);
    }
    let nonce = call.body.get("nonce").filter(|nonce| !nonce.is_null()).cloned();
    if call.body["enforce_nonce"] == json!(true)
        && let Some(nonce) = &nonce
        && let Some((id, at)) = world.nonces.get(&(author, channel, nonce.to_string()))
        && now() < at + NONCE_KEPT
    {
        return Ok(*id);
    }
    let mut message = draft(world, call, author, channel)?;
    message.nonce = nonce;
    Ok(place(world, message))
}

fn direct_closed(world: &World, channel: Id, author: Id) -> bool {
    let others = world.channels[&channel]
        .recipients
        .iter()
        .filter(|id| **id != author);
    others
        .filter_map(|id| world.accounts.get(id))
        .any(|other| other.closed)
}

/// Reads the body of a new message.
pub fn draft(world: &mut World, call: &Call, author: Id, channel: Id) -> Result<Message, Failure> {
    let body = &call.body;
    let content = read_content(body)?.unwrap_or_default();
    let mut message = Message {
        channel,
        author,
        content,
        flags: body["flags"].as_u64().unwrap_or(0) & (1 << 2 | EPHEMERAL | 1 << 12 | 1 << 15),
        tts: body["tts"].as_bool().unwrap_or(false),
        embeds: body
            .get("embeds")
            .filter(|it| it.is_array())
            .cloned()
            .unwrap_or(json!([])),
        components: body
            .get("components")
            .filter(|it| it.is_array())
            .cloned()
            .unwrap_or(json!([])),
        ..Message::default()
    };
    let stickers = ids_of(&body["sticker_ids"]);
    message.stickers = stickers
        .iter()
        .map(|id| sticker(world, *id).ok_or(Failure::UNKNOWN_STICKER))
        .collect::<Result<_, _>>()?;
    message.poll = body.get("poll").filter(|poll| poll.is_object()).map(asked);
    refer(world, &mut message, &body["message_reference"], author)?;
    message.attachments = files::keep(world, call, channel);
    let has_embeds = message.embeds.as_array().is_some_and(|embeds| !embeds.is_empty());
    let has_components = message
        .components
        .as_array()
        .is_some_and(|parts| !parts.is_empty());
    let empty = message.content.trim().is_empty()
        && message.attachments.is_empty()
        && message.stickers.is_empty()
        && !(has_embeds || has_components || message.poll.is_some() || message.snapshots.is_some());
    if empty {
        return Err(Failure::EMPTY_MESSAGE);
    }
    mentions::read(world, &mut message, &body["allowed_mentions"]);
    Ok(message)
}

fn read_content(body: &Value) -> Result<Option<String>, Failure> {
    match &body["content"] {
        Value::Null => Ok(None),
        Value::String(text) if text.chars().count() > CONTENT_MAX => Err(Failure::form(
            "content",
            "BASE_TYPE_MAX_LENGTH",
            "Must be 2000 or fewer in length.",
        )),
        Value::String(text) => Ok(Some(text.trim().to_owned())),
        other => Ok(Some(other.to_string())),
    }
}

fn sticker(world: &World, id: Id) -> Option<Value> {
    let all = world.guilds.values().flat_map(|guild| &guild.stickers);
    let found = all
        .into_iter()
        .find(|sticker| id_of(&sticker["id"]) == Some(id))?;
    Some(json!({"id": found["id"], "name": found["name"], "format_type": found["format_type"]}))
}

fn asked(poll: &Value) -> Value {
    let mut poll = poll.clone();
    let hours = poll["duration"].as_u64().unwrap_or(24);
    poll["expiry"] = json!(crate::ids::iso(now() + hours * 3_600_000));
    for (at, answer) in poll["answers"].as_array_mut().into_iter().flatten().enumerate() {
        answer["answer_id"] = json!(at + 1);
    }
    poll["results"] = json!({"is_finalized": false, "answer_counts": []});
    poll["layout_type"] = json!(1);
    poll["allow_multiselect"] = json!(poll["allow_multiselect"].as_bool().unwrap_or(false));
    poll
}

/// A reply or a forwarded message.
fn refer(world: &World, message: &mut Message, reference: &Value, author: Id) -> Result<(), Failure> {
    let Some(id) = id_of(&reference["message_id"]) else {
        return Ok(());
    };
    let channel = id_of(&reference["channel_id"]).unwrap_or(message.channel);
    let found = access::channel(world, channel, author, READ_HISTORY)?
        .messages
        .get(&id);
    let Some(found) = found else {
        let lenient = reference["fail_if_not_exists"] == json!(false);
        let refused = Failure::form("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
        return if lenient { Ok(()) } else { Err(refused) };
    };
    let forwarded = reference["type"] == json!(1);
    let guild = world.channels[&channel].guild;
    let mut told = json!({"type": u64::from(forwarded), "channel_id": channel.to_string(), "message_id": id.to_string()});
    if let Some(guild) = guild {
        told["guild_id"] = json!(guild.to_string());
    }
    message.reference = Some(told);
    if forwarded {
        message.snapshots = Some(json!([{"message": render::snapshot(world, found)}]));
        message.flags |= 1 << 14;
    } else {
        message.kind = REPLY;
        message.replies_to = Some(id);
    }
    Ok(())
}

/// Puts a message into its channel and tells everybody.
pub fn place(world: &mut World, message: Message) -> Id {
    place_as(world, message, None)
}

/// The same, under an id that is fixed: the first message of a forum's post.
pub fn place_as(world: &mut World, mut message: Message, id: Option<Id>) -> Id {
    let id = id.unwrap_or_else(|| world.ids.fresh());
    message.id = id;
    let (channel, author, nonce) = (message.channel, message.author, message.nonce.clone());
    if let Some(nonce) = nonce {
        world
            .nonces
            .insert((author, channel, nonce.to_string()), (id, now()));
    }
    let ephemeral = message.flags & EPHEMERAL != 0;
    let Some(held) = world.channels.get_mut(&channel) else {
        return id;
    };
    held.messages.insert(id, message);
    if ephemeral {
        return id;
    }
    held.last_message = held.last_message.max(Some(id));
    held.spoken.insert(author, now());
    let woken = held.thread.as_mut().is_some_and(|thread| {
        thread.sent += 1;
        let joined = thread.members.insert(author, now()).is_none();
        std::mem::take(&mut thread.archived) || joined
    });
    if woken {
        crate::rest::threads::changed(world, channel);
    }
    tell(world, channel, id, "MESSAGE_CREATE");
    id
}

/// Tells everybody who may see the channel about a message as it is now.
pub fn tell(world: &mut World, channel: Id, id: Id, event: &'static str) {
    let Some(message) = world.channels.get(&channel).and_then(|it| it.messages.get(&id)) else {
        return;
    };
    if message.flags & EPHEMERAL == 0 && world.ids.ago == 0 {
        let data = render::message_event(world, message);
        emit(world, Audience::Channel(channel), event, data);
    }
}

/// Changes a message as its author wants it.
pub fn edit(world: &mut World, call: &Call, who: Id, channel: Id, id: Id) -> Result<(), Failure> {
    let found = access::channel(world, channel, who, 0)?;
    if found.thread.as_ref().is_some_and(|thread| thread.archived) {
        return Err(Failure::THREAD_ARCHIVED);
    }
    let message = found.messages.get(&id).ok_or(Failure::UNKNOWN_MESSAGE)?;
    let own = message.author == who;
    let only_flags = call
        .body
        .as_object()
        .is_some_and(|body| body.keys().all(|key| key == "flags"));
    if !own && !only_flags {
        return Err(Failure::NOT_THE_AUTHOR);
    }
    rewrite(world, call, channel, id)
}

/// Changes a message without asking whose it is.
pub fn rewrite(world: &mut World, call: &Call, channel: Id, id: Id) -> Result<(), Failure> {
    let content = read_content(&call.body)?;
    let added = files::keep(world, call, channel);
    let body = &call.body;
    let held = world.channels.get_mut(&channel).ok_or(Failure::UNKNOWN_CHANNEL)?;
    let mut message = held.messages.get(&id).ok_or(Failure::UNKNOWN_MESSAGE)?.clone();
    if let Some(content) = content {
        message.content = content;
        mentions::read(world, &mut message, &body["allowed_mentions"]);
    }
    if body["embeds"].is_array() {
        message.embeds = body["embeds"].clone();
    }
    if body["components"].is_array() {
        message.components = body["components"].clone();
    }
    if let Some(flags) = body["flags"].as_u64() {
        message.flags = message.flags & !(1 << 2) | flags & (1 << 2);
    }
    if body["attachments"].is_array() {
        let kept: Vec<Id> = body["attachments"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|it| id_of(&it["id"]))
            .collect();
        message
            .attachments
            .retain(|it| id_of(&it["id"]).is_some_and(|id| kept.contains(&id)));
    }
    message.attachments.extend(added);
    message.edited = Some(now());
    if let Some(held) = world.channels.get_mut(&channel) {
        held.messages.insert(id, message);
    }
    tell(world, channel, id, "MESSAGE_UPDATE");
    Ok(())
}

/// Takes messages away, one by one or as Discord's bulk does.
pub fn delete(world: &mut World, channel: Id, ids: &[Id], bulk: bool) {
    let Some(held) = world.channels.get_mut(&channel) else {
        return;
    };
    let gone: Vec<Id> = ids
        .iter()
        .copied()
        .filter(|id| held.messages.remove(id).is_some())
        .collect();
    let guild = held.guild;
    let mut data = json!({"channel_id": channel.to_string()});
    if let Some(guild) = guild {
        data["guild_id"] = json!(guild.to_string());
    }
    if bulk {
        data["ids"] = json!(gone.iter().map(Id::to_string).collect::<Vec<_>>());
        emit(world, Audience::Channel(channel), "MESSAGE_DELETE_BULK", data);
        return;
    }
    for id in gone {
        data["id"] = json!(id.to_string());
        emit(world, Audience::Channel(channel), "MESSAGE_DELETE", data.clone());
    }
}

/// Adds a reaction; a new emoji needs a right that joining in does not.
pub fn react(world: &mut World, who: Id, channel: Id, id: Id, emoji: &Value) -> Result<(), Failure> {
    let granted = access::in_channel(world, access::channel(world, channel, who, READ_HISTORY)?, who);
    let held = world.channels.get_mut(&channel).ok_or(Failure::UNKNOWN_CHANNEL)?;
    if held.thread.as_ref().is_some_and(|thread| thread.archived) {
        return Err(Failure::THREAD_ARCHIVED);
    }
    let message = held.messages.get_mut(&id).ok_or(Failure::UNKNOWN_MESSAGE)?;
    let author = message.author;
    match message.reactions.iter_mut().find(|it| it.emoji == *emoji) {
        Some(there) if there.by.contains(&who) => return Ok(()),
        Some(there) => there.by.push(who),
        None if granted & ADD_REACTIONS == 0 => return Err(Failure::MISSING_PERMISSIONS),
        None => message.reactions.push(Reaction {
            emoji: emoji.clone(),
            by: vec![who],
        }),
    }
    let mut data = render::reaction_event(world, who, channel, id, emoji);
    data["message_author_id"] = json!(author.to_string());
    if let Some(guild) = world.channels[&channel].guild {
        data["member"] = render::member(world, guild, who);
    }
    emit(world, Audience::Channel(channel), "MESSAGE_REACTION_ADD", data);
    Ok(())
}

/// Takes somebody's reaction back.
pub fn unreact(world: &mut World, who: Id, channel: Id, id: Id, emoji: &Value) -> Result<(), Failure> {
    let held = world.channels.get_mut(&channel).ok_or(Failure::UNKNOWN_CHANNEL)?;
    let message = held.messages.get_mut(&id).ok_or(Failure::UNKNOWN_MESSAGE)?;
    let there = message.reactions.iter_mut().find(|it| it.emoji == *emoji);
    there.ok_or(Failure::UNKNOWN_EMOJI)?.by.retain(|by| *by != who);
    message.reactions.retain(|it| !it.by.is_empty());
    let data = render::reaction_event(world, who, channel, id, emoji);
    emit(world, Audience::Channel(channel), "MESSAGE_REACTION_REMOVE", data);
    Ok(())
}
