//! Settings of one community over its own addresses: nobody else has them, and each says where its value comes from.

use reqwest::Method;
use runtime::ports::OutboundServices;
use serde_json::{Value, json};
use settings::Document;
use stand_ins::MemoryInRam;

use crate::caller::{Answer, answer};
use crate::driver::{House, Neighbour, neighbour, open, open_beside};
use crate::settings::knob;

const ALL: &str = "/api/settings";
const CLUB: &str = "/api/communities/club/settings";

async fn two() -> (House, Neighbour) {
    let memory = MemoryInRam::default();
    let club = neighbour("club", &memory).await;
    let (outbound, beside) = (OutboundServices::none(), Some(club.hosted.clone()));
    let house = open_beside(|_| {}, 100, false, outbound, memory, beside).await;
    (house, club)
}

async fn put(house: &House, path: &str, version: u64, changes: Value) -> Answer {
    let body = json!({ "changes": changes });
    let request = house.caller.with_json(Method::PUT, path, &body);
    answer(request.header("if-match", format!("\"{version}\""))).await
}

/// What is told of where a value comes from.
fn origin(view: &Value, key: &str) -> (Value, Value, Value, Value) {
    let knob = knob(view, key);
    let told = |field: &str| knob[field].clone();
    (told("value"), told("source"), told("setHere"), told("inherited"))
}

fn says(value: &str, source: &str, here: bool, inherited: &str) -> (Value, Value, Value, Value) {
    (json!(value), json!(source), json!(here), json!(inherited))
}

#[tokio::test]
async fn a_change_in_a_community_is_its_own_and_can_be_taken_back_to_the_base() {
    let (house, club) = two().await;
    let mut base = Document::default();
    base.set("identity.name", json!("Robin"));
    club.store.kept().settings.layers.base = base;

    let view = house.caller.get(CLUB).await.ok(200);
    assert_eq!(view["layer"], "community");
    assert_eq!(
        origin(&view, "identity.name"),
        says("Robin", "base", false, "Robin")
    );
    assert_eq!(knob(&view, "llm.temperature")["source"], "default");

    let view = put(&house, CLUB, 0, json!({"identity.name": "Wren"}))
        .await
        .ok(200);
    assert_eq!(
        origin(&view, "identity.name"),
        says("Wren", "community", true, "Robin")
    );
    let saved = club.store.kept().settings.layers.clone();
    assert_eq!(
        saved.base.get("identity.name"),
        Some(&json!("Robin")),
        "the base is as it was"
    );
    assert_eq!(club.hosted.handle.in_force().settings.identity.name, "Wren");

    let view = house.caller.get(ALL).await.ok(200);
    assert_eq!(view["layer"], "base");
    assert_eq!(
        origin(&view, "identity.name"),
        says("Denizen", "default", false, "Denizen")
    );

    let view = put(&house, CLUB, 1, json!({"identity.name": null})).await.ok(200);
    assert_eq!(
        origin(&view, "identity.name"),
        says("Robin", "base", false, "Robin")
    );
    assert_eq!(club.hosted.handle.in_force().settings.identity.name, "Robin");
}

#[tokio::test]
async fn addresses_of_the_default_community_change_the_base_with_its_name_and_without() {
    let (house, _club) = two().await;
    put(&house, ALL, 0, json!({"identity.name": "Robin"}))
        .await
        .ok(200);
    let named = "/api/communities/local/settings";
    let view = put(&house, named, 1, json!({"llm.model": "m"})).await.ok(200);
    assert_eq!(view["layer"], "base");
    assert_eq!(
        origin(&view, "identity.name"),
        says("Robin", "base", true, "Denizen")
    );
    assert!(house.store.kept().settings.layers.own.is_empty());
}

#[tokio::test]
async fn what_holds_for_the_whole_process_is_refused_in_a_community_by_key_value_and_remedy() {
    let (house, club) = two().await;
    let view = house.caller.get(CLUB).await.ok(200);
    assert_eq!(knob(&view, "memory.store.gems")["ofTheProcess"], true);
    assert_eq!(knob(&view, "llm.model")["ofTheProcess"], false);
    let changes = json!({"memory.store.gems": "qdrant", "identity.name": "Wren", "llm.temperature": 7});
    let refused = put(&house, CLUB, 0, changes).await;
    refused.refused(422, "invalid_settings");
    let details = refused.json()["error"]["details"].clone();
    assert_eq!(details[0]["key"], "memory.store.gems");
    assert!(
        details[0]["problem"].as_str().unwrap().contains("qdrant"),
        "{details}"
    );
    assert!(
        details[0]["remedy"]
            .as_str()
            .unwrap()
            .contains("for all communities"),
        "{details}"
    );
    assert_eq!(
        details[1]["problem"],
        "7 is out of range (set for community club)"
    );
    assert!(
        club.store.kept().settings.layers.own.is_empty(),
        "nothing was changed"
    );
}

#[tokio::test]
async fn a_change_of_the_base_that_the_default_community_would_not_see_is_refused() {
    let house = open().await;
    let own = vec![("identity.name".to_owned(), Some(json!("Wren")))];
    let layer = runtime::SettingsLayer::Own;
    house.handle.change_settings(layer, 0, own).await.unwrap();
    let view = house.caller.get(ALL).await.ok(200);
    assert_eq!(
        origin(&view, "identity.name"),
        says("Wren", "community", false, "Denizen")
    );
    let refused = put(&house, ALL, 1, json!({"identity.name": "Robin"})).await;
    refused.refused(422, "invalid_settings");
    let detail = refused.json()["error"]["details"][0].clone();
    assert!(
        detail["problem"].as_str().unwrap().contains("\"Wren\""),
        "{detail}"
    );
    let remedy = "denizen settings reset identity.name --community local";
    assert!(detail["remedy"].as_str().unwrap().contains(remedy), "{detail}");
    put(&house, ALL, 1, json!({"llm.model": "m"})).await.ok(200);
}

#[tokio::test]
async fn an_older_document_imported_in_a_community_is_its_own() {
    let (house, club) = two().await;
    let body = json!({"document": {"identity": {"name": "Wren"}}});
    let request = house
        .caller
        .with_json(Method::POST, &format!("{CLUB}/migrate"), &body);
    answer(request.header("if-match", "\"0\"")).await.ok(200);
    let saved = club.store.kept().settings.layers.clone();
    assert_eq!(saved.own.get("identity.name"), Some(&json!("Wren")));
    assert!(saved.base.is_empty());
    let shared = json!({"document": {"memory.store.gems": "qdrant"}});
    let path = format!("{CLUB}/migrate?dryRun=true");
    let shown = house.caller.post(&path, &shared).await.ok(200);
    assert_eq!(shown["problems"][0]["key"], "memory.store.gems");
}
