//! Every kind of input that schema 1 knew is read, in its room or group.

use serde_json::{Value, json};
use vocabulary::{DeliveryId, Forget, MessageId, RoomId, Span};

use super::from_v1;
use crate::input::{Answer, Input, MemoryEvent, OperatorWish, RoomEvent, ShellEvent};

fn read(v1: Value) -> Input {
    serde_json::from_value(from_v1(v1)).expect("an input of schema 2")
}

fn message() -> Value {
    json!({
        "id": "m1", "room": "lounge", "author": { "id": "p1", "name": "Alice", "kind": "person" },
        "text": "hello", "at": 5
    })
}

#[test]
fn what_happened_in_a_room_is_found_there() {
    let lounge = || RoomId::new("lounge");
    let Input::Room(room, RoomEvent::MessageArrived(arrived)) = read(json!({ "message_arrived": message() }))
    else {
        panic!("a message arrived");
    };
    assert_eq!((room, arrived.text.as_str()), (lounge(), "hello"));
    assert_eq!(
        read(json!({ "message_deleted": { "room": "lounge", "id": "m1" } })),
        Input::Room(
            lounge(),
            RoomEvent::MessageDeleted {
                id: MessageId::new("m1")
            }
        )
    );
    assert_eq!(
        read(json!({ "session_ended": { "room": "lounge" } })),
        Input::Room(lounge(), RoomEvent::SessionEnded)
    );
    assert_eq!(
        read(json!({ "watch_chosen": { "room": "lounge", "share": null } })),
        Input::Room(lounge(), RoomEvent::WatchChosen { share: None })
    );
    for event in [
        json!({ "message_edited": { "room": "lounge", "id": "m1", "text": "better" } }),
        json!({ "typing_changed": { "room": "lounge", "person": "p1", "typing": true } }),
        json!({ "reaction_changed": { "room": "lounge", "message": "m1", "person": "p1", "emoji": "👍", "added": true } }),
        json!({ "note_taken": { "room": "lounge", "shared_by": "Bob", "text": "a film" } }),
        json!({ "share_ended": { "room": "lounge", "share": "s1", "reason": "stopped" } }),
        json!({ "frame_refused": { "room": "lounge", "share": "s1", "reason": "frame_too_large", "detail": "", "folded": 0 } }),
    ] {
        let Input::Room(room, _) = read(event.clone()) else {
            panic!("{event} is of a room");
        };
        assert_eq!(room, lounge(), "{event}");
    }
}

#[test]
fn answers_wishes_and_signs_of_the_process_keep_their_fields() {
    assert_eq!(
        read(json!({ "send_failed": { "delivery": "d1", "detail": "no", "retryable": true } })),
        Input::Answer(Answer::SendFailed {
            delivery: DeliveryId::new("d1"),
            detail: "no".to_owned(),
            retryable: true,
        })
    );
    assert!(matches!(
        read(json!({ "message_sent": { "delivery": "d1", "message": message() } })),
        Input::Answer(Answer::MessageSent { .. })
    ));
    assert_eq!(read(json!("think_now")), Input::Operator(OperatorWish::ThinkNow));
    assert_eq!(read(json!("wake_reached")), Input::Shell(ShellEvent::WakeReached));
    assert_eq!(
        read(json!({ "restarted": { "down_for": 7 } })),
        Input::Shell(ShellEvent::Restarted { down_for: Span(7) })
    );
    let forgotten = json!({ "forgotten": {
        "what": Forget::Turns(Vec::new()), "names": [], "texts": [], "gems": 0, "turns": 0
    } });
    assert!(matches!(
        read(forgotten),
        Input::Memory(MemoryEvent::Forgotten(_))
    ));
}

#[test]
fn an_input_of_schema_2_stays_as_it_is() {
    for input in [
        Input::Shell(ShellEvent::ShutdownRequested),
        Input::Room(RoomId::new("lounge"), RoomEvent::SessionEnded),
    ] {
        let written = serde_json::to_value(&input).expect("plain data");
        assert_eq!(read(written), input);
    }
}
