//! The socket of the share page: hello, frames, and everything the page is told.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::driver::TOKEN;
use crate::watch_page::{Closed, Page, done};
use crate::watching::{With, watching, watching_with};

#[tokio::test]
async fn a_page_is_welcomed_with_what_to_keep_to() {
    let house = watching_with(With {
        token: true,
        ..With::default()
    })
    .await;
    let link = house.link("Alice").await;
    let (_page, welcome) = Page::share(&house, &link).await;
    assert_eq!(
        welcome,
        json!({
            "type": "welcome", "share": link.share, "room": "lounge", "roomName": "lounge", "name": "Alice", "denizen": "Denizen",
            "maxWidthPx": 960, "jpegQuality": 0.6, "maxFrameBytes": 350_000, "maxFramesPerMinute": 180, "keyframeIntervalMs": 1200,
            "watched": true
        })
    );
}

#[tokio::test]
async fn each_frame_is_answered_in_turn() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let (mut page, _) = Page::share(&house, &link).await;
    page.picture(10).await;
    let taken = page.hear().await;
    assert_eq!(
        taken,
        json!({"type": "taken", "frame": taken["frame"], "score": 0.0, "ema": 0.0, "sceneCut": false})
    );
    // Whoever does not wait is answered all the same, one after the other.
    for first in [240, 0, 241] {
        page.picture(first).await;
    }
    let answers: Vec<Value> = vec![page.hear().await, page.hear().await, page.hear().await];
    assert_eq!(
        (&answers[0]["type"], &answers[0]["sceneCut"]),
        (&json!("taken"), &json!(true))
    );
    assert_eq!(
        (&answers[1]["type"], &answers[1]["reason"]),
        (&json!("refused"), &json!("frame_undecodable"))
    );
    assert!(answers[1]["detail"].as_str().unwrap().len() > 20);
    assert_eq!(answers[2]["type"], "taken");
    page.send(Message::binary(Vec::new())).await;
    assert_eq!(page.hear().await["reason"], "frame_data_required");
    page.send(Message::binary(vec![1; 350_001])).await;
    assert_eq!(page.hear().await["reason"], "frame_too_large");
    page.say(json!({"type": "still"})).await;
    page.picture(241).await;
    assert_eq!(page.hear().await["type"], "taken");
}

#[tokio::test]
async fn whoever_has_no_token_is_refused_by_name_and_the_journal_says_so() {
    let mut house = watching().await;
    let link = house.link("Alice").await;
    for wrong in ["", "x", TOKEN, &link.token[1..], &link.share] {
        let mut page = Page::open(&house, &[]).await.unwrap();
        page.say(json!({"type": "hello", "token": wrong})).await;
        let refused = page.hear().await;
        assert_eq!(
            (&refused["type"], &refused["reason"]),
            (&json!("refused"), &json!("session_not_found"))
        );
        assert!(refused["detail"].as_str().unwrap().contains("new link"));
        assert_eq!(page.closed().await, done());
    }
    let refused = serde_json::to_value(house.journaled("web_request_refused").await).unwrap();
    assert_eq!(
        (&refused["data"]["path"], &refused["data"]["code"]),
        (&json!("/api/watch/socket"), &json!("session_not_found"))
    );
}

#[tokio::test]
async fn where_watching_is_off_a_page_is_refused() {
    let house = watching().await;
    let link = house.link("Alice").await;
    house.set(&[("voice.streamWatch.enabled", json!(false))]).await;
    let mut page = Page::open(&house, &[]).await.unwrap();
    page.say(json!({"type": "hello", "token": link.token})).await;
    assert_eq!(page.hear().await["reason"], "stream_watch_disabled");
    assert_eq!(page.closed().await, done());
}

#[tokio::test]
async fn stop_ends_the_share() {
    let mut house = watching().await;
    let link = house.link("Alice").await;
    let (mut page, _) = Page::share(&house, &link).await;
    page.say(json!({"type": "stop"})).await;
    assert_eq!(
        page.hear_of("ended").await,
        json!({"type": "ended", "reason": "stopped"})
    );
    assert_eq!(page.closed().await, done());
    let ended = serde_json::to_value(house.journaled("stream_watch_share_ended").await).unwrap();
    assert_eq!(ended["data"]["reason"], "stopped");
    let mut page = Page::open(&house, &[]).await.unwrap();
    page.say(json!({"type": "hello", "token": link.token})).await;
    assert_eq!(page.hear().await["reason"], "session_not_found");
}

#[tokio::test]
async fn a_page_is_told_when_the_room_ends_its_share() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let (mut page, _) = Page::share(&house, &link).await;
    let path = format!("/api/rooms/lounge/shares/{}", link.share);
    let delete = house.caller.request(reqwest::Method::DELETE, &path);
    assert_eq!(crate::caller::answer(delete).await.status, 204);
    assert_eq!(
        page.hear_of("ended").await,
        json!({"type": "ended", "reason": "ended_by_operator"})
    );
    assert_eq!(page.closed().await, done());
}

