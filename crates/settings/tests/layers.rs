//! Settings of many communities: a base, and what each lays over it.

use serde_json::{Value, json};
use settings::{Document, Layer, Layers};

fn document(value: Value) -> Document {
    Document::from_value(value).unwrap()
}

fn layers(base: Value, own: Value) -> Layers {
    Layers {
        base: document(base),
        own: document(own),
    }
}

#[test]
fn a_community_has_its_own_value_where_it_set_one_and_that_of_all_elsewhere() {
    let layers = layers(
        json!({"identity.name": "Denizen", "activity.replyCoalesceWindowSeconds": 4}),
        json!({"identity.name": "Robin"}),
    );
    let settings = layers.read("attic").unwrap();
    assert_eq!(settings.identity.name, "Robin");
    assert_eq!(layers.layer_of("identity.name"), Layer::Community);
    assert_eq!(
        layers.layer_of("activity.replyCoalesceWindowSeconds"),
        Layer::Base
    );
    assert_eq!(layers.layer_of("llm.model"), Layer::Default);
    assert_eq!(
        layers.effective().get("activity.replyCoalesceWindowSeconds"),
        Some(&json!(4))
    );
}

#[test]
fn an_error_names_the_key_the_value_the_remedy_and_the_layer() {
    for (base, own, layer) in [
        (
            json!({}),
            json!({"llm.temperature": 7}),
            "(set for community attic)",
        ),
        (
            json!({"llm.temperature": 7}),
            json!({"identity.name": "Robin"}),
            "(set for all communities)",
        ),
    ] {
        let errors = layers(base, own).read("attic").unwrap_err();
        let [error] = errors.as_slice() else {
            panic!("{errors:?}");
        };
        let said = error.to_string();
        for part in ["llm.temperature", "7", "Give a number from 0 to 2", layer] {
            assert!(said.contains(part), "{said} lacks {part}");
        }
    }
}

#[test]
fn where_there_is_one_layer_an_error_says_nothing_of_layers() {
    let errors = layers(json!({"llm.temperature": 7}), json!({}))
        .read("local")
        .unwrap_err();
    assert!(!errors[0].to_string().contains("communit"), "{}", errors[0]);
}

#[test]
fn what_holds_for_the_whole_process_cannot_be_set_for_one_community() {
    let errors = layers(json!({}), json!({"memory.store.gems": "qdrant"}))
        .read("attic")
        .unwrap_err();
    let said = errors[0].to_string();
    for part in [
        "memory.store.gems",
        "qdrant",
        "attic",
        "whole process",
        "without --community",
    ] {
        assert!(said.contains(part), "{said} lacks {part}");
    }
    assert!(
        layers(json!({"memory.store.gems": "qdrant"}), json!({}))
            .read("attic")
            .is_ok()
    );
}
