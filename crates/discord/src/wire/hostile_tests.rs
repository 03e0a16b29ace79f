//! Whatever a server sends is read without a panic.

use proptest::prelude::*;
use serde_json::json;

use super::{Fields, GatewayEvent, Payload};

proptest! {
    #![proptest_config(hostile::cases(200))]

    #[test]
    fn mangled_fields_are_read_without_a_panic(
        value in hostile::mangled(vec![json!({"a": "2026-11-16T12:00:00Z", "b": ["1", {"id": 2}], "c": {"a": "7"}})]),
    ) {
        if let Some(fields) = Fields::of(&value) {
            for name in ["a", "b", "c", "d"] {
                let _ = (fields.id(name), fields.number(name), fields.signed(name), fields.time(name));
                let _ = (fields.flag(name), fields.words(name), fields.fraction(name), fields.inner(name).is_some());
                let _ = (fields.ids(name).count(), fields.objects(name).count());
            }
        }
    }
}

fn damaged_events() -> Vec<serde_json::Value> {
    let events = super::samples::events();
    let events = events
        .into_iter()
        .map(|(name, data)| json!({"op": 0, "s": 5, "t": name, "d": data}));
    let others = super::samples::other_interactions();
    let others = others.map(|data| json!({"op": 0, "s": 5, "t": "INTERACTION_CREATE", "d": data}));
    events.chain(others).collect()
}

fn read(text: &str) {
    if let Some(payload) = Payload::read(text) {
        drop(GatewayEvent::read(&payload.name, &payload.data));
    }
}

proptest! {
    #![proptest_config(hostile::cases(600))]

    #[test]
    fn damaged_events_are_read_without_a_panic(value in hostile::mangled(damaged_events())) {
        read(&value.to_string());
    }

    #[test]
    fn damaged_bytes_are_read_without_a_panic(
        bytes in hostile::wounded(damaged_events().iter().map(|event| event.to_string().into_bytes()).collect()),
    ) {
        read(&String::from_utf8_lossy(&bytes));
    }
}
