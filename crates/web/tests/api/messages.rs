//! Reading, writing, changing and taking back messages.

use reqwest::Method;
use serde_json::{Value, json};
use vocabulary::{Author, AuthorKind, Message, MessageId, RoomId, WallTime};

use crate::caller::answer;
use crate::driver::{House, open};

const LOUNGE: &str = "/api/rooms/lounge/messages";

async fn write(house: &House, body: Value) -> Value {
    house.caller.post(LOUNGE, &body).await.ok(201)["message"].clone()
}

async fn refused(house: &House, body: Value, status: u16, code: &str) -> String {
    house.caller.post(LOUNGE, &body).await.refused(status, code)
}

#[tokio::test]
async fn rooms_are_listed() {
    let house = open().await;
    let rooms = house.caller.get("/api/rooms").await.ok(200);
    let room = |name: &str| json!({"id": name, "name": name, "kind": "text"});
    assert_eq!(rooms, json!({"rooms": [room("lounge"), room("kitchen")]}));
}

#[tokio::test]
async fn a_written_message_is_stored_and_read_back() {
    let house = open().await;
    let written = write(&house, json!({"author": " Alice ", "text": "hello"})).await;
    assert_eq!(
        written["author"],
        json!({"id": "local:alice", "name": "Alice", "kind": "person"})
    );
    assert_eq!(written["seq"], 1);
    assert_eq!(
        uuid::Uuid::parse_str(written["id"].as_str().unwrap())
            .unwrap()
            .get_version_num(),
        7
    );
    let page = house.caller.get(LOUNGE).await.ok(200);
    let fates = json!([{"message": written["id"], "outcome": "waiting"}]);
    assert_eq!(
        page,
        json!({"messages": [written], "hasMore": false, "fates": fates})
    );
    let elsewhere = house.caller.get("/api/rooms/kitchen/messages").await.ok(200);
    assert_eq!(elsewhere["messages"], json!([]));
}

