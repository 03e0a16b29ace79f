//! Things go wrong, as they do.

use serde_json::{Value, json};

use super::malformed;
use super::{Told, text};
use crate::faults;
use crate::gateway::hub::{Session, Wire};
use crate::gateway::voice;
use crate::ids::now;
use crate::world::World;

/// `{"kind", …}`: see README.md. Those of the gateway meet every session, or those of one `user`.
pub fn fault(world: &mut World, wish: &Value) -> Told {
    let kind = text(wish, "kind")?;
    match kind {
        "invalid_session" | "reconnect" | "zombie" | "drop" | "close" | "malformed" | "hush" => {
            at_gateway(world, wish, kind)
        }
        "down" => {
            world.faults.down_until = now() + wish["ms"].as_u64().unwrap_or(1000);
            for session in world.hub.sessions.values_mut() {
                cut(session);
            }
            Ok(json!({}))
        }
        _ if kind.starts_with("voice_") => in_voice(world, wish, kind),
        _ => {
            let fault = faults::read(wish)?;
            world.faults.waiting.push(fault);
            Ok(json!({}))
        }
    }
}

fn cut(session: &mut Session) {
    if let Some((_, wire)) = session.wire.take() {
        let _ = wire.send(Wire::Drop);
    }
}

fn at_gateway(world: &mut World, wish: &Value, kind: &str) -> Told {
    let user = wish["user"]
        .as_str()
        .and_then(|name| world.by_name.get(name).copied());
    if wish["user"].is_string() && user.is_none() {
        return Err(format!("user: there is no {}", wish["user"]));
    }
    let meant = |it: &&Session| user.is_none_or(|user| it.user == user) && it.wire.is_some();
    let ids: Vec<String> = world
        .hub
        .sessions
        .values()
        .filter(meant)
        .map(|it| it.id.clone())
        .collect();
    let keep = world.hub.replayable;
    for id in &ids {
        let Some(session) = world.hub.sessions.get_mut(id) else {
            continue;
        };
        match kind {
            "invalid_session" => {
                let resumable = wish["resumable"].as_bool().unwrap_or(false);
                session.send(Wire::Text(
                    json!({"op": 9, "d": resumable, "s": null, "t": null}).to_string(),
                ));
                if !resumable {
                    world.hub.sessions.remove(id);
                }
            }
            "reconnect" => session.send(Wire::Text(
                json!({"op": 7, "d": null, "s": null, "t": null}).to_string(),
            )),
            "zombie" => session.zombie = true,
            "drop" => cut(session),
            "close" => {
                let code = wish["code"]
                    .as_u64()
                    .and_then(|code| u16::try_from(code).ok())
                    .unwrap_or(4000);
                session.send(Wire::Close(code, "On demand.".to_owned()));
                session.wire = None;
                if wish["forget"]
                    .as_bool()
                    .unwrap_or(matches!(code, 4004 | 4007 | 4009..=4014))
                {
                    world.hub.sessions.remove(id);
                }
            }
            // What was sent is no longer kept: a resume is refused.
            "hush" => session.sent.clear(),
            _ => malformed::send(session, text(wish, "which")?, keep)?,
        }
    }
    Ok(json!({"sessions": ids.len()}))
}

/// Of calls: for everybody in one, or one `user`.
fn in_voice(world: &mut World, wish: &Value, kind: &str) -> Told {
    let number = |key: &str, usual: u64| wish[key].as_u64().unwrap_or(usual);
    let user = wish["user"]
        .as_str()
        .and_then(|name| world.by_name.get(name).copied());
    let calls = &mut world.calls;
    let talkers = calls
        .talkers
        .values()
        .filter(|it| user.is_none_or(|user| it.user == user));
    match kind {
        "voice_loss" => calls.loss = number("percent", 10),
        "voice_garble" => calls.garbled = number("times", 10),
        "voice_rekey" => calls.regroup(true),
        "voice_open" => calls.regroup(false),
        "voice_drop" => talkers.for_each(|it| it.send(Wire::Drop)),
        "voice_close" => {
            let code = u16::try_from(number("code", 4015)).map_err(|_| "code: no close code")?;
            talkers.for_each(|it| it.send(Wire::Close(code, "On demand.".to_owned())));
        }
        "voice_region" => {
            calls.endpoints.rotate_left(1);
            let endpoint = calls.endpoints.first().cloned();
            voice::move_server(world, endpoint);
        }
        _ => {
            return Err(format!(
                "kind: {kind:?} is no fault of calls; README.md lists them"
            ));
        }
    }
    Ok(json!({}))
}

/// Ends every fault that still waits, variants and outages of the whole.
pub fn mend(world: &mut World) -> Told {
    world.faults.waiting.clear();
    world.faults.down_until = 0;
    (world.calls.loss, world.calls.garbled) = (0, 0);
    world.variants = crate::variants::Variants::default();
    Ok(json!({}))
}

/// `{"heartbeat_interval", "shards", "max_concurrency", "identify_spacing", "replayable", "starts_left"}`.
pub fn gateway(world: &mut World, wish: &Value) -> Told {
    let hub = &mut world.hub;
    let number = |key: &str, now: u64| wish[key].as_u64().unwrap_or(now);
    hub.heartbeat_interval = number("heartbeat_interval", hub.heartbeat_interval);
    hub.shards = number("shards", hub.shards);
    hub.max_concurrency = number("max_concurrency", hub.max_concurrency);
    hub.identify_spacing = number("identify_spacing", hub.identify_spacing);
    let replayable = number("replayable", hub.replayable as u64);
    hub.replayable = usize::try_from(replayable).unwrap_or(usize::MAX);
    if let Some(left) = wish["starts_left"].as_u64() {
        hub.starts_left = world.accounts.keys().map(|id| (*id, left)).collect();
    }
    Ok(json!({}))
}

/// `{"token", "again"}`: a token is no longer good, or good again.
pub fn revoke(world: &mut World, wish: &Value) -> Told {
    let token = text(wish, "token")?.to_owned();
    world.revoked.retain(|it| *it != token);
    if wish["again"] != json!(true) {
        world.revoked.push(token);
    }
    Ok(json!({}))
}
