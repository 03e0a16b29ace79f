//! Who may end what: sessions, tokens and links, the pace of all sessions of a token, and lines that strangers cause.

use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::{Answer, Caller, answer};
use crate::driver::{House, open};

async fn token(house: &House, role: &str) -> (String, String) {
    let new = json!({"role": role, "label": "a test"});
    let made = house.caller.post("/api/access", &new).await.ok(201);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&made["token"]), text(&made["credential"]["id"]))
}

fn pair(entered: &Answer) -> String {
    let cookie = entered.header("set-cookie");
    cookie.split(';').next().unwrap().to_owned()
}

async fn enter(stranger: &Caller, shown: Value) -> Answer {
    stranger.post("/api/enter", &shown).await
}

/// The code of a fresh link for administrators, made by somebody.
async fn code(by: &Caller) -> String {
    let wish = json!({"role": "administrator", "label": "leaked", "uses": 100});
    let made = by.post("/api/access/links", &wish).await.ok(201);
    made["path"]
        .as_str()
        .unwrap()
        .strip_prefix("/?enter=")
        .unwrap()
        .to_owned()
}

async fn links(house: &House) -> Vec<Value> {
    let listed = house.caller.get("/api/access").await.ok(200);
    let all = listed["credentials"].as_array().unwrap().clone();
    all.into_iter().filter(|one| one["kind"] == "link").collect()
}

#[tokio::test]
async fn leaving_ends_a_session_and_never_a_token_that_stands_in_a_cookie() {
    let house = open().await;
    let (secret, _) = token(&house, "reader").await;
    let stranger = Caller::new(house.address);
    let session = pair(&enter(&stranger, json!({"token": secret})).await);
    let name = session.split('=').next().unwrap();
    let leave = async |cookie: &str| {
        answer(
            stranger
                .request(Method::POST, "/api/leave")
                .header("cookie", cookie),
        )
        .await
    };
    assert_eq!(leave(&format!("{name}={secret}")).await.status, 204);
    let reader = Caller::knowing(house.address, &secret);
    reader.get("/api/me").await.ok(200);
    assert_eq!(leave(&session).await.status, 204);
    let me = answer(stranger.request(Method::GET, "/api/me").header("cookie", session)).await;
    me.refused(401, "unauthorized");
    reader.get("/api/me").await.ok(200);
}

#[tokio::test]
async fn links_are_listed_and_taken_back_and_end_with_whoever_made_them() {
    let house = open().await;
    let stranger = Caller::new(house.address);
    let leaked = code(&house.caller).await;
    enter(&stranger, json!({"code": leaked})).await.ok(200);
    let listed = links(&house).await;
    assert_eq!(
        (&listed[0]["label"], &listed[0]["usesLeft"]),
        (&json!("leaked"), &json!(99))
    );
    assert!(
        !listed[0].to_string().contains(&leaked),
        "its code is nobody's to see"
    );
    let path = format!("/api/access/{}", listed[0]["id"].as_str().unwrap());
    let end = async |path: &str| answer(house.caller.request(Method::DELETE, path)).await.status;
    assert_eq!(end(&path).await, 204);
    enter(&stranger, json!({"code": leaked}))
        .await
        .refused(403, "link_over");
    assert!(links(&house).await.is_empty());
    assert_eq!(end(&path).await, 404);

    let (secret, id) = token(&house, "administrator").await;
    let own = code(&Caller::knowing(house.address, &secret)).await;
    assert_eq!(links(&house).await.len(), 1);
    assert_eq!(end(&format!("/api/access/{id}")).await, 204);
    enter(&stranger, json!({"code": own}))
        .await
        .refused(403, "link_over");
}

#[tokio::test]
async fn whoever_comes_in_again_writes_no_faster() {
    let house = open().await;
    let (secret, _) = token(&house, "participant").await;
    let stranger = Caller::new(house.address);
    let (mut taken, began) = (0, std::time::Instant::now());
    for _ in 0..3 {
        let session = pair(&enter(&stranger, json!({"token": secret})).await);
        for _ in 0..40 {
            let body = json!({"author": "Alice", "text": "hi"});
            let write = stranger.with_json(Method::POST, "/api/rooms/lounge/messages", &body);
            if answer(write.header("cookie", &session)).await.status != 201 {
                break;
            }
            taken += 1;
        }
        answer(
            stranger
                .request(Method::POST, "/api/leave")
                .header("cookie", &session),
        )
        .await;
    }
    let most = 32 + 2 * began.elapsed().as_secs();
    assert!(
        (30..=most).contains(&taken),
        "{taken} were taken, and {most} is the most"
    );
}

#[tokio::test]
async fn strangers_write_few_and_short_lines_into_the_journal() {
    let house = open().await;
    let stranger = Caller::new(house.address);
    let method = Method::from_bytes("A".repeat(5_000).as_bytes()).unwrap();
    for _ in 0..12 {
        let refused = answer(stranger.request(method.clone(), "/api/watch/socket")).await;
        assert!(refused.status >= 400, "{}", refused.text);
    }
    // What is brought in after them has passed them.
    house
        .caller
        .post(
            "/api/rooms/lounge/messages",
            &json!({"author": "Alice", "text": "hi"}),
        )
        .await
        .ok(201);
    let kept = house.store.kept();
    let lines = &kept.refused;
    assert!(!lines.is_empty() && lines.len() < 12, "{lines:?}");
    assert!(lines.iter().all(|method| method.len() <= 16), "{lines:?}");
}