#[tokio::test]
async fn a_page_is_told_when_the_server_ends() {
    let mut house = watching().await;
    let link = house.link("Alice").await;
    let (mut page, _) = Page::share(&house, &link).await;
    let mut unknown = Page::open(&house, &[]).await.unwrap();
    let ending = async {
        assert_eq!(
            page.hear_of("ended").await,
            json!({"type": "ended", "reason": "restarted"})
        );
        assert_eq!(page.closed().await, done());
        assert_eq!(unknown.closed().await, done());
    };
    let (closed, ()) = tokio::join!(house.close(), ending);
    closed.unwrap();
}

#[tokio::test]
async fn a_page_is_told_when_the_community_ends_before_the_server() {
    let mut house = watching().await;
    let link = house.link("Alice").await;
    let (mut page, _) = Page::share(&house, &link).await;
    house.stop_community().await;
    assert_eq!(
        page.hear_of("ended").await,
        json!({"type": "ended", "reason": "restarted"})
    );
    assert_eq!(page.closed().await, done());
    let view = house.caller.get("/api/rooms/lounge/watch").await;
    view.refused(503, "stopping");
}

#[tokio::test]
async fn a_page_is_told_whether_it_is_watched_and_what_was_noted_of_it() {
    let house = watching().await;
    let (alice, bob) = (house.link("Alice").await, house.link("Bob").await);
    let (mut page, welcome) = Page::share(&house, &alice).await;
    assert_eq!(welcome["watched"], true);
    let (mut other, welcome) = Page::share(&house, &bob).await;
    assert_eq!(welcome["watched"], false);
    assert_eq!(
        other.hear_of("state").await,
        json!({"type": "state", "watched": false, "reason": "target_user_mismatch", "note": null})
    );

    house.seer.sees("A kettle on a red stove.");
    page.picture(10).await;
    assert_eq!(page.hear_of("taken").await["score"], 0.0);
    let state = page.hear_of("state").await;
    assert_eq!(
        (&state["watched"], &state["note"]["text"]),
        (&json!(true), &json!("A kettle on a red stove."))
    );
    assert!(state["note"]["at"].as_i64().unwrap() > 1_700_000_000_000);

    let body = json!({"share": bob.share});
    let choosing = house
        .caller
        .send(reqwest::Method::PUT, "/api/rooms/lounge/watch", &body);
    choosing.await.ok(204);
    let state = page.hear_of("state").await;
    assert_eq!(
        (&state["watched"], &state["reason"]),
        (&json!(false), &json!("target_user_mismatch"))
    );
    let state = other.hear_of("state").await;
    assert_eq!(
        (&state["watched"], &state["reason"], &state["note"]),
        (&json!(true), &Value::Null, &Value::Null),
        "what was seen of others is not told"
    );
    page.picture(10).await;
    assert_eq!(page.hear_of("refused").await["reason"], "target_user_mismatch");
}

#[tokio::test]
async fn changed_settings_reach_the_page_once() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let (mut page, _) = Page::share(&house, &link).await;
    house.set(&[("identity.name", json!("Robin"))]).await;
    house
        .set(&[
            ("voice.streamWatch.sharePageMaxWidthPx", json!(1280)),
            ("voice.streamWatch.sharePageJpegQuality", json!(0.7)),
            ("voice.streamWatch.maxFrameBytes", json!(60_000)),
            ("voice.streamWatch.maxFramesPerMinute", json!(60)),
        ])
        .await;
    assert_eq!(
        page.hear_of("limits").await,
        json!({
            "type": "limits", "maxWidthPx": 1280, "jpegQuality": 0.7, "maxFrameBytes": 60_000, "maxFramesPerMinute": 60,
            "keyframeIntervalMs": 1200
        })
    );
    // A socket takes no larger messages than it was opened for, so larger frames wait for the next one.
    house
        .set(&[("voice.streamWatch.maxFrameBytes", json!(2_000_000))])
        .await;
    assert_eq!(page.hear_of("limits").await["maxFrameBytes"], 350_000);
    let (_page, welcome) = Page::share(&house, &link).await;
    assert_eq!(welcome["maxFrameBytes"], 2_000_000);
}

#[tokio::test]
async fn a_second_page_with_the_same_token_takes_over() {
    let mut house = watching().await;
    let link = house.link("Alice").await;
    let (mut first, _) = Page::share(&house, &link).await;
    let (mut second, welcome) = Page::share(&house, &link).await;
    assert_eq!(welcome["watched"], true);
    assert_eq!(
        first.hear_of("ended").await,
        json!({"type": "ended", "reason": "taken_over"})
    );
    assert_eq!(first.closed().await, done());
    second.picture(10).await;
    assert_eq!(second.hear_of("taken").await["score"], 0.0);
    second.say(json!({"type": "stop"})).await;
    let ended = serde_json::to_value(house.journaled("stream_watch_share_ended").await).unwrap();
    assert_eq!(ended["data"]["reason"], "stopped", "the first one did not end it");
}

