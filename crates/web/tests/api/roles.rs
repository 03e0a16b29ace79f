//! Who may do what: every route with every role, and the ways in.

use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::{Caller, answer};
use crate::driver::{House, open, open_with};

const ROLES: [&str; 5] = ["agent", "monitor", "reader", "participant", "administrator"];

/// Whoever holds a fresh token of a role.
pub async fn as_role(house: &House, role: &str) -> Caller {
    let new = json!({"role": role, "label": "a test"});
    let made = house.caller.post("/api/access", &new).await.ok(201);
    Caller::knowing(house.address, made["token"].as_str().unwrap())
}

/// Every route: method, an address to try, and its least role.
async fn routes(house: &House) -> Vec<(Method, String, String)> {
    let description = house.caller.get("/api/openapi.json").await.ok(200);
    let mut found = Vec::new();
    for (path, operations) in description["paths"].as_object().unwrap() {
        let address: Vec<&str> = path
            .split('/')
            .map(|part| if part.starts_with('{') { "x" } else { part })
            .collect();
        for (method, operation) in operations.as_object().unwrap() {
            let least = operation["x-least-role"].as_str();
            let least = least.unwrap_or_else(|| panic!("{method} {path} does not say which role it takes"));
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            found.push((method, address.join("/"), least.to_owned()));
        }
    }
    assert!(found.len() > 60);
    found
}

fn may(role: &str, least: &str) -> bool {
    let rank = |role| ROLES.iter().position(|known| *known == role).unwrap();
    match (role, least) {
        (_, "nobody" | "sharer") | ("administrator", _) => true,
        ("agent" | "monitor", least) => least == role,
        (role, least) => !["agent", "monitor"].contains(&least) && rank(role) >= rank(least),
    }
}

#[tokio::test]
async fn without_a_credential_no_route_does_anything() {
    let house = open().await;
    let stranger = Caller::new(house.address);
    for (method, address, least) in routes(&house).await {
        let refused = stranger.send(method.clone(), &address, &json!({})).await;
        match least.as_str() {
            "nobody" | "sharer" => assert!(
                refused.status >= 400 && refused.status != 401,
                "{method} {address}"
            ),
            _ => {
                refused.refused(401, "unauthorized");
            }
        }
    }
    stranger.get("/api/nothing").await.refused(401, "unauthorized");
    assert!(house.store.kept().messages.is_empty() && house.store.kept().heard.is_empty());
}

#[tokio::test]
async fn each_route_refuses_every_lesser_role() {
    let house = open().await;
    for role in ROLES {
        let caller = as_role(&house, role).await;
        for (method, address, least) in routes(&house).await {
            if may(role, &least) {
                continue;
            }
            let refused = caller.send(method, &address, &json!({})).await;
            let message = refused.refused(403, "not_allowed");
            assert!(message.contains(role) && message.contains(&least), "{message}");
        }
    }
}

#[tokio::test]
async fn each_role_may_do_its_own() {
    let house = open().await;
    let message = json!({"author": "Alice", "text": "hello"});
    let recall = json!({"query": "tea"});
    for role in ROLES {
        let caller = as_role(&house, role).await;
        for (method, path, least, body) in [
            (Method::GET, "/api/rooms", "reader", &Value::Null),
            (
                Method::POST,
                "/api/rooms/lounge/messages",
                "participant",
                &message,
            ),
            (Method::GET, "/api/settings", "administrator", &Value::Null),
            (Method::POST, "/v1/recall", "agent", &recall),
        ] {
            if !may(role, least) {
                continue;
            }
            // Each role writes under a name of its own.
            let body = match path.ends_with("messages") {
                true => json!({"author": role, "text": "hello"}),
                false => body.clone(),
            };
            let answer = caller.send(method, path, &body).await;
            assert!(answer.status < 300, "{role} {path}: {}", answer.text);
        }
    }
}

