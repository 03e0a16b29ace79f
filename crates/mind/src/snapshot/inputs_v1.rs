//! Inputs as schema 1 recorded them: one flat list of kinds, each with its room among its fields.

use serde_json::{Map, Value, json};

/// What happened in a room; the room was a field.
const ROOM: &str = " message_edited message_deleted typing_changed reaction_changed note_taken frame_arrived share_ended \
    watch_chosen frame_refused session_ended ";
/// What names its room itself, and still does.
const NAMES_ITS_ROOM: &str = " message_arrived share_started ";
/// The other groups, and what is in each.
const GROUPS: [(&str, &str); 4] = [
    (
        "answer",
        " message_sent send_failed ask_progressed ask_ended recalled tool_ended surroundings_gathered media_ended gems_stored ",
    ),
    (
        "memory",
        " turns_buffered context_used conversation_ended forgotten ",
    ),
    ("operator", " think_now thought_dropped source_dropped "),
    (
        "shell",
        " capabilities_changed request_refused settings_changed wake_reached restarted shutdown_requested ",
    ),
];

/// An input of schema 1 as schema 2 records it; anything else stays as it is.
pub fn from_v1(input: Value) -> Value {
    let (kind, body) = match input {
        Value::String(kind) => (kind, None),
        Value::Object(fields) if fields.len() == 1 => match fields.into_iter().next() {
            Some((kind, body)) => (kind, Some(body)),
            None => return Value::Object(Map::new()),
        },
        other => return other,
    };
    let known = |kinds: &str| kinds.contains(&format!(" {kind} "));
    if known(NAMES_ITS_ROOM) {
        let room = body.as_ref().map_or(Value::Null, |body| body["room"].clone());
        return json!({ "room": [room, { kind: body }] });
    }
    if known(ROOM) {
        let Some(Value::Object(mut fields)) = body else {
            return tagged(&kind, body);
        };
        let room = fields.remove("room").unwrap_or(Value::Null);
        let event = match fields.is_empty() {
            true => Value::String(kind),
            false => json!({ kind: fields }),
        };
        return json!({ "room": [room, event] });
    }
    match GROUPS.iter().find(|(_, kinds)| known(kinds)) {
        Some((group, _)) => json!({ *group: tagged(&kind, body) }),
        None => tagged(&kind, body),
    }
}

/// A variant as serde writes it: its name alone, or its name with what it holds.
fn tagged(kind: &str, body: Option<Value>) -> Value {
    match body {
        Some(body) => json!({ kind: body }),
        None => Value::String(kind.to_owned()),
    }
}

#[cfg(test)]
#[path = "inputs_v1_tests.rs"]
mod inputs_v1_tests;
