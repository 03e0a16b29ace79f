//! People talk, change their minds, react, and use commands.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use serde_json::{Value, json};

use super::{Told, account, message as wanted, place, refused, text};
use crate::gateway::emit::{Audience, emit};
use crate::ids::{Id, id_of};
use crate::rest::answer::{Call, Upload};
use crate::rest::interactions::{self, Use};
use crate::rest::{channels, route, webhooks};
use crate::world::{World, message, render};

/// `{"as", "channel" | "to", "content", …}`, the rest as Discord names it; `reply_to`, `webhook`, `type` and `files`
/// (`[{"name", "text" | "base64", "content_type"}]`) besides; `ago` (milliseconds) for what was said some time ago, of which
/// nobody is told.
pub fn post(world: &mut World, wish: &Value) -> Told {
    world.ids.ago = wish["ago"].as_u64().unwrap_or(0);
    let told = said(world, wish);
    world.ids.ago = 0;
    told
}

fn said(world: &mut World, wish: &Value) -> Told {
    let who = account(world, wish, "as")?;
    let channel = place(world, wish)?;
    let mut call = Call::with(who, wish.clone());
    call.files = files(wish)?;
    if let Some(id) = id_of(&wish["reply_to"]) {
        call.body["message_reference"] = json!({"message_id": id.to_string()});
    }
    let id = if let Some(name) = wish["webhook"].as_str() {
        let hook = webhooks::make(world, channel, name, who);
        webhooks::post(world, &call, &hook).map_err(refused)?
    } else if let Some(kind) = wish["type"].as_u64() {
        let mut written = message::Message {
            channel,
            author: who,
            kind,
            ..message::Message::default()
        };
        written.content = wish["content"].as_str().unwrap_or_default().to_owned();
        (written.embeds, written.components) = (json!([]), json!([]));
        message::place(world, written)
    } else {
        message::post(world, &call, who, channel).map_err(refused)?
    };
    Ok(render::message(
        world,
        &world.channels[&channel].messages[&id],
        who,
    ))
}

fn files(wish: &Value) -> Result<Vec<Upload>, String> {
    let mut read = Vec::new();
    for (number, file) in wish["files"].as_array().into_iter().flatten().enumerate() {
        let bytes = match file["base64"].as_str() {
            Some(coded) => BASE64_STANDARD
                .decode(coded)
                .map_err(|error| format!("base64: {error}"))?,
            None => text(file, "text")?.as_bytes().to_vec(),
        };
        read.push(Upload {
            number: number as u64,
            name: text(file, "name")?.to_owned(),
            kind: file["content_type"].as_str().unwrap_or("text/plain").to_owned(),
            bytes: Bytes::from(bytes),
        });
    }
    Ok(read)
}

/// `{"channel" | "as" and "to", "message", "content", …}`: the author changes it.
pub fn edit(world: &mut World, wish: &Value) -> Told {
    let (channel, id) = (place(world, wish)?, wanted(wish)?);
    message::rewrite(world, &Call::with(0, wish.clone()), channel, id).map_err(refused)?;
    Ok(render::message(world, &world.channels[&channel].messages[&id], 0))
}

/// `{"channel", "message"}`, or `"messages"` for many at once.
pub fn delete(world: &mut World, wish: &Value) -> Told {
    let channel = place(world, wish)?;
    let many = crate::ids::ids_of(&wish["messages"]);
    if many.is_empty() {
        message::delete(world, channel, &[wanted(wish)?], false);
    } else {
        message::delete(world, channel, &many, true);
    }
    Ok(json!({}))
}

/// `{"as", "channel", "message", "emoji"}`; an emoji is a sign or `{"id", "name"}`.
pub fn react(world: &mut World, wish: &Value, on: bool) -> Told {
    let (who, channel, id) = (account(world, wish, "as")?, place(world, wish)?, wanted(wish)?);
    let emoji = match &wish["emoji"] {
        Value::String(sign) => json!({"id": null, "name": sign}),
        custom => custom.clone(),
    };
    let change = if on { message::react } else { message::unreact };
    change(world, who, channel, id, &emoji).map_err(refused)?;
    Ok(json!({}))
}

pub fn typing(world: &mut World, wish: &Value) -> Told {
    let (who, channel) = (account(world, wish, "as")?, place(world, wish)?);
    channels::type_in(world, who, channel);
    Ok(json!({}))
}

/// `{"as", "channel", "name", "message"}`: from a message, or without one; in a forum with `"content"`.
pub fn thread(world: &mut World, wish: &Value) -> Told {
    let (who, channel) = (account(world, wish, "as")?, place(world, wish)?);
    let mut call = Call::with(who, wish.clone());
    call.method = "POST".to_owned();
    call.path = vec!["channels".to_owned(), channel.to_string()];
    if let Some(id) = id_of(&wish["message"]) {
        call.path.extend(["messages".to_owned(), id.to_string()]);
    } else {
        call.body["type"] = json!(wish["type"].as_u64().unwrap_or(11));
        call.body["message"] = json!({"content": wish["content"]});
    }
    call.path.push("threads".to_owned());
    let answer = route(world, &call).map_err(refused)?;
    Ok(answer.body.unwrap_or_default())
}

