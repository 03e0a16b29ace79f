//! Every kind of input of schema 1 finds its place.

use serde_json::json;

use super::sorted;

#[test]
fn what_happened_in_a_room_stands_under_its_room() {
    let typing = json!({"typing_changed": {"room": "lounge", "person": "alice", "typing": true}});
    assert_eq!(
        sorted(typing),
        json!({"room": ["lounge", {"typing_changed": {"person": "alice", "typing": true}}]})
    );
    let ended = json!({"session_ended": {"room": "lounge"}});
    assert_eq!(sorted(ended), json!({"room": ["lounge", "session_ended"]}));
    let said = json!({"message_arrived": {"id": "m1", "room": "lounge", "text": "hi"}});
    assert_eq!(
        sorted(said),
        json!({"room": ["lounge", {"message_arrived": {"id": "m1", "room": "lounge", "text": "hi"}}]})
    );
}

#[test]
fn answers_wishes_and_the_shell_have_their_own_lists() {
    let answer = json!({"ask_progressed": {"ask": 3, "text": "so"}});
    assert_eq!(sorted(answer.clone()), json!({"answer": answer}));
    assert_eq!(sorted(json!("think_now")), json!({"operator": "think_now"}));
    assert_eq!(sorted(json!("wake_reached")), json!({"shell": "wake_reached"}));
    let buffered = json!({"turns_buffered": {"turns": []}});
    assert_eq!(sorted(buffered.clone()), json!({"memory": buffered}));
}

#[test]
fn what_is_unknown_stays_as_it_is() {
    assert_eq!(sorted(json!("unheard_of")), json!("unheard_of"));
    assert_eq!(sorted(json!([1])), json!([1]));
}
