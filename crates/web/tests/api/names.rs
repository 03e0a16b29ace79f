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
    // Bob has written: nobody has what is his without being given it.
    let message = other
        .post(&messages, &say("Bob"))
        .await
        .refused(409, "name_taken");
    assert!(message.contains("--to"), "{message}");
    let newest = house.caller.get("/api/access").await.ok(200);
    let id = newest["credentials"][1]["id"].clone();
    let give = json!({"owner": id});
    let given = house
        .caller
        .send(Method::PUT, "/api/names/Bob", &give)
        .await
        .ok(200);
    assert_eq!((&given["name"], &given["owner"]), (&json!("Bob"), &id));
    other.post(&messages, &say("Bob")).await.ok(201);
    one.post(&messages, &say("Bob")).await.refused(409, "name_taken");
    let unknown = json!({"owner": "nobody"});
    house
        .caller
        .send(Method::PUT, "/api/names/Bob", &unknown)
        .await
        .refused(404, "unknown_credential");
}

#[tokio::test]
async fn a_name_that_was_let_go_is_not_another_ones_to_act_under() {
    let house = open().await;
    let (alice, mallory) = (
        as_role(&house, "participant").await,
        as_role(&house, "participant").await,
    );
    let messages = format!("{LOUNGE}/messages");
    let hello = json!({"author": "Alice", "text": "hello", "id": "alice-001"});
    alice.post(&messages, &hello).await.ok(201);
    let id = house.caller.get("/api/access").await.ok(200)["credentials"][0]["id"].clone();
    let path = format!("/api/access/{}", id.as_str().unwrap());
    assert_eq!(
        answer(house.caller.request(Method::DELETE, &path)).await.status,
        204
    );
    let message = format!("{messages}/alice-001");
    let refused_all = async || {
        let take_back = mallory.request(Method::DELETE, &format!("{message}?author=Alice"));
        answer(take_back).await.refused(409, "name_taken");
        let edit = json!({"author": "Alice", "text": "I never said that"});
        mallory
            .send(Method::PATCH, &message, &edit)
            .await
            .refused(409, "name_taken");
        for author in ["Alice", "Alicé"] {
            let forget = json!({"author": author, "text": "/forget me"});
            mallory.post(&messages, &forget).await.refused(409, "name_taken");
        }
    };
    refused_all().await;
    // The same where nothing is on record of her, as when the file is lost.
    let released = answer(house.caller.request(Method::DELETE, "/api/names/Alice")).await;
    assert_eq!(released.status, 204);
    refused_all().await;
    assert_eq!(house.store.kept().messages.len(), 1);
    // An administrator may.
    let edit = json!({"author": "Alice", "text": "hello all"});
    house.caller.send(Method::PATCH, &message, &edit).await.ok(200);
}

#[tokio::test]
async fn a_name_that_looks_like_anothers_is_refused() {
    let house = open().await;
    let (alice, mallory) = (
        as_role(&house, "participant").await,
        as_role(&house, "participant").await,
    );
    let messages = format!("{LOUNGE}/messages");
    let say = |author: &str| json!({"author": author, "text": "hello"});
    alice.post(&messages, &say("Alice")).await.ok(201);
    for alike in [
        "Ａlice",
        "Аlice",
        "A1ice",
        "Alicé",
        "aLICÉ",
        "𝐀lice",
        "Alice.",
        "Alice!",
        "@Alice",
        "Alice (admin)",
        "Alice ✓",
    ] {
        let message = mallory
            .post(&messages, &say(alike))
            .await
            .refused(409, "name_taken");
        assert!(message.contains(&format!("“{alike}”")), "{message}");
    }
    for other in ["Malory", "Alicia", "Alice2"] {
        mallory.post(&messages, &say(other)).await.ok(201);
    }
    alice.post(&messages, &say("Alicé")).await.ok(201);
    // Whoever has a name may not write it so that it reads as another's.
    alice.post(&messages, &say("Ian")).await.ok(201);
    mallory.post(&messages, &say("Lan")).await.ok(201);
    mallory
        .post(&messages, &say("lan"))
        .await
        .refused(409, "name_taken");
    // An administrator's name is guarded more closely.
    house.caller.post(&messages, &say("Bob")).await.ok(201);
    for alike in ["Bob (Berlin)", "Bob Bot", "8ob"] {
        mallory
            .post(&messages, &say(alike))
            .await
            .refused(409, "name_taken");
    }
    mallory.post(&messages, &say("Bob2")).await.ok(201);
}

#[tokio::test]
async fn whoever_writes_too_fast_has_to_wait_and_others_do_not() {
    let house = open().await;
    let (flood, calm) = (
        as_role(&house, "participant").await,
        as_role(&house, "participant").await,
    );
    let messages = format!("{LOUNGE}/messages");
    let say = |author: &str| json!({"author": author, "text": "hello"});
    let mut refused = None;
    // More than what a burst holds, and more than come again meanwhile however slow this machine is.
    for _ in 0..5_000 {
        let told = flood.post(&messages, &say("Flood")).await;
        if told.status != 201 {
            refused = Some(told);
            break;
        }
    }
    let refused = refused.expect("somebody who writes on and on is told to wait");
    refused.refused(429, "too_fast");
    assert_eq!(refused.header("retry-after"), "1");
    assert!(house.store.kept().messages.len() >= 60);
    calm.post(&messages, &say("Calm")).await.ok(201);
    for _ in 0..100 {
        house.caller.post(&messages, &say("Operator")).await.ok(201);
    }
}

#[tokio::test]
async fn whoever_says_too_often_that_they_type_has_to_wait_and_can_write_all_the_same() {
    let house = open().await;
    let flood = as_role(&house, "participant").await;
    let typing = format!("{LOUNGE}/typing");
    let types = json!({"author": "Flood", "typing": true});
    let mut refused = None;
    for _ in 0..5_000 {
        let told = flood.post(&typing, &types).await;
        if told.status != 204 {
            refused = Some(told);
            break;
        }
    }
    let refused = refused.expect("somebody who says it on and on is told to wait");
    refused.refused(429, "too_fast");
    assert_eq!(refused.header("retry-after"), "1");
    let said = json!({"author": "Flood", "text": "hello"});
    flood.post(&format!("{LOUNGE}/messages"), &said).await.ok(201);
}
