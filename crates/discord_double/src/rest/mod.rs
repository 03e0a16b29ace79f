//! REST: one door for every request, where faults, tokens and limits are looked at, and the routes behind it.

pub mod answer;
mod applications;
pub mod channels;
pub mod door;
pub mod files;
pub mod guilds;
pub mod interactions;
pub mod members;
mod messages;
mod reactions;
pub mod threads;
mod users;
pub mod webhooks;

use crate::world::World;
use answer::{Answered, Call, Failure, done};
use serde_json::json;

/// Does what a request asks.
pub fn route(world: &mut World, call: &Call) -> Answered {
    let path: Vec<&str> = call.path.iter().map(String::as_str).collect();
    match path.as_slice() {
        ["gateway"] => done(json!({"url": format!("ws://{}", world.address)})),
        ["gateway", "bot"] => done(gateway(world, call)),
        ["users", rest @ ..] => users::route(world, call, rest),
        ["oauth2", "applications", "@me"] | ["applications", "@me"] => {
            done(crate::world::render::application(world, call.me))
        }
        ["oauth2", "@me"] => done(
            json!({"application": crate::world::render::application(world, call.me),
            "scopes": ["bot"], "expires": "2100-01-01T00:00:00+00:00", "user": crate::world::render::user_by_id(world, call.me)}),
        ),
        ["applications", _, "commands", ..] if world.variants.no_commands => Err(Failure::INVALID_FORM),
        ["applications", rest @ ..] => applications::route(world, call, rest),
        ["channels", rest @ ..] => channels::route(world, call, rest),
        ["guilds", rest @ ..] => guilds::route(world, call, rest),
        ["interactions", id, token, "callback"] => interactions::callback(world, call, id, token),
        ["webhooks", rest @ ..] => webhooks::route(world, call, rest),
        ["sticker-packs"] => done(json!({"sticker_packs": []})),
        ["soundboard-default-sounds"] => done(json!([])),
        ["voice", "regions"] => done(
            json!([{"id": "local", "name": "Local", "optimal": true, "deprecated": false,
            "custom": false}]),
        ),
        _ => Err(Failure::NO_ROUTE),
    }
}

fn gateway(world: &World, call: &Call) -> serde_json::Value {
    let hub = &world.hub;
    if world.variants.gateway_bare {
        return json!({"url": format!("ws://{}", world.address)});
    }
    let left = hub
        .starts_left
        .get(&call.me)
        .copied()
        .unwrap_or(crate::gateway::hub::STARTS);
    json!({"url": format!("ws://{}", world.address), "shards": hub.shards,
        "session_start_limit": {"total": crate::gateway::hub::STARTS, "remaining": left, "reset_after": 86_400_000,
            "max_concurrency": hub.max_concurrency}})
}
