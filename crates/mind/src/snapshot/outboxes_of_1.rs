//! What was on its way into a room under schema 1, where replies and comments each had a machine of their own.

use serde_json::{Map, Value, json};

use super::migrations::taken;

/// Puts what was on its way into the outboxes of its rooms; anything else stays as it is.
pub(super) fn outboxes(mut body: Value) -> Value {
    let mut open = Map::new();
    if let Some(rooms) = body.get_mut("rooms").and_then(Value::as_object_mut) {
        for room in rooms.values_mut().filter_map(Value::as_object_mut) {
            if let Some(pace) = room.remove("pace") {
                let outbox = outbox(room, pace, &mut open);
                room.insert("outbox".to_owned(), outbox);
            }
        }
    }
    if let Some(body) = body.as_object_mut()
        && !body.contains_key("deliveries")
    {
        body.insert("deliveries".to_owned(), Value::Object(open));
    }
    body
}

fn outbox(room: &mut Map<String, Value>, pace: Value, open: &mut Map<String, Value>) -> Value {
    let mut parcels = Vec::new();
    let typing = room.get("turn").is_some_and(|turn| turn["typing_shown"] == true);
    if let Some(turn) = room.get_mut("turn").filter(|turn| !turn.is_null()) {
        parcels.extend(reply(turn));
    }
    if let Some(speaking) = room
        .get_mut("watch")
        .and_then(|watch| watch.pointer_mut("/commentary/speaking"))
        .filter(|speaking| !speaking.is_null())
    {
        let delivery = taken(speaking, "delivery");
        let (turn, ask) = (delivery["turn"].clone(), delivery["ask"].clone());
        parcels.push(json!({
            "errand": "comment",
            "scope": { "room": delivery["room"], "turn": turn, "cause": speaking["cause"] },
            "deliveries": [delivery],
            "sent": [],
            "failures": 0,
            "wait": { "Confirmation": speaking["deadline"] },
        }));
        *speaking = json!({
            "ask": ask, "turn": turn, "frame": speaking["frame"], "cause": speaking["cause"],
        });
    }
    for parcel in &parcels {
        let next = parcel["sent"].as_array().map_or(0, Vec::len);
        let delivery = &parcel["deliveries"][next];
        if let Some(id) = delivery["id"].as_str() {
            open.insert(id.to_owned(), delivery["room"].clone());
        }
    }
    json!({ "parcels": parcels, "pace": pace, "typing_shown": typing })
}

/// The reply that a turn was sending. Which messages its first pieces became is not known; their ids stand for them.
fn reply(turn: &mut Value) -> Option<Value> {
    let stage = turn.pointer_mut("/stage/Delivering")?;
    let sending = std::mem::replace(stage, json!({}));
    let next = usize::try_from(sending["next"].as_u64()?).ok()?;
    let deliveries = sending["deliveries"].as_array()?;
    let sent: Vec<&Value> = deliveries.iter().take(next).map(|piece| &piece["id"]).collect();
    let triggers = turn["burst"]["triggers"].as_array();
    let messages: Vec<&Value> = triggers
        .into_iter()
        .flatten()
        .map(|trigger| &trigger["message"])
        .collect();
    Some(json!({
        "errand": "reply",
        "scope": {
            "room": deliveries.first()?["room"],
            "turn": turn["id"],
            "cause": turn["cause"],
            "messages": messages,
        },
        "deliveries": deliveries,
        "sent": sent,
        "failures": sending["failures"],
        "wait": sending["wait"],
    }))
}

#[cfg(test)]
#[path = "outboxes_of_1_tests.rs"]
mod outboxes_of_1_tests;
