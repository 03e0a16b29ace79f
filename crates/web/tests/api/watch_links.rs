//! Links to share a screen, who ends a share, whose screen is watched, and what the room's page sees of it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::{Caller, answer};
use crate::watching::{With, watching, watching_with};

const SHARES: &str = "/api/rooms/lounge/shares";
const WATCH: &str = "/api/rooms/lounge/watch";
const FRAME: &str = "/api/rooms/lounge/watch/frame";

#[tokio::test]
async fn a_link_names_every_way_in_and_keeps_its_token_out_of_caches_and_addresses() {
    let house = watching().await;
    let given = house.caller.post(SHARES, &json!({"name": " Alice  B "})).await;
    assert_eq!(given.header("cache-control"), "no-store");
    let link = given.ok(201);
    let (share, token) = (link["share"].as_str().unwrap(), link["token"].as_str().unwrap());
    assert_eq!(token.len(), 24, "18 bytes in base64");
    assert_eq!(link["url"], format!("/share#{token}"));
    assert_eq!(link["framesUrl"], format!("/api/watch/{share}/frames"));
    assert_eq!(link["whipUrl"], format!("/api/watch/{share}/whip"));
    assert!(link["expiresAt"].as_i64().unwrap() > 1_700_000_000_000);
    let other = house.link("Alice B").await;
    assert_ne!((other.share.as_str(), other.token.as_str()), (share, token));
    for source in ["share_page", "frame_api", "whip", "file"] {
        let body = json!({"name": "Alice", "source": source});
        house.caller.post(SHARES, &body).await.ok(201);
    }
}

#[tokio::test]
async fn links_are_refused_by_name() {
    let house = watching().await;
    let refused = async |path: &str, body: Value, status, code: &str| {
        house.caller.post(path, &body).await.refused(status, code)
    };
    for name in ["", "  ", "Denizen", "a\u{0}b", &"x".repeat(41)] {
        refused(SHARES, json!({ "name": name }), 422, "invalid_author").await;
    }
    refused(SHARES, json!({}), 422, "invalid_field").await;
    let body = json!({"name": "Alice", "source": "discord"});
    let problem = refused(SHARES, body, 422, "invalid_field").await;
    assert!(
        problem.contains("discord") && problem.contains("share_page"),
        "{problem}"
    );
    refused(
        SHARES,
        json!({"name": "Alice", "colour": 1}),
        422,
        "unknown_field",
    )
    .await;
    let attic = "/api/rooms/attic/shares";
    refused(attic, json!({"name": "Alice"}), 404, "unknown_room").await;
    for _ in 0..240 {
        house.link("Alice").await;
    }
    let full = house.caller.post(SHARES, &json!({"name": "Alice"})).await;
    full.refused(429, "too_many_links");
    assert_eq!(full.header("retry-after"), "60");
}

#[tokio::test]
async fn where_watching_is_off_no_link_is_given_out() {
    let off = vec![("voice.streamWatch.enabled", json!(false))];
    let house = watching_with(With {
        settings: off,
        ..With::default()
    })
    .await;
    let refused = house.caller.post(SHARES, &json!({"name": "Alice"})).await;
    let problem = refused.refused(409, "stream_watch_disabled");
    assert!(problem.contains("voice.streamWatch.enabled"), "{problem}");
    assert_eq!(house.view().await["enabled"], false);
}

#[tokio::test]
async fn the_room_ends_a_share_and_its_token_is_worth_nothing() {
    let mut house = watching().await;
    let link = house.link("Alice").await;
    house.frame(&link, 10).await;
    let delete = async |path: String| answer(house.caller.request(Method::DELETE, &path)).await;
    let elsewhere = format!("/api/rooms/kitchen/shares/{}", link.share);
    delete(elsewhere).await.refused(404, "session_not_found");
    let nothing = format!("{SHARES}/nothing");
    delete(nothing).await.refused(404, "session_not_found");
    let attic = format!("/api/rooms/attic/shares/{}", link.share);
    delete(attic).await.refused(404, "unknown_room");
    let here = format!("{SHARES}/{}", link.share);
    assert_eq!(delete(here.clone()).await.status, 204);
    delete(here).await.refused(404, "session_not_found");
    house
        .post(&link, "image/jpeg", vec![10])
        .await
        .refused(404, "session_not_found");
    let ended = house.journaled("stream_watch_share_ended").await;
    let ended = serde_json::to_value(&ended).unwrap();
    assert_eq!(ended["data"]["reason"], "ended_by_operator");
    assert_eq!(house.view().await["shares"], json!([]));
}

