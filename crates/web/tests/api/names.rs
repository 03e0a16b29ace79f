//! Names in a room belong to whoever took them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::answer;
use crate::driver::open;
use crate::roles::as_role;

const LOUNGE: &str = "/api/rooms/lounge";

#[tokio::test]
async fn nobody_acts_under_another_ones_name() {
    let house = open().await;
    let (alice, mallory) = (
        as_role(&house, "participant").await,
        as_role(&house, "participant").await,
    );
    let messages = format!("{LOUNGE}/messages");
    let first = alice
        .post(
            &messages,
            &json!({"author": "Alice", "text": "hello", "id": "alice-001"}),
        )
        .await;
    first.ok(201);
    let (message, reactions) = (
        format!("{messages}/alice-001"),
        format!("{messages}/alice-001/reactions"),
    );
    let typing = format!("{LOUNGE}/typing");
    let shares = format!("{LOUNGE}/shares");
    let under_her_name: [(Method, &str, Value); 6] = [
        (
            Method::POST,
            &messages,
            json!({"author": "  aLICE ", "text": "/forget me"}),
        ),
        (
            Method::PATCH,
            &message,
            json!({"author": "Alice", "text": "I never said that"}),
        ),
        (Method::PUT, &reactions, json!({"author": "Alice", "emoji": "👍"})),
        (
            Method::DELETE,
            &reactions,
            json!({"author": "Alice", "emoji": "👍"}),
        ),
        (Method::POST, &typing, json!({"author": "Alice", "typing": true})),
        (Method::POST, &shares, json!({"name": "Alice"})),
    ];
    for (method, path, body) in under_her_name {
        let message = mallory.send(method, path, &body).await.refused(409, "name_taken");
        assert!(message.to_lowercase().contains("“alic"), "{message}");
    }
    let take_back = mallory.request(Method::DELETE, &format!("{message}?author=Alice"));
    answer(take_back).await.refused(409, "name_taken");
    // Under her own name she is told that it is not hers.
    let edit = json!({"author": "Mallory", "text": "changed"});
    mallory
        .send(Method::PATCH, &message, &edit)
        .await
        .refused(403, "not_yours");
    assert_eq!(house.store.kept().messages.len(), 1);
    alice
        .send(
            Method::PATCH,
            &message,
            &json!({"author": "Alice", "text": "hello all"}),
        )
        .await
        .ok(200);
}

#[tokio::test]
async fn one_session_may_hold_several_names_and_an_administrator_releases_them() {
    let house = open().await;
    let (one, other) = (
        as_role(&house, "participant").await,
        as_role(&house, "participant").await,
    );
    let messages = format!("{LOUNGE}/messages");
    let say = |author: &str| json!({"author": author, "text": "hello"});
    for author in ["Alice", "Bob"] {
        one.post(&messages, &say(author)).await.ok(201);
    }
    house
        .caller
        .post(&messages, &say("Bob"))
        .await
        .refused(409, "name_taken");
    let listed = house.caller.get("/api/names").await.ok(200);
    assert_eq!(listed["names"].as_array().unwrap().len(), 2);
    let release = || answer(house.caller.request(Method::DELETE, "/api/names/bob"));
    assert_eq!(release().await.status, 204);
    release().await.refused(404, "unknown_name");
    other.post(&messages, &say("Bob")).await.ok(201);
    one.post(&messages, &say("Bob")).await.refused(409, "name_taken");
}
