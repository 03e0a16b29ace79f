use serde_json::{Value, json};

use super::from_v1;

fn message(id: &str) -> Value {
    json!({"id": id, "room": "lounge", "author": {"id": "bob", "name": "Bob", "kind": "person"}, "text": id, "at": 1})
}

fn turn(seq: u64, id: &str) -> Value {
    json!({"seq": seq, "speaker": "Bob", "at": 1, "modality": "typed", "text": id, "message": id})
}

#[test]
fn two_lists_become_one_and_turns_keep_their_numbers() {
    let body = json!({"rooms": {"lounge": {
        "id": "lounge",
        "history": [message("m8"), message("m9"), message("m11"), message("m12")],
        "session": {
            "timeline": {"next": 13, "turns": [turn(10, "m10"), turn(11, "m11"), turn(12, "m12")]},
            "compaction": {"cursor": 10, "summary": "Bob spoke.", "run": {"ask": 4}}
        }
    }}});
    let room = &from_v1(body)["rooms"]["lounge"];
    let said = room["compaction"]["log"]["said"].as_array().unwrap();
    let order: Vec<(u64, &str)> = said
        .iter()
        .map(|said| {
            (
                said["seq"].as_u64().unwrap(),
                said["message"]["id"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        order,
        [(8, "m8"), (9, "m9"), (10, "m10"), (11, "m11"), (12, "m12")]
    );
    assert_eq!(said[2]["message"]["author"]["id"], "", "its author was not kept");
    assert_eq!(said[3]["message"]["author"]["id"], "bob");
    let compaction = &room["compaction"];
    assert_eq!(
        (&compaction["log"]["next"], &compaction["log"]["cursor"]),
        (&json!(13), &json!(10))
    );
    assert_eq!(
        (&compaction["summary"], &compaction["run"]),
        (&json!("Bob spoke."), &Value::Null)
    );
    assert!(room.get("history").is_none() && room.get("session").is_none());
}

#[test]
fn a_room_that_has_a_log_is_left_alone() {
    let body = json!({"rooms": {"lounge": {"compaction": {"log": {"next": 3}}}}});
    assert_eq!(from_v1(body.clone()), body);
}

#[test]
fn a_damaged_room_breaks_nobody() {
    for session in [json!("torn"), json!([1]), json!(7), json!({ "timeline": "torn" })] {
        let state = json!({ "rooms": { "lounge": { "session": session } } });
        let migrated = from_v1(state);
        assert_eq!(migrated["rooms"]["lounge"]["compaction"]["room"], "lounge");
    }
}
