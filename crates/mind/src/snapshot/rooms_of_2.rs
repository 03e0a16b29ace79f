//! Rooms as schema 2 kept them: one type, whose replies kept the deadlines of what they had asked. Schema 3 has parts,
//! one registry of everything that is under way, and promises to forget that outlive their room.

use serde_json::{Map, Value, json};

/// A state of schema 2 whose rooms are as schema 3 keeps them.
pub(super) fn taken_apart(mut state: Value) -> Value {
    let (mut asks, mut recalls, mut promises) = (Vec::new(), Vec::new(), Vec::new());
    let rooms = state.get_mut("rooms").and_then(Value::as_object_mut);
    for (id, room) in rooms.into_iter().flatten() {
        let Some(room) = room.as_object_mut().filter(|room| !room.contains_key("replies")) else {
            continue;
        };
        if let Some(turn) = room.get_mut("turn").filter(|turn| turn.is_object()) {
            asks.extend(under_way(id, turn));
            recalls.extend(looked_up(id, turn));
        }
        let forgetting = room.remove("forgetting").unwrap_or_default();
        let forgetting = forgetting.as_array().cloned().unwrap_or_default();
        promises.extend(
            forgetting
                .into_iter()
                .map(|what| json!({ "what": what, "askedIn": id })),
        );
        compose(room);
    }
    let flights = [("asks", asks), ("lookUps", recalls)];
    for (list, added) in flights.into_iter().filter(|(_, added)| !added.is_empty()) {
        let Some(flights) = state.get_mut("flights").and_then(Value::as_object_mut) else {
            break;
        };
        let list = flights.entry(list).or_insert(Value::Null);
        let mut all = list.as_array().cloned().unwrap_or_default();
        all.extend(added);
        // Recalls come before everything else that is looked up, and what was there was in order.
        all.sort_by_key(|flight| {
            let recall = flight["look_up"]["recall"].as_u64();
            flight["ask"].as_u64().or(recall).unwrap_or(u64::MAX)
        });
        *list = Value::Array(all);
    }
    if let Some(parts) = state.as_object_mut() {
        parts.entry("promises").or_insert(Value::Array(promises));
    }
    state
}

fn compose(room: &mut Map<String, Value>) {
    let mut take = |name: &str| room.remove(name).unwrap_or_default();
    let queue = json!({ "bursts": take("bursts"), "delayNoted": take("delay_noted") });
    let replies = json!({ "queue": queue, "turn": take("turn") });
    let typing = take("typing");
    let renamed = [
        ("log", take("compaction")),
        ("people", take("conversation")),
        ("sessionsEnded", take("sessions_ended")),
        ("replies", replies),
    ];
    let watch = room.get_mut("watch").and_then(Value::as_object_mut);
    let last_heard = watch.and_then(|watch| watch.remove("lastHeard"));
    room.insert(
        "floor".to_owned(),
        json!({ "typing": typing, "lastHeard": last_heard }),
    );
    for (name, part) in renamed.into_iter().filter(|(_, part)| !part.is_null()) {
        room.insert(name.to_owned(), part);
    }
}

/// The question to a model that a turn waited for.
fn under_way(room: &str, turn: &mut Value) -> Option<Value> {
    let scope = scope(room, turn);
    let launched = turn["opened_at"].clone();
    let stage = turn.get_mut("stage")?.as_object_mut()?;
    let (name, asking) = stage.iter_mut().next()?;
    let classifies = name == "Classifying";
    let asking = asking.as_object_mut()?;
    let (ask, deadline) = (asking.get("ask")?.clone(), asking.remove("deadline")?);
    let purpose = match asking.remove("purpose") {
        None if classifies => json!("address_classifier"),
        purpose => purpose?,
    };
    Some(json!({
        "ask": ask,
        "owner": { "replies": room },
        "purpose": purpose,
        "launched": launched,
        "deadline": deadline,
        "scope": scope,
    }))
}

