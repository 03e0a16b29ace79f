//! The description of the API: complete, and true of real answers.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::answer;
use crate::driver::{House, open_with};
use crate::inspector::lived_in;
use crate::remembered::fill;
use crate::sessions::long_session;
use crate::stand_ins::MemoryStore;
use crate::validation::fits;

/// Every route there is, with an address to try it at.
const ROUTES: [(&str, &str, &str); 51] = [
    ("get", "/api/spending", "/api/spending"),
    ("get", "/api/health", "/api/health"),
    ("get", "/api/communities", "/api/communities"),
    ("get", "/api/rooms", "/api/rooms"),
    ("get", "/api/rooms/{room}/messages", "/api/rooms/lounge/messages"),
    ("post", "/api/rooms/{room}/messages", "/api/rooms/lounge/messages"),
    (
        "patch",
        "/api/rooms/{room}/messages/{id}",
        "/api/rooms/lounge/messages/alice-001",
    ),
    (
        "delete",
        "/api/rooms/{room}/messages/{id}",
        "/api/rooms/lounge/messages/bob-00001?author=Bob",
    ),
    (
        "get",
        "/api/rooms/{room}/fates",
        "/api/rooms/lounge/fates?messages=bob-00001",
    ),
    (
        "get",
        "/api/rooms/{room}/search",
        "/api/rooms/lounge/search?q=hello",
    ),
    ("get", "/api/rooms/{room}/quiet", "/api/rooms/lounge/quiet"),
    ("post", "/api/rooms/{room}/typing", "/api/rooms/lounge/typing"),
    (
        "post",
        "/api/rooms/{room}/messages/{id}/retry",
        "/api/rooms/lounge/messages/alice-001/retry",
    ),
    ("post", "/api/rooms/{room}/dry-run", "/api/rooms/lounge/dry-run"),
    ("get", "/api/rooms/{room}/session", "/api/rooms/lounge/session"),
    (
        "post",
        "/api/rooms/{room}/session/end",
        "/api/rooms/lounge/session/end",
    ),
    ("post", "/api/rooms/{room}/notes", "/api/rooms/lounge/notes"),
    ("get", "/api/attachments/{id}", "/api/attachments/pic"),
    ("get", "/api/journal", "/api/journal"),
    ("get", "/api/journal/events", "/api/journal/events"),
    ("get", "/api/why/{message}", "/api/why/alice-001"),
    ("get", "/api/asks", "/api/asks"),
    ("get", "/api/asks/{id}", "/api/asks/2"),
    ("get", "/api/settings", "/api/settings"),
    ("put", "/api/settings", "/api/settings"),
    ("get", "/api/settings/schema", "/api/settings/schema"),
    ("get", "/api/model", "/api/model"),
    ("post", "/api/model/detect", "/api/model/detect"),
    ("post", "/api/model/try", "/api/model/try"),
    ("post", "/api/model/answered", "/api/model/answered"),
    ("get", "/api/recording", "/api/recording"),
    ("get", "/api/openapi.json", "/api/openapi.json"),
    ("get", "/api/memory/status", "/api/memory/status"),
    (
        "get",
        "/api/memory/gems",
        "/api/memory/gems?current=false&limit=3",
    ),
    ("post", "/api/memory/gems", "/api/memory/gems"),
    ("get", "/api/memory/gems/{id}", "/api/memory/gems/g-darjeeling"),
    ("patch", "/api/memory/gems/{id}", "/api/memory/gems/g-walnuts"),
    (
        "post",
        "/api/memory/gems/{id}/supersede",
        "/api/memory/gems/g-walnuts/supersede",
    ),
    ("get", "/api/memory/search", "/api/memory/search?q=walnuts"),
    ("get", "/api/memory/people", "/api/memory/people"),
    (
        "get",
        "/api/memory/people/{id}/timeline",
        "/api/memory/people/local:alice/timeline?limit=4",
    ),
    ("get", "/api/memory/runs", "/api/memory/runs"),
    ("get", "/api/memory/export", "/api/memory/export"),
    ("post", "/v1/turns", "/v1/turns"),
    ("post", "/v1/recall", "/v1/recall"),
    ("post", "/v1/gems", "/v1/gems"),
    ("delete", "/v1/gems/{id}", "/v1/gems/g-key"),
    ("delete", "/api/memory/gems/{id}", "/api/memory/gems/g-walnuts"),
    (
        "delete",
        "/api/memory/sessions/{id}",
        "/api/memory/sessions/local%2Fvault%2F2026-02-23",
    ),
    ("delete", "/api/memory/rooms/{id}", "/api/memory/rooms/vault"),
    (
        "delete",
        "/api/memory/people/{id}",
        "/api/memory/people/local:alice",
    ),
];
/// Who may come in. Real answers are looked at elsewhere.
const COMING_IN: [(&str, &str); 10] = [
    ("post", "/api/enter"),
    ("get", "/api/me"),
    ("post", "/api/leave"),
    ("get", "/api/access"),
    ("post", "/api/access"),
    ("delete", "/api/access/{id}"),
    ("post", "/api/access/links"),
    ("get", "/api/names"),
    ("delete", "/api/names/{name}"),
    ("put", "/api/names/{name}"),
];
/// More ways for agents to forget.
const FORGETTING: [(&str, &str); 3] = [
    ("/v1/turns/{id}", "/v1/turns/t1"),
    ("/v1/sessions/{id}", "/v1/sessions/helper%2F1"),
    ("/v1/people/{id}", "/v1/people/Alice"),
];

