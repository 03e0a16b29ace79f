//! Limits, faults and variants of requests, and the log of them.

use serde_json::json;

use crate::client::{EVERYTHING, Gateway, ask, general, post, start};

const BOT: &str = "bot:denizen";

#[tokio::test]
async fn limits_are_told_in_headers_and_held() {
    let double = start().await;
    let route = format!("POST /channels/{}/messages", general(&double));
    let said = || Some(json!({"content": "x"}));
    let first = ask(&double, BOT, &route, said()).await;
    assert_eq!(first.header("x-ratelimit-limit"), Some("5"));
    assert_eq!(first.header("x-ratelimit-remaining"), Some("4"));
    let bucket = first.header("x-ratelimit-bucket").expect("a bucket").to_owned();
    for _ in 0..4 {
        assert_eq!(ask(&double, BOT, &route, said()).await.status, 200);
    }
    let refused = ask(&double, BOT, &route, said()).await;
    assert_eq!(
        (refused.status, refused.header("x-ratelimit-scope")),
        (429, Some("user"))
    );
    assert_eq!(refused.header("x-ratelimit-bucket"), Some(bucket.as_str()));
    assert!(
        refused.json()["retry_after"]
            .as_f64()
            .is_some_and(|wait| wait > 0.0)
    );
    double.control("limits", json!({"on": false})).expect("set");
    assert_eq!(ask(&double, BOT, &route, said()).await.status, 200);
}

#[tokio::test]
async fn faults_meet_the_requests_they_are_for_and_no_more() {
    let double = start().await;
    let fault = |wish| double.control("fault", wish).expect("a fault");
    let route = format!("POST /channels/{}/messages", general(&double));
    let said = || Some(json!({"content": "x"}));
    fault(json!({"kind": "status", "status": 500, "route": "POST /channels/*/messages"}));
    assert_eq!(ask(&double, BOT, "GET /users/@me", None).await.status, 200);
    assert_eq!(ask(&double, BOT, &route, said()).await.status, 500);
    fault(json!({"kind": "status", "status": 503}));
    assert!(
        ask(&double, BOT, &route, said()).await.text.starts_with("<html>"),
        "the front speaks no JSON"
    );
    fault(json!({"kind": "rate_limit", "retry_after": 0.3, "scope": "global"}));
    let limited = ask(&double, BOT, &route, said()).await;
    assert_eq!(
        (limited.status, limited.header("x-ratelimit-global")),
        (429, Some("true"))
    );
    assert_eq!(limited.json()["retry_after"], 0.3);
    assert_eq!(ask(&double, BOT, &route, said()).await.status, 200);
}

#[tokio::test]
async fn an_answer_can_be_lost_though_all_was_done() {
    let double = start().await;
    let route = format!("POST /channels/{}/messages", general(&double));
    double.control("fault", json!({"kind": "cut"})).expect("a fault");
    let cut = ask(&double, BOT, &route, Some(json!({"content": "arrived"}))).await;
    assert!(serde_json::from_str::<serde_json::Value>(&cut.text).is_err());
    double
        .control(
            "fault",
            json!({"kind": "status", "status": 502, "carried_out": true}),
        )
        .expect("a fault");
    assert_eq!(
        ask(&double, BOT, &route, Some(json!({"content": "so did this"})))
            .await
            .status,
        502
    );
    let there = double
        .control("messages", json!({"channel": "general"}))
        .expect("messages");
    assert_eq!(
        (&there[0]["content"], &there[1]["content"]),
        (&json!("arrived"), &json!("so did this"))
    );
}

#[tokio::test]
async fn everything_is_down_for_a_while_and_mended() {
    let double = start().await;
    let mut bot = Gateway::login(&double, BOT, EVERYTHING).await;
    double
        .control("fault", json!({"kind": "down", "ms": 3_600_000}))
        .expect("a fault");
    while bot.next().await.is_some() {}
    assert_eq!(ask(&double, BOT, "GET /gateway/bot", None).await.status, 503);
    double.control("mend", json!({})).expect("mended");
    assert_eq!(
        ask(&double, BOT, "GET /gateway/bot", None).await.json()["session_start_limit"]["remaining"],
        999
    );
    post(&double, "alice", "meanwhile");
    assert_eq!(
        bot.resume(&double, BOT).await.event("MESSAGE_CREATE").await["content"],
        "meanwhile"
    );
}

#[tokio::test]
async fn an_independent_server_writes_in_its_own_way() {
    let double = start().await;
    let mut bot = Gateway::login(&double, BOT, EVERYTHING).await;
    bot.event("GUILD_CREATE").await;
    double
        .control("variants", json!({"independent": true}))
        .expect("set");
    post(&double, "alice", "hello");
    let heard = bot.event("MESSAGE_CREATE").await;
    assert!(
        heard["id"].is_u64() && heard["author"]["public_flags"].is_string() && heard["mentions"].is_null()
    );
    assert!(heard["timestamp"].as_str().is_some_and(|it| it.ends_with('Z')));
    let me = ask(&double, BOT, "GET /users/@me", None).await.json();
    assert!(me["id"].is_u64());
    let mut stranger = Gateway::connect(&double, "").await;
    stranger.identify("nonsense", 1).await;
    assert_eq!(stranger.closed().await, 4000);
}

#[tokio::test]
async fn what_was_asked_is_kept() {
    let double = start().await;
    let route = format!("POST /channels/{}/messages", general(&double));
    ask(&double, BOT, &route, Some(json!({"content": "x"}))).await;
    let log = ask(&double, "", "GET /control/requests?method=POST", None)
        .await
        .json();
    assert_eq!(
        (&log[0]["account"], &log[0]["status"], &log[0]["body"]["content"]),
        (&json!("denizen"), &json!(200), &json!("x"))
    );
    Gateway::login(&double, BOT, 1).await;
    let payloads = double.control("payloads", json!({"op": 2})).expect("payloads");
    assert_eq!(payloads[0]["d"]["token"], BOT);
}

#[tokio::test]
async fn a_revoked_token_is_no_longer_good() {
    let double = start().await;
    assert_eq!(ask(&double, BOT, "GET /users/@me", None).await.status, 200);
    double.control("revoke", json!({"token": BOT})).expect("revoked");
    assert_eq!(ask(&double, BOT, "GET /users/@me", None).await.status, 401);
    let mut bot = Gateway::connect(&double, "").await;
    bot.identify(BOT, 1).await;
    assert_eq!(bot.closed().await, 4004);
}
