use super::*;
use crate::outbox::Outbox;
use crate::parcel::{Deliveries, Errand};

#[test]
fn a_reply_and_a_comment_on_their_way_are_found_in_the_outbox() {
    let delivery =
        |id: &str, turn: u64| json!({ "id": id, "room": "lounge", "turn": turn, "ask": 3, "text": "hi" });
    let body = json!({ "rooms": { "lounge": {
        "pace": [5],
        "turn": {
            "id": 7, "cause": 40, "typing_shown": true,
            "burst": { "triggers": [{ "message": "m1" }] },
            "stage": { "Delivering": {
                "deliveries": [delivery("a-1", 7), delivery("a-2", 7)],
                "next": 1, "failures": 2, "wait": { "Sending": 900 },
            } },
        },
        "watch": { "commentary": { "speaking": {
            "delivery": delivery("b-1", 8), "frame": 4, "cause": 41, "deadline": 1000,
        } } },
    } } });
    let body = outboxes(body);
    let room = &body["rooms"]["lounge"];
    let outbox: Outbox = serde_json::from_value(room["outbox"].clone()).expect("an outbox");
    assert_eq!(outbox.errand_of(&"a-2".into()), Some(Errand::Reply));
    assert_eq!(outbox.errand_of(&"b-1".into()), Some(Errand::Comment));
    let open: Deliveries = serde_json::from_value(body["deliveries"].clone()).expect("a registry");
    assert_eq!(open.room_of(&"a-2".into()), Some(&"lounge".into()));
    assert_eq!(open.room_of(&"a-1".into()), None, "it is there already");
    assert_eq!(room["turn"]["stage"], json!({ "Delivering": {} }));
    let speaking = json!({ "ask": 3, "turn": 8, "frame": 4, "cause": 41 });
    assert_eq!(room["watch"]["commentary"]["speaking"], speaking);
}
