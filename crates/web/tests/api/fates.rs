//! What became of messages is told by the mind's own verdict, with the messages and when it is asked.

use serde_json::{Value, json};

use crate::driver::open_with;
use crate::inspector::lived_in;

#[tokio::test]
async fn every_message_comes_with_what_became_of_it() {
    let house = open_with(lived_in, 100, false).await;
    let page = house.caller.get("/api/rooms/lounge/messages").await.ok(200);
    let told: Vec<(&str, &str)> = page["fates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fate| {
            (
                fate["message"].as_str().unwrap(),
                fate["outcome"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("bob-00001", "silent"),
            ("alice-001", "answered"),
            ("d:2:1", "own")
        ]
    );
}

#[tokio::test]
async fn fates_are_those_that_why_gives() {
    let house = open_with(lived_in, 100, false).await;
    let ids = ["bob-00001", "alice-001", "d:2:1"];
    let asked = format!("/api/rooms/lounge/fates?messages={}", ids.join(","));
    let fates = house.caller.get(&asked).await.ok(200);
    for (place, id) in ids.iter().enumerate() {
        let why: Value = house.caller.get(&format!("/api/why/{id}")).await.ok(200);
        let told = json!({"message": id, "outcome": why["verdict"]["outcome"]});
        assert_eq!(fates["fates"][place], told);
    }
}

#[tokio::test]
async fn too_many_at_once_are_refused() {
    let house = open_with(lived_in, 100, false).await;
    let many = vec!["x"; 201].join(",");
    let refused = house
        .caller
        .get(&format!("/api/rooms/lounge/fates?messages={many}"))
        .await;
    assert_eq!(refused.status, 400);
    assert_eq!(refused.json()["error"]["code"], "bad_query");
}
