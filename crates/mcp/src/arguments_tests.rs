use serde_json::{Value, json};
use vocabulary::GemTag;

use super::{ForgetCall, forget, recall, remember};
use crate::access::ForgetTarget;

fn object(value: Value) -> Option<rmcp::model::JsonObject> {
    value.as_object().cloned()
}

#[test]
fn what_is_to_be_remembered_is_read() {
    let read = remember(object(json!({
        "content": "  Alice is allergic to walnuts. ", "person": "Alice", "tags": ["fact", "preference"], "importance": 0.9
    })))
    .unwrap();
    assert_eq!(read.content, "Alice is allergic to walnuts.");
    assert_eq!(read.person.as_deref(), Some("Alice"));
    assert_eq!(read.tags, [GemTag::Fact, GemTag::Preference]);
    assert_eq!(read.importance, Some(0.9));
}

#[test]
fn each_refusal_names_the_field_and_the_remedy() {
    for (given, words) in [
        (json!({}), ["content", "schema"]),
        (json!({"content": " "}), ["content", "1 to 2000"]),
        (json!({"content": "x".repeat(2_001)}), ["content", "2001"]),
        (
            json!({"content": "x", "tags": ["secret"]}),
            ["“secret”", "decision"],
        ),
        (json!({"content": "x", "importance": 7}), ["importance", "0 to 1"]),
        (json!({"content": "x", "colour": "red"}), ["colour", "schema"]),
    ] {
        let refusal = remember(object(given)).unwrap_err();
        assert!(words.iter().all(|word| refusal.contains(word)), "{refusal}");
    }
    for limit in [0, 51] {
        let refusal = recall(object(json!({"query": "tea", "limit": limit}))).unwrap_err();
        assert!(
            refusal.contains("limit") && refusal.contains("1 to 50"),
            "{refusal}"
        );
    }
}

#[test]
fn forgetting_takes_exactly_one_of_its_ways() {
    let call = |value| forget(object(value));
    assert_eq!(
        call(json!({"id": "gem:7f"})).unwrap(),
        ForgetCall::Now(ForgetTarget::Gem("7f".into()))
    );
    assert_eq!(
        call(json!({"id": "7f"})).unwrap(),
        ForgetCall::Now(ForgetTarget::Gem("7f".into()))
    );
    assert_eq!(
        call(json!({"id": "turn:agent:agents/a/1:t", "person": ""})).unwrap(),
        ForgetCall::Now(ForgetTarget::Turn("agent:agents/a/1:t".into()))
    );
    assert_eq!(
        call(json!({"person": "Alice"})).unwrap(),
        ForgetCall::Now(ForgetTarget::Person("Alice".into()))
    );
    assert!(matches!(
        call(json!({"query": "walnuts"})).unwrap(),
        ForgetCall::Candidates(_)
    ));
    for given in [
        json!({}),
        json!({"id": "7f", "person": "Alice"}),
        json!({"query": " "}),
    ] {
        assert!(call(given).unwrap_err().contains("exactly one"));
    }
}
