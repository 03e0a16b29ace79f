//! Who may come in.

use reqwest::Method;
use serde_json::json;
use tokio::net::TcpListener;
use web::{Token, WeakToken};

use crate::caller::answer;
use crate::driver::{House, TOKEN, access, open, open_with};

const LOUNGE: &str = "/api/rooms/lounge/messages";

async fn open_with_token() -> House {
    open_with(|_| {}, 100, true).await
}

#[tokio::test]
async fn every_response_carries_the_security_headers() {
    let house = open().await;
    for path in ["/", "/api/health", "/api/nothing", "/missing.js"] {
        let answer = house.caller.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; frame-ancestors 'none'"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            "same-origin",
            "{path}"
        );
        let permissions = answer.header("permissions-policy");
        // People talk in a room, and a room is a page.
        let microphone = if path == "/" { "(self)" } else { "()" };
        assert_eq!(
            permissions,
            format!("camera=(), display-capture=(), geolocation=(), microphone={microphone}"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn on_loopback_only_loopbacks_names_are_answered() {
    let house = open().await;
    let with_host = async |path: &str, host: &str| {
        answer(house.caller.request(Method::GET, path).header("host", host)).await
    };
    for host in [
        "localhost",
        "localhost:1",
        "LOCALHOST:8787",
        "127.0.0.1:9",
        "[::1]:7878",
        "[::1]",
    ] {
        with_host("/api/health", host).await.ok(200);
    }
    for host in [
        "evil.example",
        "evil.example:7878",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "10.0.0.1:80",
        "",
    ] {
        with_host("/api/health", host).await.refused(403, "bad_host");
        with_host("/", host).await.refused(403, "bad_host");
    }
}

#[tokio::test]
async fn pages_of_other_sites_can_neither_write_nor_listen() {
    let house = open().await;
    let body = json!({"author": "Mallory", "text": "hi"});
    let write = async |name: &'static str, value: &str| {
        answer(
            house
                .caller
                .with_json(Method::POST, LOUNGE, &body)
                .header(name, value),
        )
        .await
    };
    let own = format!("http://{}", house.address);
    write("origin", &own).await.ok(201);
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost:5173",
        "https://127.0.0.1",
        "file://",
        "",
    ] {
        write("origin", origin).await.refused(403, "bad_origin");
        let listening = answer(
            house
                .caller
                .request(Method::GET, "/api/events")
                .header("origin", origin),
        )
        .await;
        listening.refused(403, "bad_origin");
    }
    write("sec-fetch-site", "cross-site")
        .await
        .refused(403, "bad_origin");
    write("sec-fetch-site", "same-origin").await.ok(201);
    for (method, path) in [
        (Method::PATCH, LOUNGE),
        (Method::DELETE, LOUNGE),
        (Method::PUT, "/api/settings"),
        (Method::POST, "/api/model/detect"),
        (Method::POST, "/api/model/try"),
        (Method::POST, "/api/model/answered"),
    ] {
        let request = house
            .caller
            .with_json(method, path, &body)
            .header("origin", "http://evil.example");
        answer(request).await.refused(403, "bad_origin");
    }
    assert_eq!(house.store.kept().messages.len(), 2);
}

#[tokio::test]
async fn with_a_token_every_call_needs_it() {
    let house = open_with_token().await;
    let refused = house.caller.get("/api/health").await;
    refused.refused(401, "unauthorized");
    assert_eq!(refused.header("www-authenticate"), "Bearer");
    house
        .caller
        .post(LOUNGE, &json!({"author": "Alice", "text": "hi"}))
        .await
        .refused(401, "unauthorized");
    house
        .caller
        .get("/api/openapi.json")
        .await
        .refused(401, "unauthorized");
    house.caller.get("/api/events").await.refused(401, "unauthorized");

    let with = async |name: &'static str, value: String| {
        answer(
            house
                .caller
                .request(Method::GET, "/api/health")
                .header(name, value),
        )
        .await
    };
    with("authorization", format!("Bearer {TOKEN}")).await.ok(200);
    with("authorization", format!("bearer {TOKEN}")).await.ok(200);
    for wrong in ["", "x", &TOKEN[1..], &format!("{TOKEN}x"), &TOKEN.to_uppercase()] {
        with("authorization", format!("Bearer {wrong}"))
            .await
            .refused(401, "unauthorized");
    }
    with("authorization", format!("Basic {TOKEN}"))
        .await
        .refused(401, "unauthorized");
}

#[tokio::test]
async fn a_token_in_the_address_becomes_a_cookie() {
    let house = open_with_token().await;
    house.caller.get("/").await;
    let answer = house.caller.get(&format!("/?a=1&token={TOKEN}&b=2")).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/?a=1&b=2"));
    let cookie = answer.header("set-cookie");
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains(TOKEN),
        "{cookie}"
    );
    let (pair, _) = cookie.split_once(';').unwrap();
    let session = house
        .caller
        .request(Method::GET, "/api/me")
        .header("cookie", pair);
    assert_eq!(
        crate::caller::answer(session).await.ok(200)["role"],
        "administrator"
    );
    assert_eq!(
        house
            .caller
            .get(&format!("//evil.example/?token={TOKEN}"))
            .await
            .header("location"),
        "/evil.example/"
    );
    // The page says itself what is wrong.
    assert_eq!(house.caller.get("/?token=wrong").await.status, 200);
    house
        .caller
        .get("/api/health?token=wrong")
        .await
        .refused(401, "unauthorized");
    assert_eq!(
        house
            .caller
            .listen(&format!("/api/events?token={TOKEN}"), &[])
            .await
            .status(),
        200
    );
    let body = json!({"author": "Alice", "text": "hi"});
    house
        .caller
        .post(&format!("{LOUNGE}?token={TOKEN}"), &body)
        .await
        .refused(401, "unauthorized");
}

#[tokio::test]
async fn pages_hold_no_secret_and_need_no_token() {
    let house = open_with_token().await;
    assert_eq!(house.caller.get("/").await.status, 200);
}

#[tokio::test]
async fn on_an_open_address_the_token_is_asked_for_and_any_host_name_will_do() {
    let house = open().await;
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let site = web::Site {
        town: runtime::Town::alone(runtime::Hosted {
            handle: house.handle.clone(),
            name: "local".into(),
            rooms: Vec::new(),
            doors: None,
        }),
        access: access(),
        version: String::new(),
        started: std::time::Instant::now(),
        export: std::sync::Arc::new(|_| String::new()),
        streams: None,
        abroad: Vec::new(),
    };
    let serving = tokio::spawn(web::serve(listener, site, std::future::pending()));
    let caller = crate::caller::Caller::new(([127, 0, 0, 1], port).into());
    let request = caller
        .request(Method::GET, "/api/health")
        .header("host", "house.example");
    answer(request.try_clone().unwrap())
        .await
        .refused(401, "unauthorized");
    answer(request.bearer_auth(TOKEN)).await.ok(200);
    serving.abort();
}

#[test]
fn tokens_must_be_long_and_plain_and_are_never_shown() {
    for weak in [
        "",
        "short",
        "fifteen-letters",
        "with spaces in the middle",
        "semicolon;semicolon",
        &"x".repeat(257),
    ] {
        assert_eq!(Token::new(weak).err(), Some(WeakToken), "{weak:?}");
    }
    assert_eq!(format!("{:?}", Token::new(TOKEN).unwrap()), "Token(…)");
}