#[tokio::test]
async fn a_room_where_nobody_ever_shared_has_an_empty_view() {
    let house = watching().await;
    let view = house.view().await;
    for (field, expected) in [
        ("enabled", json!(true)),
        ("shares", json!([])),
        ("watched", json!(null)),
        ("newest", json!(null)),
        ("thresholdMode", json!("relative")),
        ("thresholds", json!({"change": 0.01, "staticFloor": 0.005})),
        ("notes", json!([])),
        ("marks", json!([])),
        ("samples", json!([])),
    ] {
        assert_eq!(view[field], expected, "{field}");
    }
    house
        .caller
        .get("/api/rooms/attic/watch")
        .await
        .refused(404, "unknown_room");
    house.caller.get(FRAME).await.refused(404, "no_frame");
    let attic = house.caller.get("/api/rooms/attic/watch/frame").await;
    attic.refused(404, "unknown_room");
}

#[tokio::test]
async fn the_view_shows_who_shares_and_how_much_the_screen_changed() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let first = house.frame(&link, 10).await;
    let second = house.frame(&link, 11).await;
    let view = house.view().await;
    assert_eq!(view["watched"], link.share);
    let share = &view["shares"][0];
    assert_eq!(
        (&share["name"], &share["person"]),
        (&json!("Alice"), &json!("local:alice"))
    );
    assert_eq!((&share["watched"], &share["frames"]), (&json!(true), &json!(2)));
    assert_eq!(view["newest"]["frame"], second["frame"]);
    let frames = |view: &Value| -> Vec<Value> {
        let samples = view["samples"].as_array().unwrap();
        samples.iter().map(|sample| sample["frame"].clone()).collect()
    };
    assert_eq!(frames(&view), [first["frame"].clone(), second["frame"].clone()]);
    let sample = &view["samples"][1];
    assert_eq!((&sample["kind"], &sample["width"]), (&json!("jpeg"), &json!(640)));
    assert_eq!(sample["score"], second["score"]);
    let newer = house
        .caller
        .get(&format!("{WATCH}?after={}", first["frame"]))
        .await
        .ok(200);
    assert_eq!(frames(&newer), [second["frame"].clone()]);
    let unread = house.caller.get(&format!("{WATCH}?after=soon")).await;
    unread.refused(400, "bad_query");
}

#[tokio::test]
async fn the_newest_picture_is_served_inertly_and_only_when_it_is_new() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let first = house.frame(&link, b'a').await;
    let shown = house.caller.get(FRAME).await;
    assert_eq!(
        (shown.status, shown.text.as_str()),
        (200, "a".repeat(100).as_str())
    );
    assert_eq!(shown.header("content-type"), "image/jpeg");
    assert_eq!(shown.header("etag"), format!("\"{}\"", first["frame"]));
    assert_eq!(shown.header("cache-control"), "no-store");
    assert_eq!(shown.header("x-content-type-options"), "nosniff");
    assert_eq!(
        shown.header("content-security-policy"),
        "default-src 'none'; sandbox; frame-ancestors 'none'"
    );
    let again = async || {
        let request = house.caller.request(Method::GET, FRAME);
        answer(request.header("if-none-match", shown.header("etag"))).await
    };
    let known = again().await;
    assert_eq!((known.status, known.text.as_str()), (304, ""));
    assert_eq!(known.header("etag"), shown.header("etag"));
    house.post(&link, "image/png", "b").await.ok(200);
    let newer = again().await;
    assert_eq!((newer.status, newer.text.as_str()), (200, "b"));
    assert_eq!(newer.header("content-type"), "image/png");
}