/// What is for shared screens. Real answers of it are held against the description elsewhere.
const WATCHING: [(&str, &str); 12] = [
    ("post", "/api/rooms/{room}/shares"),
    ("get", "/api/rooms/{room}/watch"),
    ("put", "/api/rooms/{room}/watch"),
    ("post", "/api/rooms/{room}/watch/what-if"),
    ("post", "/api/watch/{share}/frames"),
    ("get", "/api/rooms/{room}/watch/frame"),
    ("post", "/api/watch/{share}/whip"),
    ("delete", "/api/rooms/{room}/shares/{share}"),
    ("delete", "/api/watch/{share}"),
    ("delete", "/api/watch/{share}/whip"),
    ("patch", "/api/watch/{share}/whip"),
    ("get", "/api/watch/socket"),
];

/// What is for thoughts of its own, and for reactions. Real answers are held against the description elsewhere.
const THINKING: [(&str, &str); 10] = [
    ("put", "/api/rooms/{room}/messages/{id}/reactions"),
    ("delete", "/api/rooms/{room}/messages/{id}/reactions"),
    ("get", "/api/ambient"),
    ("post", "/api/ambient/think"),
    ("delete", "/api/ambient/thought"),
    ("get", "/api/ambient/status"),
    ("get", "/api/discovery"),
    ("post", "/api/discovery/preview"),
    ("post", "/api/discovery/check"),
    ("delete", "/api/discovery/sources"),
];

/// What is for the voice of rooms. Real answers are held against the description elsewhere.
const TALKING: [(&str, &str); 7] = [
    ("get", "/api/rooms/{room}/voice"),
    ("post", "/api/rooms/{room}/voice/sessions"),
    ("patch", "/api/rooms/{room}/voice/sessions/{session}"),
    ("delete", "/api/rooms/{room}/voice/sessions/{session}"),
    ("post", "/api/rooms/{room}/voice/join"),
    ("post", "/api/rooms/{room}/voice/leave"),
    ("get", "/api/rooms/{room}/voice/socket"),
];

fn routes() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let forgetting = FORGETTING
        .iter()
        .map(|(path, address)| ("delete", *path, *address));
    let migrating = (
        "post",
        "/api/settings/migrate",
        "/api/settings/migrate?dryRun=true",
    );
    ROUTES.into_iter().chain(forgetting).chain([migrating])
}

async fn described() -> (House, Value) {
    let prepare = |store: &MemoryStore| {
        lived_in(store);
        let room = vocabulary::RoomId::from("lounge");
        store.kept().sessions.insert(room, long_session());
    };
    let house = open_with(prepare, 100, false).await;
    fill(&house).await;
    let description = house.caller.get("/api/openapi.json").await.ok(200);
    (house, description)
}

#[tokio::test]
async fn exactly_the_routes_there_are_are_described() {
    let (_house, description) = described().await;
    let mut routes: BTreeSet<(String, String)> = routes()
        .map(|(method, path, _)| (method.to_owned(), path.to_owned()))
        .collect();
    routes.insert(("get".into(), "/api/events".into()));
    routes.insert(("post".into(), "/api/communities".into()));
    routes.insert(("get".into(), "/api/overview".into()));
    routes.insert(("get".into(), "/metrics".into()));
    for (method, path) in COMING_IN {
        routes.insert((method.to_owned(), path.to_owned()));
    }
    routes.insert(("delete".into(), "/api/communities/{community}".into()));
    for (method, path) in WATCHING.iter().chain(&THINKING).chain(&TALKING) {
        routes.insert(((*method).to_owned(), (*path).to_owned()));
    }
    let mut found = BTreeSet::new();
    for (path, operations) in description["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            found.insert((method.clone(), path.clone()));
            assert!(
                operation["summary"]
                    .as_str()
                    .is_some_and(|summary| summary.len() > 10),
                "{method} {path}"
            );
            assert!(operation["tags"][0].is_string(), "{method} {path}");
        }
    }
    assert_eq!(found, routes);
    assert_eq!(description["info"]["version"], "9.9.9");
}

