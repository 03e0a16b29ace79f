//! A post that was on its way under schema 2 goes on where it was, or ends as one that could not be sent.

use serde_json::{Value, json};

use super::posts;
use crate::outbox::Outbox;
use crate::parcel::{Deliveries, Errand};

/// A state as schema 2 kept it: the first of two pieces is in the room, the second waits for the room's word.
fn kept(rooms: Value) -> Value {
    let delivery = |part: u64| json!({ "id": format!("local-t7-{part}"), "room": "lobby", "turn": 7, "ask": 3, "text": "hi" });
    json!({
        "rooms": rooms,
        "deliveries": {},
        "ambient": { "run": { "turn": 7, "cause": 40, "stage": { "Posting": {
            "draft": {
                "ask": 3, "room": "lobby", "text": "hi hi", "reply_to": null, "media": null, "attachments": [],
            },
            "deliveries": [delivery(1), delivery(2)],
            "sent": ["m9"], "failures": 1, "due": 1_000, "confirming": true,
        } } } },
    })
}

#[test]
fn a_post_on_its_way_is_found_in_the_outbox_of_its_room() {
    let body = posts(kept(json!({ "lobby": { "outbox": {
        "parcels": [], "pace": [], "typing_shown": false,
    } } })));
    let outbox: Outbox = serde_json::from_value(body["rooms"]["lobby"]["outbox"].clone()).expect("an outbox");
    assert_eq!(outbox.errand_of(&"local-t7-2".into()), Some(Errand::Thought));
    let wake = outbox.next_wake().expect("it waits for the room's word");
    assert_eq!(wake.at.0, 1_000);
    let open: Deliveries = serde_json::from_value(body["deliveries"].clone()).expect("a registry");
    assert_eq!(open.room_of(&"local-t7-2".into()), Some(&"lobby".into()));
    assert_eq!(open.room_of(&"local-t7-1".into()), None, "it is there already");
    let stage = &body["ambient"]["run"]["stage"];
    assert_eq!(stage["Posting"]["text"], "hi hi");
}

#[test]
fn a_post_for_a_room_that_is_not_known_leaves_its_draft_and_nothing_on_its_way() {
    let body = posts(kept(json!({})));
    assert_eq!(body["deliveries"], json!({}));
    assert_eq!(body["ambient"]["run"]["stage"]["Posting"]["ask"], 3);
}

#[test]
fn whatever_else_a_run_was_at_stays_as_it_was() {
    for run in [
        Value::Null,
        json!({ "turn": 7, "stage": { "Thinking": { "ask": 3 } } }),
    ] {
        let body = json!({ "rooms": {}, "ambient": { "run": run } });
        assert_eq!(posts(body.clone()), body);
    }
}