#[tokio::test]
async fn where_several_share_somebody_chooses_whose_screen_is_watched() {
    let house = watching().await;
    let (alice, bob) = (house.link("Alice").await, house.link("Bob").await);
    house.frame(&alice, 10).await;
    let refused = house.post(&bob, "image/jpeg", vec![10]).await;
    refused.refused(409, "target_user_mismatch");
    let choose = async |body: Value| house.caller.send(Method::PUT, WATCH, &body).await;
    assert_eq!(choose(json!({"share": bob.share})).await.status, 204);
    assert_eq!(house.view().await["watched"], bob.share);
    house.frame(&bob, 20).await;
    let refused = house.post(&alice, "image/jpeg", vec![10]).await;
    refused.refused(409, "target_user_mismatch");
    assert_eq!(choose(json!({"share": null})).await.status, 204);
    let refused = house.post(&bob, "image/jpeg", vec![10]).await;
    refused.refused(409, "watch_not_active");

    choose(json!({"share": "nothing"}))
        .await
        .refused(404, "session_not_found");
    let problem = choose(json!({})).await.refused(422, "invalid_field");
    assert!(problem.contains("share"), "{problem}");
    let nobody = json!({"share": null});
    let attic = house.caller.send(Method::PUT, "/api/rooms/attic/watch", &nobody);
    attic.await.refused(404, "unknown_room");
    let body = json!({"share": alice.share});
    let kitchen = house.caller.send(Method::PUT, "/api/rooms/kitchen/watch", &body);
    kitchen.await.refused(404, "session_not_found");
}

#[tokio::test]
async fn what_was_noted_is_in_the_view() {
    let mut house = watching().await;
    house.seer.sees("A kettle on a red stove.");
    let link = house.link("Alice").await;
    house.frame(&link, 10).await;
    house.journaled("stream_watch_note_taken").await;
    let view = house.view().await;
    let note = &view["notes"][0];
    assert_eq!(
        (&note["text"], &note["sharedBy"]),
        (&json!("A kettle on a red stove."), &json!("Alice"))
    );
    assert_eq!(note["trigger"], "first_frame");
}

#[tokio::test]
async fn only_whoever_shares_and_administrators_end_a_share_or_have_it_watched_no_longer() {
    let mut house = watching().await;
    let participant = async || {
        let new = json!({"role": "participant", "label": "a guest"});
        let made = house.caller.post("/api/access", &new).await.ok(201);
        Caller::knowing(house.address, made["token"].as_str().unwrap())
    };
    let (alice, mallory) = (participant().await, participant().await);
    let given = alice.post(SHARES, &json!({"name": "Alice"})).await.ok(201);
    let text = |field: &str| given[field].as_str().unwrap().to_owned();
    let (share, frames, token) = (text("share"), text("framesUrl"), text("token"));
    let frame = house.caller.request(Method::POST, &frames).bearer_auth(token);
    answer(frame.header("content-type", "image/jpeg").body(vec![10]))
        .await
        .ok(200);
    assert_eq!(house.view().await["watched"], share);
    let here = format!("{SHARES}/{share}");
    let message = answer(mallory.request(Method::DELETE, &here))
        .await
        .refused(403, "not_yours");
    assert!(message.contains("Alice"), "{message}");
    let nobody = json!({"share": null});
    mallory
        .send(Method::PUT, WATCH, &nobody)
        .await
        .refused(403, "not_yours");
    let same = json!({"share": share});
    assert_eq!(mallory.send(Method::PUT, WATCH, &same).await.status, 204);
    assert_eq!(house.view().await["watched"], share);
    assert_eq!(alice.send(Method::PUT, WATCH, &nobody).await.status, 204);
    // Nobody's is watched, so anybody may choose.
    assert_eq!(mallory.send(Method::PUT, WATCH, &same).await.status, 204);
    assert_eq!(answer(alice.request(Method::DELETE, &here)).await.status, 204);
    let ended = house.journaled("stream_watch_share_ended").await;
    let ended = serde_json::to_value(&ended).unwrap();
    assert_eq!(ended["data"]["reason"], "stopped", "she ended it herself");
}