/// The recall that a turn waited for.
fn looked_up(room: &str, turn: &mut Value) -> Option<Value> {
    let recalling = turn.get_mut("stage")?.get_mut("Recalling")?.as_object_mut()?;
    let deadline = recalling.remove("deadline")?;
    Some(json!({
        "look_up": { "recall": recalling.get("recall")? },
        "owner": { "replies": room },
        "deadline": deadline,
    }))
}

fn scope(room: &str, turn: &Value) -> Value {
    let triggers = turn["burst"]["triggers"].as_array();
    let messages: Vec<&Value> = triggers
        .into_iter()
        .flatten()
        .map(|trigger| &trigger["message"])
        .collect();
    json!({ "room": room, "turn": turn["id"], "cause": turn["cause"], "messages": messages })
}

#[cfg(test)]
mod rooms_of_2_tests {
    use super::*;

    fn state(stage: &Value) -> Value {
        json!({
            "flights": { "asks": [{ "ask": 3 }, { "ask": 9 }], "lookUps": [{ "look_up": { "tool": 1 } }] },
            "rooms": { "lounge": {
                "id": "lounge", "compaction": { "room": "lounge" }, "conversation": { "line": 4 },
                "typing": { "alice": { "typing": true, "at": 5 } }, "bursts": [{ "author": "bob" }],
                "delay_noted": true, "sessions_ended": 2, "forgetting": [{ "session": "s" }],
                "watch": { "lastHeard": 77 },
                "turn": {
                    "id": 7, "cause": 40, "opened_at": 6, "stage": stage,
                    "burst": { "triggers": [{ "message": "m1" }] },
                },
            } },
        })
    }

    #[test]
    fn what_a_reply_asked_is_found_in_the_registry_in_its_place() {
        let asking = json!({ "Asking": { "ask": 5, "purpose": "text_reply", "deadline": 900, "draft": {} } });
        let state = taken_apart(state(&asking));
        let asks: Vec<u64> = state["flights"]["asks"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|flight| flight["ask"].as_u64())
            .collect();
        assert_eq!(asks, [3, 5, 9]);
        let flight = &state["flights"]["asks"][1];
        assert_eq!(flight["owner"], json!({ "replies": "lounge" }));
        assert_eq!(flight["deadline"], 900);
        assert_eq!(flight["purpose"], "text_reply");
        assert_eq!(flight["scope"]["messages"], json!(["m1"]));
        let stage = &state["rooms"]["lounge"]["replies"]["turn"]["stage"];
        assert_eq!(*stage, json!({ "Asking": { "ask": 5, "draft": {} } }));
    }

    #[test]
    fn a_classifier_and_a_recall_are_found_too() {
        let classifying = json!({ "Classifying": { "ask": 5, "deadline": 900 } });
        let found = taken_apart(state(&classifying));
        assert_eq!(found["flights"]["asks"][1]["purpose"], "address_classifier");
        let recalling = json!({ "Recalling": { "recall": 8, "started": 6, "deadline": 12 } });
        let found = taken_apart(state(&recalling));
        let look_ups = &found["flights"]["lookUps"];
        assert_eq!(look_ups[0]["look_up"], json!({ "recall": 8 }));
        assert_eq!(look_ups[1]["look_up"], json!({ "tool": 1 }));
    }

    #[test]
    fn parts_stand_where_they_belong_and_promises_outlive_the_room() {
        let state = taken_apart(state(&json!({ "Delivering": {} })));
        let room = &state["rooms"]["lounge"];
        assert_eq!(room["log"], json!({ "room": "lounge" }));
        assert_eq!(room["people"], json!({ "line": 4 }));
        assert_eq!(room["sessionsEnded"], 2);
        assert_eq!(room["floor"]["lastHeard"], 77);
        assert_eq!(room["floor"]["typing"]["alice"]["at"], 5);
        assert_eq!(room["replies"]["queue"]["delayNoted"], true);
        assert_eq!(room["replies"]["queue"]["bursts"], json!([{ "author": "bob" }]));
        let promise = json!({ "what": { "session": "s" }, "askedIn": "lounge" });
        assert_eq!(state["promises"], json!([promise]));
    }
}