#[tokio::test]
async fn a_page_that_comes_back_goes_on_and_one_that_does_not_is_lost() {
    let mut house = watching().await;
    let link = house.link("Alice").await;
    let (mut page, _) = Page::share(&house, &link).await;
    page.picture(10).await;
    page.hear_of("taken").await;
    drop(page);
    let (mut page, welcome) = Page::share(&house, &link).await;
    assert_eq!(welcome["watched"], true);
    page.picture(240).await;
    let taken = page.hear_of("taken").await;
    assert_eq!(taken["sceneCut"], true, "it is the same watch");
    drop(page);
    let ended = serde_json::to_value(house.journaled("stream_watch_share_ended").await).unwrap();
    assert_eq!(ended["data"]["reason"], "lost");
    assert_eq!(house.journal_of("stream_watch_share_started").len(), 1);
}

#[tokio::test]
async fn nonsense_closes_the_socket_with_a_reason() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let hello = Message::text(json!({"type": "hello", "token": link.token}).to_string());
    let before_hello = [
        Message::text("hello?"),
        Message::text("{\"type\": \"dance\"}"),
        Message::text(json!({"type": "still"}).to_string()),
        Message::text("x".repeat(5_000)),
        Message::binary(vec![1; 100]),
    ];
    for message in before_hello {
        let mut page = Page::open(&house, &[]).await.unwrap();
        page.send(message).await;
        closed_with_reason(&page.closed().await);
    }
    for message in [hello.clone(), Message::text("[]")] {
        let (mut page, _) = Page::share(&house, &link).await;
        page.send(message).await;
        closed_with_reason(&page.closed().await);
    }
    let (mut page, _) = Page::share(&house, &link).await;
    page.picture(10).await;
    assert_eq!(page.hear_of("taken").await["score"], 0.0, "and the share goes on");
}

#[tokio::test]
async fn a_message_far_too_large_ends_the_socket_and_not_the_share() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let (mut page, _) = Page::share(&house, &link).await;
    page.send(Message::binary(vec![1; 1_000_000])).await;
    match page.closed().await {
        Closed::Cut => {}
        with => closed_with_reason(&with),
    }
    let (mut page, _) = Page::share(&house, &link).await;
    page.picture(10).await;
    page.hear_of("taken").await;
}

#[tokio::test]
async fn pages_of_other_sites_cannot_open_the_socket() {
    let house = watching().await;
    let link = house.link("Alice").await;
    for origin in ["http://evil.example", "null", "http://localhost:5173"] {
        let refused = Page::open(&house, &[("origin", origin.to_owned())]).await;
        let (status, body) = refused.err().expect("refused");
        assert!(status == 403 && body.contains("bad_origin"), "{status} {body}");
    }
    let own = format!("http://{}", house.address);
    let mut page = Page::open(&house, &[("origin", own)]).await.unwrap();
    page.say(json!({"type": "hello", "token": link.token})).await;
    assert_eq!(page.hear().await["type"], "welcome");
    let plain = house.caller.get("/api/watch/socket").await;
    plain.refused(426, "upgrade_required");
    assert_eq!(plain.header("upgrade"), "websocket");
}

#[tokio::test]
async fn strangers_keep_nobody_from_sharing() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let (mut page, _) = Page::share(&house, &link).await;
    let mut strangers = Vec::new();
    for _ in 0..40 {
        strangers.push(Page::open(&house, &[]).await.unwrap());
    }
    page.picture(10).await;
    assert_eq!(page.hear_of("taken").await["score"], 0.0);
    let (_page, welcome) = Page::share(&house, &house.link("Bob").await).await;
    assert_eq!(welcome["type"], "welcome");
    // The oldest went, after it had had the time to say hello.
    closed_with_reason(&strangers.remove(0).closed().await);
}

#[tokio::test]
async fn a_crowd_that_says_nothing_does_not_push_out_who_is_about_to_say_hello() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let mut page = Page::open(&house, &[]).await.unwrap();
    let crowd = futures_util::future::join_all((0..12).map(|_| Page::open(&house, &[])));
    let hello = async {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        page.say(json!({"type": "hello", "token": link.token})).await;
        page.hear().await
    };
    let (crowd, welcome) = tokio::join!(crowd, hello);
    assert_eq!(welcome["type"], "welcome", "{welcome}");
    assert!(crowd.iter().all(Result::is_ok), "and all of them came in");
}

#[track_caller]
fn closed_with_reason(closed: &Closed) {
    match closed {
        Closed::With { code: 1008, reason } => assert!(reason.len() > 20, "says too little: {reason}"),
        other => panic!("{other:?}"),
    }
}