#[tokio::test]
async fn a_token_that_was_taken_back_opens_nothing() {
    let house = open().await;
    let reader = as_role(&house, "reader").await;
    reader.get("/api/rooms").await.ok(200);
    let listed = house.caller.get("/api/access").await;
    assert!(!listed.text.contains("sha256"), "{}", listed.text);
    let id = listed.json()["credentials"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/access/{id}");
    let take_back = || answer(house.caller.request(Method::DELETE, &path));
    assert_eq!(take_back().await.status, 204);
    reader.get("/api/rooms").await.refused(401, "unauthorized");
    take_back().await.refused(404, "unknown_credential");
}

#[tokio::test]
async fn a_link_lets_a_browser_in_once_and_the_browser_keeps_its_session() {
    let house = open_with(|_| {}, 100, false).await;
    let stranger = Caller::new(house.address);
    let link = async |role: &str| {
        let made = house
            .caller
            .post("/api/access/links", &json!({"role": role}))
            .await;
        let path = made.ok(201)["path"].as_str().unwrap().to_owned();
        path.strip_prefix("/?enter=").unwrap().to_owned()
    };
    let code = link("participant").await;
    assert_eq!(
        stranger.get(&format!("/?enter={code}")).await.status,
        200,
        "looking uses nothing up"
    );
    let entered = stranger.post("/api/enter", &json!({"code": code})).await;
    assert_eq!(entered.ok(200)["role"], "participant");
    let cookie = entered.header("set-cookie");
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let pair = cookie.split(';').next().unwrap().to_owned();
    let message = stranger
        .post("/api/enter", &json!({"code": code}))
        .await
        .refused(403, "link_over");
    assert!(message.contains("denizen link"), "{message}");
    let me = async |pair: &str| {
        let request = stranger.request(Method::GET, "/api/me").header("cookie", pair);
        answer(request).await
    };
    assert_eq!(me(&pair).await.ok(200)["role"], "participant");
    // The same browser with a higher link has more rights, by a secret that nobody can have planted.
    let code = link("administrator").await;
    let request = stranger
        .with_json(Method::POST, "/api/enter", &json!({"code": code}))
        .header("cookie", &pair);
    let again = answer(request).await;
    again.ok(200);
    me(&pair).await.refused(401, "unauthorized");
    let pair = again.header("set-cookie").split(';').next().unwrap().to_owned();
    assert_eq!(me(&pair).await.ok(200)["role"], "administrator");
    let leaving = stranger
        .request(Method::POST, "/api/leave")
        .header("cookie", &pair);
    assert_eq!(answer(leaving).await.status, 204);
    me(&pair).await.refused(401, "unauthorized");
}

#[tokio::test]
async fn a_link_may_open_a_room() {
    let house = open_with(|_| {}, 100, false).await;
    let link = async |room: &str| {
        let wish = json!({"role": "participant", "room": room});
        house.caller.post("/api/access/links", &wish).await
    };
    let path = link("lounge").await.ok(201)["path"].as_str().unwrap().to_owned();
    assert!(
        path.starts_with("/?enter=") && path.ends_with("#/room/lounge"),
        "{path}"
    );
    link("attic").await.refused(404, "unknown_room");
}

#[tokio::test]
async fn links_and_tokens_have_bounds() {
    let house = open().await;
    for (path, wish, code) in [
        (
            "/api/access/links",
            json!({"role": "participant", "uses": 0}),
            "invalid_uses",
        ),
        (
            "/api/access/links",
            json!({"role": "participant", "validSeconds": 99_999_999}),
            "invalid_time",
        ),
        ("/api/access/links", json!({"role": "agent"}), "invalid_role"),
        (
            "/api/access",
            json!({"role": "reader", "label": " "}),
            "invalid_label",
        ),
    ] {
        house.caller.post(path, &wish).await.refused(422, code);
    }
    let token = json!({"token": "not-a-token-of-this-house"});
    let message = Caller::new(house.address)
        .post("/api/enter", &token)
        .await
        .refused(403, "wrong_token");
    assert!(message.starts_with("This token is not right"), "{message}");
}

#[tokio::test]
async fn pages_of_other_sites_cannot_bring_anybody_in() {
    let house = open().await;
    let request = Caller::new(house.address)
        .with_json(Method::POST, "/api/enter", &json!({"code": "x"}))
        .header("origin", "http://evil.example");
    answer(request).await.refused(403, "bad_origin");
}

#[tokio::test]
async fn model_calls_and_settings_are_told_live_to_administrators_only() {
    let house = open().await;
    let reader = as_role(&house, "reader").await;
    let mut heard = reader.listen("/api/events", &[]).await;
    house
        .handle
        .live()
        .publish(runtime::live::LiveEvent::Settings { version: 7 });
    let typing = json!({"author": "Alice", "typing": true});
    assert_eq!(
        house
            .caller
            .post("/api/rooms/lounge/typing", &typing)
            .await
            .status,
        204
    );
    let mut text = String::new();
    while !text.contains("event: typing") {
        let chunk = heard.chunk().await.unwrap().unwrap();
        text.push_str(&String::from_utf8_lossy(&chunk));
    }
    assert!(!text.contains("event: settings"), "{text}");
}
