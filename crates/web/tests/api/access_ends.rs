//! What a credential started ends with it: shares of screens by every way in, and live events, when it is taken back and when
//! its time is over.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::caller::{Caller, answer};
use crate::driver::open;
use crate::watch_page::Page;
use crate::watching::{Link, Watching, watching};

/// Somebody with a token of their own, and its id.
async fn participant(house: &Watching, valid_seconds: Option<u32>) -> (Caller, String) {
    let new = json!({"role": "participant", "label": "a guest", "validSeconds": valid_seconds});
    let made = house.caller.post("/api/access", &new).await.ok(201);
    let id = made["credential"]["id"].as_str().unwrap().to_owned();
    (
        Caller::knowing(house.address, made["token"].as_str().unwrap()),
        id,
    )
}

async fn share(whose: &Caller, name: &str) -> Link {
    let given = whose
        .post("/api/rooms/lounge/shares", &json!({"name": name}))
        .await
        .ok(201);
    let text = |field: &str| given[field].as_str().unwrap().to_owned();
    Link {
        share: text("share"),
        token: text("token"),
        frames: text("framesUrl"),
        whip: text("whipUrl"),
    }
}

async fn take_back(house: &Watching, id: &str) {
    let request = house.caller.request(Method::DELETE, &format!("/api/access/{id}"));
    assert_eq!(answer(request).await.status, 204);
}

async fn reason_of_end(house: &mut Watching) -> Value {
    let ended = house.journaled("stream_watch_share_ended").await;
    serde_json::to_value(&ended).unwrap()["data"]["reason"].clone()
}

#[tokio::test]
async fn a_share_ends_with_the_token_it_was_made_with_and_the_journal_says_why() {
    let mut house = watching().await;
    let (alice, id) = participant(&house, None).await;
    let (link, unused) = (share(&alice, "Alice").await, share(&alice, "Alice").await);
    house.frame(&link, 10).await;
    take_back(&house, &id).await;
    assert_eq!(reason_of_end(&mut house).await, "access_ended");
    for link in [&link, &unused] {
        let frame = house.post(link, "image/jpeg", vec![10]).await;
        frame.refused(404, "session_not_found");
    }
    assert_eq!(house.view().await["shares"], json!([]));
    // Others' shares go on.
    let other = house.link("Bob").await;
    house.frame(&other, 10).await;
}

#[tokio::test]
async fn the_page_that_shares_is_told_that_it_is_not_let_in_any_more() {
    let house = watching().await;
    let (alice, id) = participant(&house, None).await;
    let (mut page, _) = Page::share(&house, &share(&alice, "Alice").await).await;
    take_back(&house, &id).await;
    assert_eq!(page.hear_of("ended").await["reason"], "access_ended");
}

#[tokio::test]
async fn a_share_ends_when_the_time_of_its_token_is_over() {
    let mut house = watching().await;
    let (alice, _) = participant(&house, Some(2)).await;
    let link = share(&alice, "Alice").await;
    house.frame(&link, 10).await;
    assert_eq!(reason_of_end(&mut house).await, "access_ended");
}

#[tokio::test]
async fn a_share_goes_on_when_its_browser_may_do_more() {
    let house = watching().await;
    let enter = async |role: &str, cookie: &str| {
        let wish = json!({"role": role});
        let made = house.caller.post("/api/access/links", &wish).await.ok(201);
        let code = made["path"].as_str().unwrap().strip_prefix("/?enter=").unwrap();
        let stranger = Caller::new(house.address);
        let request = stranger.with_json(Method::POST, "/api/enter", &json!({"code": code}));
        let entered = answer(request.header("cookie", cookie)).await;
        entered.ok(200);
        entered.header("set-cookie").split(';').next().unwrap().to_owned()
    };
    let session = enter("participant", "").await;
    let stranger = Caller::new(house.address);
    let request = stranger.with_json(
        Method::POST,
        "/api/rooms/lounge/shares",
        &json!({"name": "Alice"}),
    );
    let given = answer(request.header("cookie", &session)).await.ok(201);
    let (mut page, _) = {
        let text = |field: &str| given[field].as_str().unwrap().to_owned();
        let link = Link {
            share: text("share"),
            token: text("token"),
            frames: text("framesUrl"),
            whip: text("whipUrl"),
        };
        Page::share(&house, &link).await
    };
    let risen = enter("administrator", &session).await;
    assert_ne!(risen, session);
    page.picture(10).await;
    assert_eq!(page.hear_of("taken").await["score"], 0.0);
    // And it ends with what that browser has now.
    let leave = stranger
        .request(Method::POST, "/api/leave")
        .header("cookie", &risen);
    assert_eq!(answer(leave).await.status, 204);
    assert_eq!(page.hear_of("ended").await["reason"], "access_ended");
}

#[tokio::test]
async fn live_events_end_when_the_time_of_their_token_is_over() {
    let house = open().await;
    let new = json!({"role": "reader", "label": "a test", "validSeconds": 2});
    let made = house.caller.post("/api/access", &new).await.ok(201);
    let reader = Caller::knowing(house.address, made["token"].as_str().unwrap());
    let mut stream = reader.listen("/api/events", &[]).await;
    assert_eq!(stream.status(), 200);
    let ended = async { while stream.chunk().await.unwrap().is_some() {} };
    // Sooner than anything comes that would keep the connection alive.
    tokio::time::timeout(Duration::from_secs(12), ended)
        .await
        .expect("the stream ends at that time");
}
