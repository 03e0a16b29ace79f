//! What is refused, and in which words.

use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::answer;
use crate::driver::{House, open};
use crate::stand_ins::{DEFECTIVE, UNREADABLE};

const LOUNGE: &str = "/api/rooms/lounge/messages";

async fn refused(house: &House, body: Value, status: u16, code: &str) -> String {
    house.caller.post(LOUNGE, &body).await.refused(status, code)
}

#[tokio::test]
async fn what_cannot_be_a_message_is_refused_with_a_remedy() {
    let house = open().await;
    let alice = |text: &str| json!({"author": "Alice", "text": text});
    for name in ["", "  ", "Denizen", "dENIZEN", "a\u{0}b", &"x".repeat(41)] {
        refused(
            &house,
            json!({"author": name, "text": "hi"}),
            422,
            "invalid_author",
        )
        .await;
    }
    refused(&house, alice(""), 422, "empty_message").await;
    refused(&house, alice(" \n "), 422, "empty_message").await;
    refused(&house, json!({"author": "Alice"}), 422, "empty_message").await;
    refused(&house, alice("a\u{0}b"), 422, "invalid_text").await;
    let problem = refused(&house, alice(&"é".repeat(8_001)), 413, "text_too_long").await;
    assert!(problem.contains("8000") && problem.contains("8001"), "{problem}");
    refused(&house, alice(&"x".repeat(1_000_000)), 413, "text_too_long").await;
    house
        .caller
        .post(LOUNGE, &alice(&"é".repeat(8_000)))
        .await
        .ok(201);
    for id in [
        "short",
        "spaces are bad",
        "slash/slash/slash",
        "local-t12-1",
        &"x".repeat(65),
    ] {
        refused(
            &house,
            json!({"author": "Alice", "text": "hi", "id": id}),
            422,
            "invalid_id",
        )
        .await;
    }
    house
        .caller
        .post("/api/rooms/attic/messages", &alice("hi"))
        .await
        .refused(404, "unknown_room");
    house
        .caller
        .get("/api/rooms/attic/messages")
        .await
        .refused(404, "unknown_room");
    assert_eq!(
        house.store.kept().messages.len(),
        1,
        "only the good one was stored"
    );
}

#[tokio::test]
async fn bodies_that_do_not_fit_are_refused_by_place_and_field() {
    let house = open().await;
    let raw = async |body: &str| {
        let request = house
            .caller
            .request(Method::POST, LOUNGE)
            .header("content-type", "application/json; charset=utf-8");
        answer(request.body(body.to_owned())).await
    };
    let problem = raw("{\"author\": \"Alice\",\n \"text\" 1}")
        .await
        .refused(400, "malformed_json");
    assert!(problem.contains("line 2 column 9"), "{problem}");
    raw("").await.refused(400, "malformed_json");
    raw("{\"author\": \"Alice\", \"text\": \"hi\"} x")
        .await
        .refused(400, "malformed_json");
    let problem = raw(r#"{"author": "Alice", "text": "hi", "colour": 1}"#)
        .await
        .refused(422, "unknown_field");
    assert!(problem.contains("colour"), "{problem}");
    let problem = raw(r#"{"author": "Alice", "text": 7}"#)
        .await
        .refused(422, "invalid_field");
    assert!(problem.contains("text"), "{problem}");
    let problem = raw(r#"{"text": "hi"}"#).await.refused(422, "invalid_field");
    assert!(problem.contains("author"), "{problem}");
    raw("[1]").await.refused(422, "invalid_field");
    let request = house
        .caller
        .request(Method::POST, LOUNGE)
        .header("content-type", "text/plain");
    answer(request.body("{}"))
        .await
        .refused(415, "wrong_content_type");
    answer(house.caller.request(Method::POST, LOUNGE).body("{}"))
        .await
        .refused(415, "wrong_content_type");
}

#[tokio::test]
async fn defects_and_broken_disks_are_answered_too() {
    let house = open().await;
    refused(
        &house,
        json!({"author": "Alice", "text": "x", "id": DEFECTIVE}),
        500,
        "internal",
    )
    .await;
    let problem = refused(
        &house,
        json!({"author": "Alice", "text": "x", "id": UNREADABLE}),
        500,
        "storage_failed",
    )
    .await;
    assert!(problem.contains("disk I/O error"), "{problem}");
    house.caller.get("/api/health").await.ok(200);
}

#[tokio::test]
async fn unknown_routes_and_methods_are_refused_as_json() {
    let house = open().await;
    house
        .caller
        .get("/api/nothing")
        .await
        .refused(404, "unknown_route");
    house.caller.get("/api").await.refused(404, "unknown_route");
    answer(house.caller.request(Method::PUT, "/api/health"))
        .await
        .refused(405, "method_not_allowed");
}
