//! The commands of an application, everywhere and in single guilds.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::answer::{Answer, Answered, Call, Failure, done, nothing};
use crate::ids::Id;
use crate::world::{World, access};

const COMMANDS_MAX: usize = 100;

/// Routes under `/applications/{id}`.
pub fn route(world: &mut World, call: &Call, path: &[&str]) -> Answered {
    let Some((application, rest)) = path.split_first() else {
        return Err(Failure::NO_ROUTE);
    };
    let application: Id = application.parse().map_err(|_| Failure::NO_ROUTE)?;
    if application != call.me {
        return Err(Failure::MISSING_ACCESS);
    }
    match rest {
        ["commands", rest @ ..] => commands(world, call, (application, None), rest),
        ["guilds", guild, "commands", rest @ ..] => {
            let guild: Id = guild.parse().map_err(|_| Failure::UNKNOWN_GUILD)?;
            access::guild(world, guild, call.me, 0)?;
            commands(world, call, (application, Some(guild)), rest)
        }
        ["emojis"] => done(json!({"items": []})),
        ["skus" | "entitlements" | "role-connections", ..] => done(json!([])),
        _ => Err(Failure::NO_ROUTE),
    }
}

type Place = (Id, Option<Id>);

fn commands(world: &mut World, call: &Call, place: Place, path: &[&str]) -> Answered {
    let there = world.commands.get(&place).cloned().unwrap_or_default();
    match (call.method.as_str(), path) {
        ("GET", []) => done(there.into_values().collect()),
        ("PUT", []) => overwrite(world, call, place, &there),
        ("POST", []) => {
            let known = known(&there, &call.body);
            let command = read(world, &call.body, place, known)?;
            let status = if known.is_some() { 200 } else { 201 };
            keep(world, place, command.clone());
            Ok(Answer {
                status,
                body: Some(command),
            })
        }
        ("GET", ["permissions"]) => done(json!([])),
        (_, [_, "permissions"]) => Err(Failure::UNKNOWN_COMMAND),
        (method, [id]) => {
            let id: Id = id.parse().map_err(|_| Failure::UNKNOWN_COMMAND)?;
            let mut command = there.get(&id).ok_or(Failure::UNKNOWN_COMMAND)?.clone();
            match method {
                "GET" => done(command),
                "PATCH" => {
                    for (key, value) in call.body.as_object().into_iter().flatten() {
                        command[key] = value.clone();
                    }
                    let command = read(world, &command, place, Some(id))?;
                    keep(world, place, command.clone());
                    done(command)
                }
                "DELETE" => {
                    if let Some(held) = world.commands.get_mut(&place) {
                        held.remove(&id);
                    }
                    nothing()
                }
                _ => Err(Failure::NO_METHOD),
            }
        }
        _ => Err(Failure::NO_ROUTE),
    }
}

/// All commands of a place at once; those that keep their name keep their id.
fn overwrite(world: &mut World, call: &Call, place: Place, there: &BTreeMap<Id, Value>) -> Answered {
    let wanted = call.body.as_array().cloned().unwrap_or_default();
    if wanted.len() > COMMANDS_MAX {
        return Err(Failure::form(
            "_errors",
            "APPLICATION_COMMANDS_TOO_MANY",
            "Too many application commands.",
        ));
    }
    let mut made = BTreeMap::new();
    for wish in &wanted {
        let command = read(world, wish, place, known(there, wish))?;
        made.insert(
            command["id"].as_str().and_then(|id| id.parse().ok()).unwrap_or(0),
            command,
        );
    }
    world.commands.insert(place, made.clone());
    done(made.into_values().collect())
}

fn keep(world: &mut World, place: Place, command: Value) {
    let id = command["id"].as_str().and_then(|id| id.parse().ok()).unwrap_or(0);
    world.commands.entry(place).or_default().insert(id, command);
}

/// The id of the command that has this name and kind already.
fn known(there: &BTreeMap<Id, Value>, wish: &Value) -> Option<Id> {
    let kind = wish["type"].as_u64().unwrap_or(1);
    let same = |it: &&(&Id, &Value)| it.1["name"] == wish["name"] && it.1["type"] == json!(kind);
    there
        .iter()
        .collect::<Vec<_>>()
        .iter()
        .find(same)
        .map(|(id, _)| **id)
}

fn read(world: &mut World, wish: &Value, place: Place, id: Option<Id>) -> Result<Value, Failure> {
    let kind = wish["type"].as_u64().unwrap_or(1);
    let name = wish["name"].as_str().unwrap_or_default();
    let plain = |letter: char| letter.is_alphanumeric() && !letter.is_uppercase() || "-_".contains(letter);
    let fits = (1..=32).contains(&name.chars().count()) && (kind != 1 || name.chars().all(plain));
    if !fits {
        return Err(Failure::form(
            "name",
            "APPLICATION_COMMAND_INVALID_NAME",
            "Command name is invalid",
        ));
    }
    let description = wish["description"].as_str().unwrap_or_default();
    if kind == 1 && !(1..=100).contains(&description.chars().count()) {
        return Err(Failure::form(
            "description",
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 1 and 100 in length.",
        ));
    }
    let id = id.unwrap_or_else(|| world.ids.fresh());
    let or = |key: &str, usual: Value| wish.get(key).cloned().unwrap_or(usual);
    let mut made = json!({"id": id.to_string(), "application_id": place.0.to_string(), "version": world.ids.fresh().to_string(),
        "type": kind, "name": name, "description": description, "options": or("options", json!([])),
        "name_localizations": or("name_localizations", Value::Null),
        "description_localizations": or("description_localizations", Value::Null),
        "default_member_permissions": or("default_member_permissions", Value::Null), "dm_permission": or("dm_permission", json!(true)),
        "contexts": or("contexts", Value::Null), "integration_types": or("integration_types", json!([0])), "nsfw": or("nsfw", json!(false))});
    if let Some(guild) = place.1 {
        made["guild_id"] = json!(guild.to_string());
    }
    Ok(made)
}
