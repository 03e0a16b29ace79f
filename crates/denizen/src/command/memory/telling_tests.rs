use expect_test::expect;
use serde_json::{Value, json};
use vocabulary::Found;

use super::found;

fn read(value: Value) -> Found {
    serde_json::from_value(value).unwrap()
}

#[test]
fn a_gem_is_told_with_its_reasons() {
    let gem = json!({
        "record": {"gem": {
            "gem_id": "7f3c", "content": "Alice is allergic to walnuts.", "summary": "", "importance": 0.9, "tags": ["fact"],
            "source": {"session_id": "s", "date": "2026-02-23", "turn_range": "1-2"},
            "created_at": "2026-02-23T15:26:00Z", "last_seen_at": "2026-02-23T15:26:00Z", "valid_from": "2026-02-23T15:26:00Z",
            "valid_until": "2026-03-01T00:00:00Z", "person": "local:alice", "person_name": "Alice", "strength": 3,
            "place": {"community": "local", "room": "lounge"}
        }},
        "scores": {"total": 0.71, "confidence": 0.3, "lexical": 0.61, "dense": 0.22, "surroundings": 0.0, "keys": 0.0, "recency": 0.9, "importance": 1.0},
        "matched": ["walnuts"]
    });
    expect![[r#"
        1. Alice is allergic to walnuts.
             gem 7f3c  2026-02-23 · about Alice · local/lounge · fact · importance 0.90 · said 3 times · held until 2026-03-01
             words 0.61, meaning 0.22, × 0.90 for age → 0.71 (sure 0.30); words: walnuts
             too unsure to be brought up in a room (0.30 is below 0.35, memory.minConfidence)"#]]
    .assert_eq(found(1, &read(gem), 0.35).trim_start());
}

#[test]
fn a_turn_is_told_with_the_gem_that_led_to_it() {
    let turn = json!({
        "record": {"turn": {
            "id": "alice-000017", "place": {"community": "local", "room": "lounge", "private": true}, "session": "local/lounge/2026-02-23",
            "number": 15, "speaker": {"id": "local:alice", "name": "Alice", "kind": "person"}, "kind": "typed",
            "text": format!("No walnuts\n {}", "x".repeat(300)), "at": 1771860360000_u64
        }},
        "scores": {"total": 0.5, "confidence": 0.8, "lexical": 0.0, "dense": 0.0, "surroundings": 0.0, "keys": 0.5, "recency": 1.0, "importance": 1.0},
        "through": ["7f3c"]
    });
    let told = found(12, &read(turn), 0.35);
    let lines: Vec<&str> = told.lines().collect();
    assert!(
        lines[0].starts_with(" 12. Alice: “No walnuts xxx") && lines[0].ends_with("…”"),
        "{told}"
    );
    assert_eq!(
        lines[1],
        "     turn alice-000017  2026-02-23T15:26:00Z · local/lounge · turn 15 of local/lounge/2026-02-23 · private"
    );
    assert_eq!(
        lines[2],
        "     gems 0.50 → 0.50 (sure 0.80); found through gem 7f3c"
    );
}