#[tokio::test]
async fn every_refusal_and_every_body_has_an_example() {
    let (_house, description) = described().await;
    for (path, operations) in description["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            if let Some(body) = operation.get("requestBody") {
                let json = &body["content"]["application/json"];
                let is_explained = if json.is_object() {
                    !json["example"].is_null()
                } else {
                    body["description"].is_string()
                };
                assert!(is_explained, "{method} {path}");
            }
            // Whoever shares needs the token of the share instead, which is looked for like the share itself.
            let for_sharers = path.starts_with("/api/watch/");
            let is_open = for_sharers || path == "/api/enter";
            for status in ["401", "403", "500"] {
                assert_eq!(
                    operation["responses"][status].is_object(),
                    !(is_open && status == "401"),
                    "{method} {path} {status}"
                );
            }
            let asks_for_share = operation["security"][0]["share"].is_array();
            assert_eq!(
                asks_for_share,
                for_sharers && path != "/api/watch/socket",
                "{method} {path}"
            );
            for (status, response) in operation["responses"].as_object().unwrap() {
                if status.starts_with(['4', '5']) {
                    let example = &response["content"]["application/json"]["example"]["error"];
                    assert!(
                        example["code"].is_string() && example["message"].is_string(),
                        "{method} {path} {status}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn every_reference_in_the_description_leads_somewhere() {
    let (_house, description) = described().await;
    let text = description.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(description.pointer(pointer).is_some(), "{pointer}");
    }
    assert!(text.contains("#/components/schemas/ErrorBody"));
}

#[tokio::test]
async fn real_answers_have_the_shape_that_is_described() {
    let (house, description) = described().await;
    house
        .store
        .kept()
        .attachments
        .insert("pic".into(), ("image/png".into(), "x".into()));
    let edit = json!({"author": "Alice", "text": "hello"});
    // As stored above, ids of people are not lower-cased.
    for stored in &mut house.store.kept().messages {
        stored.message.author.id =
            vocabulary::PersonId::new(stored.message.author.id.as_str().to_lowercase());
    }
    for (method, path, address) in routes() {
        let body = match (method, path) {
            ("put", _) => json!({"changes": {"identity.name": "Robin"}}),
            ("post", "/api/rooms/{room}/typing") => json!({"author": "Alice", "typing": true}),
            ("post" | "patch", path) if path.contains("gems") || path.starts_with("/v1/") => {
                memory_body(path)
            }
            ("post", "/api/model/answered") => json!({"answered": [
                {"purpose": "text_reply", "provider": "offline", "model": "built-in", "baseUrl": "", "keyMark": ""}
            ]}),
            ("post", "/api/settings/migrate") => {
                json!({"document": {"voice.streamWatch.directMaxEntries": 99, "voice.volume": 3}})
            }
            ("post", "/api/rooms/{room}/notes") => json!({"sharedBy": "Bob", "text": "a kettle"}),
            _ => edit.clone(),
        };
        let name = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let request = match method {
            "get" | "delete" => house.caller.request(name, address),
            _ => house
                .caller
                .with_json(name, address, &body)
                .header("if-match", "\"0\""),
        };
        let answer = answer(request).await;
        assert!(
            answer.status < 300,
            "{method} {path}: {} {}",
            answer.status,
            answer.text
        );
        let described = &description["paths"][path][method]["responses"][answer.status.to_string()];
        assert!(
            described.is_object(),
            "{method} {path}: {} is not described",
            answer.status
        );
        if let Some(schema) = described.pointer("/content/application~1json/schema") {
            fits(&description, schema, &answer.json(), &format!("{method} {path}")).unwrap();
        }
    }
    let refusal = house.caller.get("/api/why/nothing").await.json();
    let described = json!({"$ref": "#/components/schemas/ErrorBody"});
    fits(&description, &described, &refusal, "refusal").unwrap();
}

fn memory_body(path: &str) -> Value {
    match path {
        "/v1/turns" => {
            json!({"session": "helper/1", "turns": [{"speaker": {"name": "Alice"}, "text": "hello"}]})
        }
        "/v1/recall" => json!({"query": "walnuts", "scope": {"community": "local"}}),
        "/api/memory/gems/{id}/supersede" => json!({"content": "Alice eats walnuts again."}),
        "/api/memory/gems/{id}" => json!({"pinned": true}),
        _ => json!({"content": "Alice lives in Porto.", "person": "Alice"}),
    }
}
