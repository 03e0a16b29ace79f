//! The two lists of schema 1, what was said lately and the time line, made one log. How is told in [`crate::log`].

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::migrations::taken;

/// A state of schema 1 with a log in each of its rooms.
pub(super) fn from_v1(mut body: Value) -> Value {
    let rooms = body.get_mut("rooms").and_then(Value::as_object_mut);
    for (id, room) in rooms.into_iter().flatten() {
        if let Some(room) = room.as_object_mut()
            && !room.contains_key("compaction")
        {
            let compaction = compaction(id, room);
            room.insert("compaction".to_owned(), compaction);
        }
    }
    body
}

/// Takes both lists and what stood beside them out of a room; what it has in their place.
fn compaction(id: &str, room: &mut Map<String, Value>) -> Value {
    let history = list(room.remove("history"));
    let mut session = room.remove("session").unwrap_or_default();
    let mut timeline = taken(&mut session, "timeline");
    let mut compaction = match taken(&mut session, "compaction") {
        Value::Object(compaction) => compaction,
        _ => Map::new(),
    };
    let cursor = number(&compaction.remove("cursor").unwrap_or_default());
    let next = number(&timeline["next"]).max(cursor);
    let said = said(id, history, list(Some(taken(&mut timeline, "turns"))), next);
    compaction.insert("room".to_owned(), json!(id));
    compaction.insert(
        "log".to_owned(),
        json!({"next": next, "cursor": cursor, "said": said}),
    );
    // It was asked by another machine, and is lost with the process that asked it; what it was to fold is still there.
    compaction.insert("run".to_owned(), Value::Null);
    for (name, empty) in [
        ("summary", json!("")),
        ("failures", json!(0)),
        ("finished", json!([])),
    ] {
        compaction.entry(name).or_insert(empty);
    }
    compaction
        .entry("notes")
        .or_insert_with(|| json!({"next": 0, "notes": []}));
    Value::Object(compaction)
}

/// Every message and turn with its number, in order.
fn said(room: &str, history: Vec<Value>, turns: Vec<Value>, next: u64) -> Vec<Value> {
    let mut numbered: BTreeMap<u64, Value> = BTreeMap::new();
    let mut numbers: BTreeMap<String, u64> = BTreeMap::new();
    for turn in turns {
        let seq = number(&turn["seq"]);
        if let Some(message) = turn["message"].as_str() {
            numbers.insert(message.to_owned(), seq);
        }
        numbered.insert(seq, as_message(room, seq, &turn));
    }
    // From the newest on: what is no turn stands before the turn after it, as look-back.
    let mut before = numbered.keys().next().copied().unwrap_or(next);
    for message in history.into_iter().rev() {
        match message["id"].as_str().and_then(|id| numbers.get(id)) {
            Some(seq) => {
                numbered.insert(*seq, message);
            }
            None if before > 0 => {
                before -= 1;
                numbered.insert(before, message);
            }
            None => {}
        }
    }
    let said = numbered.into_iter();
    said.map(|(seq, message)| json!({"seq": seq, "message": message}))
        .collect()
}

/// A turn whose message was not kept: nothing but the name tells who said it.
fn as_message(room: &str, seq: u64, turn: &Value) -> Value {
    let id = turn["message"]
        .as_str()
        .map_or_else(|| format!("turn-{seq}"), str::to_owned);
    json!({
        "id": id,
        "room": room,
        "author": {"id": "", "name": turn["speaker"], "kind": "person"},
        "text": turn["text"],
        "at": turn["at"],
        "spoken": turn["modality"] == "spoken",
    })
}

fn list(value: Option<Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

#[cfg(test)]
#[path = "logs_v1_tests.rs"]
mod tests;
