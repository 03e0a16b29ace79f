//! Input that is wrong, or too much: refused clearly, and the process stays well.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{Home, ModelServer, eventually};

const MESSAGES: &str = "/api/rooms/lounge/messages";

#[tokio::test]
async fn bad_requests_are_refused_with_a_code_and_a_remedy() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    let megabyte = json!({"author": "Alice", "text": "x".repeat(1 << 20)}).to_string();
    let long = json!({"author": "Alice", "text": "x".repeat(8_001)}).to_string();
    let cases = [
        (MESSAGES, "{\"author\": \"Alice\", ", 400, "malformed_json"),
        (MESSAGES, "", 400, "malformed_json"),
        (MESSAGES, "[]", 422, "invalid_field"),
        (
            MESSAGES,
            r#"{"author": "Alice", "text": "hi", "colour": "red"}"#,
            422,
            "unknown_field",
        ),
        (
            MESSAGES,
            r#"{"author": "Alice", "text": 7}"#,
            422,
            "invalid_field",
        ),
        (MESSAGES, r#"{"author": "Alice"}"#, 422, "empty_message"),
        (MESSAGES, r#"{"author": "", "text": "hi"}"#, 422, "invalid_author"),
        (
            MESSAGES,
            r#"{"author": "Denizen", "text": "hi"}"#,
            422,
            "invalid_author",
        ),
        (
            MESSAGES,
            r#"{"author": "Alice", "text": "hi", "id": "local-t1-1"}"#,
            422,
            "invalid_id",
        ),
        (MESSAGES, long.as_str(), 413, "text_too_long"),
        (MESSAGES, megabyte.as_str(), 413, "text_too_long"),
        (
            "/api/rooms/attic/messages",
            r#"{"author": "Alice", "text": "hi"}"#,
            404,
            "unknown_room",
        ),
        ("/api/nowhere", "{}", 404, "unknown_route"),
    ];
    for (path, body, status, code) in cases {
        let (given, answer) = process.call_raw(Method::POST, path, body.to_owned()).await;
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("no JSON: {answer}"));
        let shown: String = body.chars().take(80).collect();
        assert_eq!(
            (given.as_u16(), answer["error"]["code"].as_str()),
            (status, Some(code)),
            "{path} {shown}: {answer}"
        );
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.len() > 15, "{message}");
    }
    assert_eq!(
        process.messages().await,
        Vec::<Value>::new(),
        "none of it is in the room"
    );
    let message = process.say("Alice", "Denizen, are you well?").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
}

#[tokio::test]
async fn what_is_refused_at_the_door_is_in_the_journal_and_a_flood_of_it_is_counted() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    let (status, _) = process
        .call_raw(
            Method::POST,
            "/api/rooms/attic/messages",
            r#"{"author": "Alice", "text": "hi"}"#.to_owned(),
        )
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, _) = process.call_raw(Method::POST, MESSAGES, "{".to_owned()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let version = process.get("/api/settings").await["version"].clone();
    let (status, _) = process
        .save_settings(&version, json!({"activity.maxRetries": 99}))
        .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    for _ in 0..60 {
        process.call_raw(Method::POST, MESSAGES, "{".to_owned()).await;
    }
    let refused = eventually("the refusals are journaled", async || {
        let journal = process.journal().await;
        let refused: Vec<Value> = journal
            .into_iter()
            .filter(|line| line["name"] == "web_request_refused")
            .collect();
        (refused.len() >= 20).then_some(refused)
    })
    .await;
    let codes: Vec<&str> = refused
        .iter()
        .filter_map(|line| line["data"]["code"].as_str())
        .collect();
    assert_eq!(codes[..3], ["unknown_room", "malformed_json", "invalid_settings"]);
    assert_eq!(refused[0]["data"]["path"], "/api/rooms/attic/messages");
    assert!(
        refused.len() < 63,
        "a flood is not written line by line: {}",
        refused.len()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_messages_in_a_burst_are_stored_or_refused_and_the_room_goes_on() {
    const WRITERS: usize = 24;
    const EACH: usize = 420;
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    process
        .change_settings(json!({"permissions.allowInitiativeReplies": false}))
        .await;
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let (client, url) = (process.client.clone(), format!("{}{MESSAGES}", process.url));
        writers.spawn(async move {
            let mut accepted = Vec::new();
            for number in 0..EACH {
                let id = format!("burst-{writer:02}-{number:04}");
                let body = json!({"author": format!("Person {writer}"), "text": format!("message {number}"), "id": id});
                let request = client.post(&url).header("content-type", "application/json").body(body.to_string());
                let response = request.send().await.expect("the process answers");
                match response.status() {
                    StatusCode::CREATED => accepted.push(id),
                    StatusCode::SERVICE_UNAVAILABLE => {
                        assert!(response.headers().contains_key("retry-after"));
                    }
                    other => panic!("{id} was answered with {other}"),
                }
            }
            accepted
        });
    }
    let mut accepted = Vec::new();
    while let Some(writer) = writers.join_next().await {
        accepted.extend(writer.expect("a writer"));
    }
    assert!(!accepted.is_empty());
    accepted.sort();
    let mut stored: Vec<String> = process
        .messages()
        .await
        .iter()
        .map(|message| message["id"].as_str().expect("an id").to_owned())
        .collect();
    stored.sort();
    assert_eq!(stored.len(), accepted.len());
    assert!(
        stored == accepted,
        "what was answered with 201 is in the room, and nothing else"
    );
    let health = process
        .client
        .get(format!("{}/api/health", process.url))
        .timeout(Duration::from_secs(60));
    assert!(health.send().await.expect("it is healthy").status().is_success());
    let message = process.say("Alice", "Denizen, still standing?").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
}