/// `{"as", "channel", "message", "answer"}`: somebody votes in a poll.
pub fn vote(world: &mut World, wish: &Value) -> Told {
    let (who, channel, id) = (account(world, wish, "as")?, place(world, wish)?, wanted(wish)?);
    let held = world
        .channels
        .get_mut(&channel)
        .and_then(|it| it.messages.get_mut(&id));
    let poll = held
        .and_then(|it| it.poll.as_mut())
        .ok_or("message: there is no poll")?;
    let answer = wish["answer"].as_u64().unwrap_or(1);
    let counts = poll["results"]["answer_counts"]
        .as_array_mut()
        .ok_or("message: a poll without results")?;
    match counts.iter_mut().find(|it| it["id"] == json!(answer)) {
        Some(count) => count["count"] = json!(count["count"].as_u64().unwrap_or(0) + 1),
        None => counts.push(json!({"id": answer, "count": 1, "me_voted": false})),
    }
    let mut told = json!({"user_id": who.to_string(), "channel_id": channel.to_string(), "message_id": id.to_string(),
        "answer_id": answer});
    if let Some(guild) = world.channels[&channel].guild {
        told["guild_id"] = json!(guild.to_string());
    }
    emit(world, Audience::Channel(channel), "MESSAGE_POLL_VOTE_ADD", told);
    Ok(json!({}))
}

/// What somebody's app is set to.
fn locale(wish: &Value) -> String {
    wish["locale"].as_str().unwrap_or("en-US").to_owned()
}

/// `{"as", "application", "channel" | "to", "command", "options": {…} | […], "autocomplete", "locale"}`: a command is used,
/// or its name is still being typed.
pub fn use_command(world: &mut World, wish: &Value) -> Told {
    let (user, application) = (account(world, wish, "as")?, account(world, wish, "application")?);
    let channel = place(world, wish)?;
    let name = text(wish, "command")?;
    let guild = world.channels[&channel].guild;
    let places = [(application, guild), (application, None)];
    let all = places
        .iter()
        .filter_map(|place| world.commands.get(place))
        .flat_map(|it| it.values());
    let command = all.into_iter().find(|it| it["name"] == json!(name)).cloned();
    let command = command.ok_or_else(|| format!("command: {name:?} is not registered"))?;
    let options = match &wish["options"] {
        Value::Object(given) => given
            .iter()
            .map(|(key, value)| option(&command, key, value))
            .collect(),
        Value::Array(_) => wish["options"].clone(),
        _ => json!([]),
    };
    let mut data = json!({"id": command["id"], "name": name, "type": command["type"], "options": options});
    for key in ["resolved", "target_id"] {
        if !wish[key].is_null() {
            data[key] = wish[key].clone();
        }
    }
    let kind = if wish["autocomplete"] == json!(true) { 4 } else { 2 };
    begun(
        world,
        Use {
            kind,
            application,
            user,
            channel,
            data,
            locale: locale(wish),
            on: None,
        },
    )
}

/// One option of a command, of the kind that it was registered with.
fn option(command: &Value, name: &str, value: &Value) -> Value {
    let known = command["options"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|it| it["name"] == json!(name));
    let usual = match value {
        Value::Bool(_) => 5,
        Value::Number(_) => 4,
        _ => 3,
    };
    let kind = known.and_then(|it| it["type"].as_u64()).unwrap_or(usual);
    json!({"name": name, "type": kind, "value": value})
}

/// `{"as", "channel", "message", "custom_id", "values"}`: a button is pressed, or something is chosen.
pub fn press(world: &mut World, wish: &Value) -> Told {
    let (user, channel, id) = (account(world, wish, "as")?, place(world, wish)?, wanted(wish)?);
    let held = world.channels[&channel]
        .messages
        .get(&id)
        .ok_or("message: there is none")?;
    let application = held.author;
    let mut data = json!({"custom_id": text(wish, "custom_id")?, "component_type": 2});
    if wish["values"].is_array() {
        data["component_type"] = json!(3);
        data["values"] = wish["values"].clone();
    }
    begun(
        world,
        Use {
            kind: 3,
            application,
            user,
            channel,
            data,
            locale: locale(wish),
            on: Some(id),
        },
    )
}

/// `{"as", "application", "channel", "custom_id", "fields": {…}}`: a form is sent.
pub fn submit(world: &mut World, wish: &Value) -> Told {
    let (user, application) = (account(world, wish, "as")?, account(world, wish, "application")?);
    let channel = place(world, wish)?;
    let rows = wish["fields"].as_object().into_iter().flatten().map(
        |(name, value)| json!({"type": 1, "components": [{"type": 4, "custom_id": name, "value": value}]}),
    );
    let data = json!({"custom_id": text(wish, "custom_id")?, "components": rows.collect::<Value>()});
    begun(
        world,
        Use {
            kind: 5,
            application,
            user,
            channel,
            data,
            locale: locale(wish),
            on: None,
        },
    )
}

fn begun(world: &mut World, used: Use) -> Told {
    let channel: Id = used.channel;
    let token = interactions::begin(world, used);
    Ok(
        json!({"id": world.interactions[&token].id.to_string(), "token": token, "channel": channel.to_string()}),
    )
}
