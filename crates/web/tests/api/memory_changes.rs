//! Changing memory by hand: adding, correcting, replacing and forgetting.

use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::answer;
use crate::driver::House;
use crate::remembered::{found, ids, remembering};

async fn delete(house: &House, path: &str) -> crate::caller::Answer {
    answer(house.caller.request(Method::DELETE, path)).await
}

#[tokio::test]
async fn a_gem_is_added_once_by_the_operator() {
    let house = remembering().await;
    let body = json!({"content": "Alice lives in Porto.", "person": "local:alice", "tags": ["fact", "fact"], "importance": 0.9});
    let gem = house.caller.post("/api/memory/gems", &body).await.ok(201)["gem"].clone();
    assert_eq!(gem["made_by"], "operator");
    assert_eq!(
        gem["place"],
        json!({"community": "local", "room": "lounge", "private": false})
    );
    assert_eq!(
        (&gem["person"], &gem["importance"], &gem["tags"]),
        (&json!("local:alice"), &json!(0.9), &json!(["fact"]))
    );
    let again = house.caller.post("/api/memory/gems", &body).await.ok(201);
    assert_eq!(
        again["gem"]["gem_id"], gem["gem_id"],
        "the same content is the same gem"
    );
    let listed = house.caller.get("/api/memory/gems?limit=1").await.ok(200);
    assert_eq!(ids(&listed), [gem["gem_id"].as_str().unwrap()]);
}

#[tokio::test]
async fn a_gem_is_corrected_and_pinned() {
    let house = remembering().await;
    let path = "/api/memory/gems/g-walnuts";
    let patch = async |body: Value| house.caller.send(Method::PATCH, path, &body).await;
    let edit = json!({"content": "Alice is allergic to walnuts and pecans.", "pinned": true, "tags": ["fact", "preference"]});
    let gem = patch(edit).await.ok(200)["gem"].clone();
    assert_eq!(
        (&gem["pinned"], &gem["gem_id"]),
        (&json!(true), &json!("g-walnuts"))
    );
    assert_eq!(gem["source"]["turns"], json!(["t1"]), "where it came from stays");
    let search = house.caller.get("/api/memory/search?q=pecans").await.ok(200);
    assert_eq!(found(&search), ["g-walnuts"]);
    for (body, code) in [
        (json!({"importance": 1.5}), "invalid_field"),
        (json!({"content": " "}), "invalid_field"),
        (json!({"content": "x".repeat(2_001)}), "invalid_field"),
        (json!({"topics": vec!["x"; 13]}), "invalid_field"),
        (json!({"tags": ["secret"]}), "invalid_field"),
        (json!({"colour": "red"}), "unknown_field"),
    ] {
        patch(body).await.refused(422, code);
    }
    let nothing = house
        .caller
        .send(Method::PATCH, "/api/memory/gems/x", &json!({}))
        .await;
    nothing.refused(404, "unknown_gem");
}

#[tokio::test]
async fn a_gem_gives_way_to_what_holds_now() {
    let house = remembering().await;
    let supersede = async |id: &str, body: Value| {
        house
            .caller
            .post(&format!("/api/memory/gems/{id}/supersede"), &body)
            .await
    };
    let answer = supersede("g-walnuts", json!({"content": "Alice eats walnuts again."}))
        .await
        .ok(200);
    assert_eq!(answer["gem"]["content"], "Alice eats walnuts again.");
    assert_eq!(answer["gem"]["made_by"], "operator");
    assert_eq!(answer["superseded"]["superseded_by"], answer["gem"]["gem_id"]);
    let by = supersede("g-oolong", json!({"by": "g-key"})).await.ok(200);
    assert_eq!(by["superseded"]["superseded_by"], "g-key");
    supersede("g-key", json!({"by": "g-key"}))
        .await
        .refused(422, "invalid_field");
    supersede("g-key", json!({"by": "nothing"}))
        .await
        .refused(404, "unknown_gem");
    supersede("nothing", json!({"content": "x"}))
        .await
        .refused(404, "unknown_gem");
    supersede("g-key", json!({})).await.refused(422, "invalid_field");
    supersede("g-key", json!({"by": "g-oolong", "content": "x"}))
        .await
        .refused(422, "invalid_field");
}

#[tokio::test]
async fn a_gem_is_forgotten_with_the_turns_it_came_from() {
    let house = remembering().await;
    let removed = delete(&house, "/api/memory/gems/g-walnuts").await.ok(200);
    assert_eq!(
        removed["removed"],
        json!({"gems": ["g-walnuts"], "turns": ["t1"]})
    );
    delete(&house, "/api/memory/gems/g-walnuts")
        .await
        .refused(404, "unknown_gem");
    let search = house.caller.get("/api/memory/search?q=allergic").await.ok(200);
    assert_eq!(found(&search), [""; 0]);
}

#[tokio::test]
async fn a_person_is_forgotten_whole() {
    let house = remembering().await;
    let removed = delete(&house, "/api/memory/people/local:alice").await.ok(200)["removed"].clone();
    assert_eq!(removed["gems"].as_array().unwrap().len(), 3);
    assert_eq!(removed["turns"].as_array().unwrap().len(), 3);
    let people = house.caller.get("/api/memory/people").await.ok(200);
    assert_eq!(people["people"].as_array().unwrap().len(), 1);
    let again = delete(&house, "/api/memory/people/local:alice").await.ok(200);
    assert_eq!(
        again["removed"],
        json!({"gems": [], "turns": []}),
        "safe to repeat"
    );
}

#[tokio::test]
async fn a_room_and_a_conversation_are_forgotten() {
    let house = remembering().await;
    let nothing = delete(&house, "/api/memory/rooms/vault?community=elsewhere")
        .await
        .ok(200);
    assert_eq!(nothing["removed"], json!({"gems": [], "turns": []}));
    let removed = delete(&house, "/api/memory/rooms/vault").await.ok(200);
    assert_eq!(removed["removed"], json!({"gems": ["g-key"], "turns": ["t3"]}));
    let removed = delete(&house, "/api/memory/sessions/local%2Flounge%2F2026-02-23")
        .await
        .ok(200);
    assert_eq!(removed["removed"]["turns"], json!(["t1", "t2", "t4"]));
    let status = house.caller.get("/api/memory/status").await.ok(200);
    assert_eq!(
        (&status["stats"]["gems"], &status["stats"]["turns"]),
        (&json!(0), &json!(0))
    );
}

#[tokio::test]
async fn forgetting_that_cannot_reach_memory_says_so() {
    let mut house = remembering().await;
    house.memory.cut_off(true);
    delete(&house, "/api/memory/people/local:alice?name=Alice")
        .await
        .refused(503, "memory_unreachable");
    house.memory.cut_off(false);
    house.stop_driver().await;
    delete(&house, "/api/memory/gems/g-key")
        .await
        .refused(503, "stopping");
}
