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

pub fn knob<'a>(view: &'a Value, key: &str) -> &'a Value {
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
    assert_eq!(knob(&view, "identity.name")["source"], "base");
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

async fn migrate(house: &House, query: &str, based_on: Option<&str>, body: Value) -> Answer {
    let mut request = house
        .caller
        .with_json(Method::POST, &format!("/api/settings/migrate{query}"), &body);
    if let Some(version) = based_on {
        request = request.header("if-match", version);
    }
    answer(request).await
}

#[tokio::test]
async fn an_older_document_is_shown_first_and_then_laid_over_what_is_saved() {
    let house = open().await;
    change(&house, Some("\"0\""), json!({"identity.name": "Robin"}))
        .await
        .ok(200);
    let body = json!({"document": {"voice": {"streamWatch": {
        "brainContextMode": "direct", "directMinIntervalSeconds": 2, "brainContextMaxEntries": 8, "enabled": true,
    }}}});
    let shown = migrate(&house, "?dryRun=true", None, body.clone()).await.ok(200);
    assert_eq!(
        (&shown["version"], &shown["saved"], &shown["problems"]),
        (&json!(1), &json!(false), &json!([]))
    );
    assert_eq!(
        shown["changes"],
        json!([{"key": "voice.streamWatch.commentaryIntervalSeconds", "from": 15, "to": 5}])
    );
    let old_keys: Vec<&str> = shown["notes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| note["oldKey"].as_str().unwrap())
        .collect();
    assert_eq!(old_keys.len(), 3, "{old_keys:?}");
    assert_eq!(house.caller.get("/api/settings").await.ok(200)["version"], 1);

    let done = migrate(&house, "", Some("\"1\""), body).await;
    assert_eq!(done.header("etag"), "\"2\"");
    let done = done.ok(200);
    assert_eq!((&done["version"], &done["saved"]), (&json!(2), &json!(true)));
    let settings = house.handle.in_force().settings;
    assert_eq!(settings.stream_watch.commentary_interval_seconds, 5);
    assert_eq!(
        settings.identity.name, "Robin",
        "what the document does not name stays"
    );
}

#[tokio::test]
async fn what_cannot_be_imported_is_named_and_left_out() {
    let house = open().await;
    let document = json!({"voice.volume": 3, "llm.temperature": 7, "voice.streamWatch.directMaxEntries": 9});
    let body = json!({ "document": document });
    let shown = migrate(&house, "?dryRun=true", None, body.clone()).await.ok(200);
    let keys: Vec<&Value> = shown["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| &problem["key"])
        .collect();
    assert_eq!(keys, ["llm.temperature", "voice.volume"]);
    assert_eq!(shown["changes"].as_array().unwrap().len(), 1);
    assert_eq!(house.caller.get("/api/settings").await.ok(200)["version"], 0);

    let done = migrate(&house, "", Some("\"0\""), body).await.ok(200);
    assert_eq!(done["problems"], shown["problems"]);
    let in_force = house.handle.in_force().settings;
    assert_eq!(in_force.stream_watch.max_note_entries, 9);
    assert_eq!(
        in_force.llm.temperature,
        settings::Settings::default().llm.temperature
    );
}

#[tokio::test]
async fn an_import_needs_an_object_and_the_newest_version() {
    let house = open().await;
    let body = json!({"document": {"identity.name": "Robin"}});
    migrate(&house, "", None, body.clone())
        .await
        .refused(428, "version_required");
    migrate(&house, "", Some("\"4\""), body.clone())
        .await
        .refused(409, "stale_settings");
    migrate(&house, "?dryRun=perhaps", None, body)
        .await
        .refused(400, "bad_query");
    migrate(&house, "?dryRun=true", None, json!({"document": [1]}))
        .await
        .refused(422, "not_a_document");
    migrate(&house, "?dryRun=true", None, json!({}))
        .await
        .refused(422, "invalid_field");
    assert_eq!(house.handle.in_force().saved.version, 0);
}