#[tokio::test]
async fn pages_of_messages_go_both_ways() {
    let house = open().await;
    for number in 1..=5 {
        write(
            &house,
            json!({"author": "Alice", "text": format!("message {number}")}),
        )
        .await;
    }
    let read = async |query: &str| {
        let page = house.caller.get(&format!("{LOUNGE}?{query}")).await.ok(200);
        let places: Vec<u64> = page["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m["seq"].as_u64().unwrap())
            .collect();
        (places, page["hasMore"].as_bool().unwrap())
    };
    assert_eq!(read("limit=2").await, (vec![4, 5], true));
    assert_eq!(read("before=4&limit=2").await, (vec![2, 3], true));
    assert_eq!(read("after=3").await, (vec![4, 5], false));
    house
        .caller
        .get(&format!("{LOUNGE}?limit=0"))
        .await
        .refused(400, "bad_query");
    house
        .caller
        .get(&format!("{LOUNGE}?limit=201"))
        .await
        .refused(400, "bad_query");
    house
        .caller
        .get(&format!("{LOUNGE}?before=2&after=1"))
        .await
        .refused(400, "bad_query");
    let problem = house
        .caller
        .get(&format!("{LOUNGE}?before=soon"))
        .await
        .refused(400, "bad_query");
    assert!(problem.contains("before"), "{problem}");
}

#[tokio::test]
async fn the_same_message_sent_again_is_written_once() {
    let house = open().await;
    let body = json!({"author": "Alice", "text": "hello", "id": "alice-000001"});
    let first = write(&house, body.clone()).await;
    assert_eq!(first["id"], "alice-000001");
    let again = house.caller.post(LOUNGE, &body).await.ok(200);
    assert_eq!(again["message"], first);
    assert_eq!(house.store.kept().messages.len(), 1);
    for other in [
        json!({"author": "Alice", "text": "bye", "id": "alice-000001"}),
        json!({"author": "Bob", "text": "hello", "id": "alice-000001"}),
    ] {
        refused(&house, other, 409, "id_in_use").await;
    }
    house
        .caller
        .post("/api/rooms/kitchen/messages", &body)
        .await
        .refused(409, "id_in_use");
}

#[tokio::test]
async fn a_retry_after_an_edit_is_still_the_same_message() {
    let house = open().await;
    let body = json!({"author": "Alice", "text": "hello", "id": "alice-000001"});
    write(&house, body.clone()).await;
    let path = format!("{LOUNGE}/alice-000001");
    house
        .caller
        .send(Method::PATCH, &path, &json!({"author": "Alice", "text": "hi"}))
        .await
        .ok(200);
    assert_eq!(
        house.caller.post(LOUNGE, &body).await.ok(200)["message"]["text"],
        "hi"
    );
}

#[tokio::test]
async fn the_id_of_a_message_that_was_taken_back_is_not_used_again() {
    let house = open().await;
    let body = json!({"author": "Alice", "text": "hello", "id": "alice-000001"});
    write(&house, body.clone()).await;
    let path = format!("{LOUNGE}/alice-000001?author=Alice");
    answer(house.caller.request(Method::DELETE, &path)).await.ok(204);
    refused(&house, body, 409, "id_in_use").await;
}

#[tokio::test]
async fn names_after_an_at_sign_are_mentions() {
    let house = open().await;
    write(&house, json!({"author": "Bob Smith", "text": "hello"})).await;
    let text = "@denizen and @bob smith, @everyone, @nobody, me@bob.example";
    let written = write(&house, json!({"author": "Alice", "text": text})).await;
    assert_eq!(written["mentions"], json!(["denizen", "local:bob smith"]));
}

#[tokio::test]
async fn replies_name_a_message_of_the_same_room() {
    let house = open().await;
    write(
        &house,
        json!({"author": "Bob", "text": "hello", "id": "bob-00001"}),
    )
    .await;
    let written = write(
        &house,
        json!({"author": "Alice", "text": "hi", "replyTo": "bob-00001"}),
    )
    .await;
    assert_eq!(written["replyTo"], "bob-00001");
    let body = json!({"author": "Alice", "text": "hi", "replyTo": "bob-00001"});
    house
        .caller
        .post("/api/rooms/kitchen/messages", &body)
        .await
        .refused(422, "unknown_reply_target");
    refused(
        &house,
        json!({"author": "Alice", "text": "hi", "replyTo": "x"}),
        422,
        "unknown_reply_target",
    )
    .await;
}

#[tokio::test]
async fn only_its_author_changes_or_takes_back_a_message() {
    let house = open().await;
    write(
        &house,
        json!({"author": "Alice", "text": "hello", "id": "alice-000001"}),
    )
    .await;
    let path = format!("{LOUNGE}/alice-000001");
    let patch = async |path: &str, body: Value| house.caller.send(Method::PATCH, path, &body).await;
    let delete = async |path: &str| answer(house.caller.request(Method::DELETE, path)).await;

    patch(&path, json!({"author": "Bob", "text": "mine"}))
        .await
        .refused(403, "not_yours");
    patch(&path, json!({"author": "Alice", "text": " "}))
        .await
        .refused(422, "empty_message");
    patch(&path, json!({"author": "Alice", "text": "x".repeat(8_001)}))
        .await
        .refused(413, "text_too_long");
    patch(
        &format!("{LOUNGE}/nothing"),
        json!({"author": "Alice", "text": "x"}),
    )
    .await
    .refused(404, "unknown_message");
    let elsewhere = "/api/rooms/kitchen/messages/alice-000001";
    patch(elsewhere, json!({"author": "Alice", "text": "x"}))
        .await
        .refused(404, "unknown_message");
    let changed = patch(&path, json!({"author": "ALICE", "text": "hello all"}))
        .await
        .ok(200);
    assert_eq!(changed["message"]["text"], "hello all");
    assert!(changed["message"]["editedAt"].is_number());

    delete(&format!("{path}?author=Bob"))
        .await
        .refused(403, "not_yours");
    delete(&path).await.refused(400, "bad_query");
    delete(&format!("{path}?author=Alice")).await.ok(204);
    delete(&format!("{path}?author=Alice"))
        .await
        .refused(404, "unknown_message");
    assert_eq!(house.caller.get(LOUNGE).await.ok(200)["messages"], json!([]));
}

#[tokio::test]
async fn nobody_changes_what_denizen_wrote() {
    let house = open().await;
    let message = Message {
        id: MessageId::from("d:1"),
        room: RoomId::from("lounge"),
        author: Author {
            id: "denizen".into(),
            name: "Denizen".into(),
            kind: AuthorKind::Denizen,
        },
        text: "hm".into(),
        at: WallTime(1),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    };
    house.store.kept().apply(runtime::ports::MessageChange::Added {
        message,
        turn: None,
        ask: None,
    });
    let body = json!({"author": "Denizen", "text": "ha"});
    house
        .caller
        .send(Method::PATCH, &format!("{LOUNGE}/d:1"), &body)
        .await
        .refused(403, "not_yours");
}

#[tokio::test]
async fn typing_is_taken_in() {
    let house = open().await;
    let path = "/api/rooms/lounge/typing";
    house
        .caller
        .post(path, &json!({"author": "Alice", "typing": true}))
        .await
        .ok(204);
    house
        .caller
        .post(path, &json!({"author": "Denizen", "typing": true}))
        .await
        .refused(422, "invalid_author");
    house
        .caller
        .post(path, &json!({"author": "Alice", "typing": "yes"}))
        .await
        .refused(422, "invalid_field");
    let attic = "/api/rooms/attic/typing";
    house
        .caller
        .post(attic, &json!({"author": "Alice", "typing": true}))
        .await
        .refused(404, "unknown_room");
    let large = json!({"author": "x".repeat(70_000), "typing": true});
    house
        .caller
        .post(path, &large)
        .await
        .refused(413, "body_too_large");
}
