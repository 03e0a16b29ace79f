//! Reading and changing settings.

use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::{Answer, answer};
use crate::driver::{House, open};

async fn change(house: &House, based_on: Option<&str>, changes: Value) -> Answer {
    let mut request = house
        .caller
        .with_json(Method::PUT, "/api/settings", &json!({ "changes": changes }));
    if let Some(version) = based_on {
        request = request.header("if-match", version);
    }
    answer(request).await
}

fn knob<'a>(view: &'a Value, key: &str) -> &'a Value {
    view["knobs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|knob| knob["key"] == key)
        .unwrap()
}

#[tokio::test]
async fn settings_are_read_with_their_version() {
    let house = open().await;
    let answer = house.caller.get("/api/settings").await;
    assert_eq!(answer.header("etag"), "\"0\"");
    let view = answer.ok(200);
    assert_eq!(view["version"], 0);
    let knob = knob(&view, "llm.temperature");
    assert_eq!(
        (&knob["value"], &knob["default"], &knob["source"]),
        (&json!(0.8), &json!(0.8), &json!("default"))
    );
    assert_eq!(
        knob["limits"],
        json!({"type": "fraction", "min": 0.0, "max": 2.0})
    );
    assert_eq!(
        view["knobs"].as_array().unwrap().len(),
        settings::Settings::knobs().len()
    );
}

#[tokio::test]
async fn a_change_is_saved_in_force_and_taken_back_by_null() {
    let house = open().await;
    let changed = change(
        &house,
        Some("\"0\""),
        json!({"identity.name": "Robin", "llm.temperature": 0}),
    )
    .await;
    assert_eq!(changed.header("etag"), "\"1\"");
    let view = changed.ok(200);
    assert_eq!(
        (
            &knob(&view, "identity.name")["value"],
            &knob(&view, "llm.temperature")["value"]
        ),
        (&json!("Robin"), &json!(0))
    );
    assert_eq!(knob(&view, "identity.name")["source"], "saved");
    let health = house.caller.get("/api/health").await.ok(200);
    assert_eq!(
        (&health["denizen"]["name"], &health["settingsVersion"]),
        (&json!("Robin"), &json!(1))
    );
    let body = json!({"author": "robin", "text": "I am Denizen"});
    house
        .caller
        .post("/api/rooms/lounge/messages", &body)
        .await
        .refused(422, "invalid_author");

    let view = change(&house, Some("\"1\""), json!({"identity.name": null}))
        .await
        .ok(200);
    assert_eq!(knob(&view, "identity.name")["source"], "default");
    assert_eq!(view["version"], 2);
}

#[tokio::test]
async fn changes_based_on_nothing_or_on_an_old_version_are_refused() {
    let house = open().await;
    change(&house, None, json!({"identity.name": "Robin"}))
        .await
        .refused(428, "version_required");
    change(&house, Some("soon"), json!({"identity.name": "Robin"}))
        .await
        .refused(400, "bad_version");
    change(&house, Some("\"0\""), json!({"identity.name": "Robin"}))
        .await
        .ok(200);
    for changes in [json!({"identity.name": "Sam"}), json!({})] {
        let stale = change(&house, Some("\"0\""), changes).await;
        stale.refused(409, "stale_settings");
        assert_eq!(stale.json()["error"]["newestVersion"], 1);
        assert_eq!(stale.header("etag"), "\"1\"");
    }
    assert_eq!(house.handle.in_force().settings.identity.name, "Robin");
}

#[tokio::test]
async fn bad_values_are_refused_by_key_and_nothing_is_changed() {
    let house = open().await;
    let changes = json!({"llm.temperature": 7, "llm.temprature": 1, "identity.name": "Robin"});
    let refused = change(&house, Some("\"0\""), changes).await;
    refused.refused(422, "invalid_settings");
    let details = refused.json()["error"]["details"].clone();
    let keys: Vec<&str> = details
        .as_array()
        .unwrap()
        .iter()
        .map(|detail| detail["key"].as_str().unwrap())
        .collect();
    assert_eq!(keys, ["llm.temperature", "llm.temprature"]);
    assert!(details[0]["problem"].is_string() && details[0]["remedy"].is_string());
    assert_eq!(house.caller.get("/api/settings").await.ok(200)["version"], 0);
    let unknown = house
        .caller
        .with_json(Method::PUT, "/api/settings", &json!({"change": {}}));
    answer(unknown.header("if-match", "\"0\""))
        .await
        .refused(422, "unknown_field");
}

#[tokio::test]
async fn an_empty_change_saves_nothing() {
    let house = open().await;
    assert_eq!(
        change(&house, Some("\"0\""), json!({})).await.ok(200)["version"],
        0
    );
}

#[tokio::test]
async fn of_two_changes_at_once_one_wins() {
    let house = open().await;
    let (one, other) = tokio::join!(
        change(&house, Some("\"0\""), json!({"identity.name": "Robin"})),
        change(&house, Some("\"0\""), json!({"identity.name": "Sam"})),
    );
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [200, 409]);
}

#[tokio::test]
async fn the_schema_is_served() {
    let house = open().await;
    assert_eq!(
        house.caller.get("/api/settings/schema").await.ok(200),
        settings::schema()
    );
}
