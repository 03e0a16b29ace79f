//! What it would do with a message, and having one answered once more.

use mind::{Input, OperatorWish};
use reqwest::Method;
use serde_json::json;

use crate::caller::answer;
use crate::driver::open;

#[tokio::test]
async fn a_dry_run_shows_the_gate_and_the_prompt_and_stores_nothing() {
    let house = open().await;
    let question = json!({"author": "Alice", "text": "@Denizen what did we decide?"});
    let shown = house
        .caller
        .post("/api/rooms/lounge/dry-run", &question)
        .await
        .ok(200);
    assert_eq!(shown["outcome"], "ask_for_reply");
    assert_eq!(shown["admission"]["reason"], "forced");
    assert_eq!(shown["admission"]["rule"], "platform_mention");
    let parts = shown["prompt"]["account"]["parts"]
        .as_array()
        .expect("parts")
        .clone();
    let rules = parts
        .iter()
        .find(|part| part["kind"] == "rules")
        .expect("rules are counted");
    assert!(rules["tokens"].as_u64() > Some(50), "{rules}");
    assert!(shown["prompt"]["account"]["windowTokens"].as_u64() > Some(0));
    assert!(
        shown["prompt"]["sections"]
            .to_string()
            .contains("what did we decide?")
    );
    assert!(house.store.kept().heard.is_empty(), "nothing reached the mind");
    let messages = house.caller.get("/api/rooms/lounge/messages").await.ok(200);
    assert_eq!(messages["messages"], json!([]));
}

#[tokio::test]
async fn a_dry_run_says_why_it_would_stay_silent() {
    let house = open().await;
    let question = json!({"author": "Alice", "text": "lovely weather"});
    let shown = house
        .caller
        .post("/api/rooms/lounge/dry-run", &question)
        .await
        .ok(200);
    assert_eq!(shown["outcome"], "stay_silent");
    assert_eq!(shown["prompt"], json!(null));
    let sentence = shown["sentence"].as_str().unwrap_or_default();
    assert!(sentence.contains("Not addressed to Denizen"), "{sentence}");
}

#[tokio::test]
async fn a_dry_run_refuses_what_a_message_could_not_be() {
    let house = open().await;
    let run = |room: &'static str, author: &'static str, text: &'static str| {
        let body = json!({"author": author, "text": text});
        let caller = house.caller.clone();
        async move { caller.post(&format!("/api/rooms/{room}/dry-run"), &body).await }
    };
    run("attic", "Alice", "hello").await.refused(404, "unknown_room");
    run("lounge", "Denizen", "hello")
        .await
        .refused(422, "invalid_author");
    run("lounge", "Alice", "  ").await.refused(422, "empty_message");
}

#[tokio::test]
async fn a_message_is_tried_again_by_an_operators_wish() {
    let house = open().await;
    let message = json!({"author": "Alice", "text": "Denizen, hello", "id": "alice-000001"});
    house
        .caller
        .post("/api/rooms/lounge/messages", &message)
        .await
        .ok(201);
    let path = "/api/rooms/lounge/messages/alice-000001/retry";
    let wished = answer(house.caller.request(Method::POST, path)).await.ok(202);
    assert_eq!(wished, json!({"message": "alice-000001"}));
    let wish = OperatorWish::ReplyAgain {
        room: "lounge".into(),
        message: "alice-000001".into(),
    };
    assert_eq!(house.store.kept().heard.last(), Some(&Input::Operator(wish)));
    for path in [
        "/api/rooms/lounge/messages/nobody-000001/retry",
        "/api/rooms/kitchen/messages/alice-000001/retry",
    ] {
        let refused = answer(house.caller.request(Method::POST, path)).await;
        refused.refused(404, "unknown_message");
    }
}
