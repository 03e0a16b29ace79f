//! Reactions under a message.

use mind::{Input, RoomEvent};
use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::Answer;
use crate::driver::{House, open};

const LOUNGE: &str = "/api/rooms/lounge/messages";
const HERE: &str = "/api/rooms/lounge/messages/alice-0001/reactions";

async fn with_a_message() -> House {
    let house = open().await;
    let body = json!({"author": "Alice", "text": "look", "id": "alice-0001"});
    house.caller.post(LOUNGE, &body).await.ok(201);
    house
}

async fn react(house: &House, method: Method, author: &str, emoji: &str) -> Answer {
    let body = json!({"author": author, "emoji": emoji});
    house.caller.send(method, HERE, &body).await
}

async fn under(house: &House) -> Value {
    house.caller.get(LOUNGE).await.ok(200)["messages"][0]["reactions"].clone()
}

/// Inputs of reactions so far.
fn heard(house: &House) -> usize {
    let kept = house.store.kept();
    let is_reaction = |input: &&Input| matches!(input, Input::Room(_, RoomEvent::ReactionChanged { .. }));
    kept.heard.iter().filter(is_reaction).count()
}

#[tokio::test]
async fn reactions_come_and_go_with_their_message() {
    let house = with_a_message().await;
    assert_eq!(
        under(&house).await,
        Value::Null,
        "a message without any says nothing"
    );
    react(&house, Method::PUT, "Alice", "👍").await.ok(204);
    react(&house, Method::PUT, "Bob", "👍").await.ok(204);
    react(&house, Method::PUT, "Bob", "👩‍👩‍👧‍👦").await.ok(204);
    assert_eq!(
        under(&house).await,
        json!([{"emoji": "👍", "people": ["local:alice", "local:bob"]},
            {"emoji": "👩‍👩‍👧‍👦", "people": ["local:bob"]}])
    );
    react(&house, Method::DELETE, "Alice", "👍").await.ok(204);
    react(&house, Method::DELETE, "Bob", "👍").await.ok(204);
    assert_eq!(
        under(&house).await,
        json!([{"emoji": "👩‍👩‍👧‍👦", "people": ["local:bob"]}])
    );
    let first = house.store.kept().heard[0].clone();
    let expected = Input::Room(
        "lounge".into(),
        RoomEvent::ReactionChanged {
            message: "alice-0001".into(),
            person: "local:alice".into(),
            emoji: "👍".to_owned(),
            added: true,
        },
    );
    assert_eq!(first, expected);
}

#[tokio::test]
async fn the_same_again_is_no_second_input() {
    let house = with_a_message().await;
    let twice = [
        react(&house, Method::PUT, "Bob", "👍"),
        react(&house, Method::PUT, "bob ", "👍"),
    ];
    for answer in futures_util::future::join_all(twice).await {
        answer.ok(204);
    }
    assert_eq!(heard(&house), 1);
    react(&house, Method::DELETE, "Carol", "👍").await.ok(204);
    react(&house, Method::DELETE, "Bob", "👍").await.ok(204);
    react(&house, Method::DELETE, "Bob", "👍").await.ok(204);
    assert_eq!(heard(&house), 2);
}

#[tokio::test]
async fn what_is_no_emoji_and_where_no_message_is_are_refused() {
    let house = with_a_message().await;
    for emoji in ["", " ", "a b", "👍\n", "\u{7}", &"x".repeat(33)] {
        for method in [Method::PUT, Method::DELETE] {
            react(&house, method, "Bob", emoji)
                .await
                .refused(422, "invalid_emoji");
        }
    }
    react(&house, Method::PUT, "Bob", &"x".repeat(32)).await.ok(204);
    react(&house, Method::PUT, "Denizen", "👍")
        .await
        .refused(422, "invalid_author");
    let body = json!({"author": "Bob", "emoji": "👍"});
    for (path, code) in [
        ("/api/rooms/lounge/messages/nothing/reactions", "unknown_message"),
        (
            "/api/rooms/kitchen/messages/alice-0001/reactions",
            "unknown_message",
        ),
        ("/api/rooms/attic/messages/alice-0001/reactions", "unknown_room"),
    ] {
        house
            .caller
            .send(Method::PUT, path, &body)
            .await
            .refused(404, code);
        house
            .caller
            .send(Method::DELETE, path, &body)
            .await
            .refused(404, code);
    }
    house
        .caller
        .post(HERE, &body)
        .await
        .refused(405, "method_not_allowed");
    let more = json!({"author": "Bob", "emoji": "👍", "colour": "red"});
    house
        .caller
        .send(Method::PUT, HERE, &more)
        .await
        .refused(422, "unknown_field");
    assert_eq!(heard(&house), 1);
}

#[tokio::test]
async fn a_message_takes_twenty_different_ones_and_a_thousand_in_all() {
    let house = with_a_message().await;
    for number in 0..20 {
        react(&house, Method::PUT, "Bob", &format!("e{number}"))
            .await
            .ok(204);
    }
    let problem = react(&house, Method::PUT, "Bob", "e20")
        .await
        .refused(409, "too_many_reactions");
    assert!(problem.contains("20 different"), "{problem}");
    react(&house, Method::PUT, "Carol", "e0").await.ok(204);
    react(&house, Method::DELETE, "Bob", "e1").await.ok(204);
    react(&house, Method::PUT, "Bob", "e20").await.ok(204);
    let crowd = (0..979).map(|number| format!("local:p{number}").as_str().into());
    house.store.kept().messages[0].reactions[0].people.extend(crowd);
    let problem = react(&house, Method::PUT, "Dora", "e0")
        .await
        .refused(409, "too_many_reactions");
    assert!(problem.contains("1000"), "{problem}");
}

#[tokio::test]
async fn pages_are_told_what_is_under_the_message_now() {
    let house = with_a_message().await;
    let (_, mut live) = house.handle.live().subscribe(None);
    react(&house, Method::PUT, "Bob", "👍").await.ok(204);
    let told = live.recv().await.unwrap();
    assert_eq!(
        serde_json::to_value(&told.event).unwrap(),
        json!({"type": "reactions", "room": "lounge", "id": "alice-0001",
            "reactions": [{"emoji": "👍", "people": ["local:bob"]}]})
    );
}
