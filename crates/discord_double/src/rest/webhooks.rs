//! Webhooks of channels; those of interactions go on to theirs.

use serde_json::{Value, json};

use super::answer::{Answered, Call, Failure, done, nothing};
use super::{interactions, messages};
use crate::ids::Id;
use crate::world::access::{self, MANAGE_WEBHOOKS};
use crate::world::{Webhook, World, message, render};

/// Routes under `/webhooks`.
pub fn route(world: &mut World, call: &Call, path: &[&str]) -> Answered {
    let [id, rest @ ..] = path else {
        return Err(Failure::NO_ROUTE);
    };
    if let [token, rest @ ..] = rest
        && token.starts_with("interaction-")
    {
        return interactions::after(world, call, token, rest);
    }
    let id: Id = id.parse().map_err(|_| Failure::UNKNOWN_WEBHOOK)?;
    let hook = world.webhooks.get(&id).ok_or(Failure::UNKNOWN_WEBHOOK)?.clone();
    if rest.first().is_some_and(|token| *token != hook.token) {
        return Err(Failure::UNKNOWN_WEBHOOK);
    }
    if rest.is_empty() {
        access::channel(world, hook.channel, call.me, MANAGE_WEBHOOKS)?;
    }
    match (call.method.as_str(), rest) {
        ("GET", [] | [_]) => done(written(world, &hook)),
        ("DELETE", [] | [_]) => {
            world.webhooks.remove(&id);
            nothing()
        }
        ("POST", [_]) => {
            let posted = post(world, call, &hook)?;
            if call.wants("wait") {
                messages::show(world, call, hook.channel, posted)
            } else {
                nothing()
            }
        }
        ("PATCH", [_, "messages", message]) => {
            let message = messages::known(message)?;
            message::rewrite(world, call, hook.channel, message)?;
            messages::show(world, call, hook.channel, message)
        }
        ("GET", [_, "messages", message]) => {
            messages::show(world, call, hook.channel, messages::known(message)?)
        }
        ("DELETE", [_, "messages", message]) => {
            message::delete(world, hook.channel, &[messages::known(message)?], false);
            nothing()
        }
        _ => Err(Failure::NO_ROUTE),
    }
}

/// Posts through a webhook.
pub fn post(world: &mut World, call: &Call, hook: &Webhook) -> Result<Id, Failure> {
    let mut message = message::draft(world, call, hook.id, hook.channel)?;
    let name = call.body["username"].as_str().unwrap_or(&hook.name).to_owned();
    message.webhook = Some((hook.id, name));
    Ok(message::place(world, message))
}

/// Makes a webhook.
pub fn make(world: &mut World, channel: Id, name: &str, maker: Id) -> Webhook {
    let id = world.ids.fresh();
    let hook = Webhook {
        id,
        channel,
        name: name.to_owned(),
        token: format!("webhook-{id}"),
        maker,
    };
    world.webhooks.insert(id, hook.clone());
    hook
}

pub fn written(world: &World, hook: &Webhook) -> Value {
    let guild = world
        .channels
        .get(&hook.channel)
        .and_then(|it| it.guild)
        .map(|it| it.to_string());
    json!({"id": hook.id.to_string(), "type": 1, "name": hook.name, "avatar": null, "token": hook.token, "guild_id": guild,
        "channel_id": hook.channel.to_string(), "application_id": null, "user": render::user_by_id(world, hook.maker),
        "url": format!("http://{}/api/webhooks/{}/{}", world.address, hook.id, hook.token)})
}

pub fn of_channel(world: &mut World, call: &Call, channel: Id) -> Answered {
    access::channel(world, channel, call.me, MANAGE_WEBHOOKS)?;
    if call.method == "POST" {
        let name = call.body["name"].as_str().unwrap_or("webhook").to_owned();
        let hook = make(world, channel, &name, call.me);
        return done(written(world, &hook));
    }
    done(
        world
            .webhooks
            .values()
            .filter(|it| it.channel == channel)
            .map(|it| written(world, it))
            .collect(),
    )
}

pub fn of_guild(world: &World, call: &Call, guild: Id) -> Answered {
    let found = access::guild(world, guild, call.me, MANAGE_WEBHOOKS)?;
    let here = world
        .webhooks
        .values()
        .filter(|it| found.channels.contains(&it.channel));
    done(here.map(|it| written(world, it)).collect())
}
