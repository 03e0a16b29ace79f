//! What is described of shared screens is true of real answers.

use std::sync::Arc;

use async_trait::async_trait;
use reqwest::Method;
use runtime::ports::{StreamRefusal, Streams};
use runtime::screens::ShareTicket;
use serde_json::{Value, json};

use crate::caller::{Answer, answer};
use crate::validation::fits;
use crate::watching::{With, watching_with};

struct Answering;

#[async_trait]
impl Streams for Answering {
    async fn offer(&self, _: ShareTicket, sdp: &str) -> Result<String, StreamRefusal> {
        Ok(sdp.to_owned())
    }
}

/// Holds an answer against what is described of it.
#[track_caller]
pub fn is_as_described(description: &Value, method: &str, path: &str, answer: &Answer) {
    let described = &description["paths"][path][method]["responses"][answer.status.to_string()];
    let place = format!("{method} {path} {}", answer.status);
    assert!(described.is_object(), "{place} is not described: {}", answer.text);
    if let Some(schema) = described.pointer("/content/application~1json/schema") {
        fits(description, schema, &answer.json(), &place).unwrap();
    }
    let mime = answer.header("content-type").split(';').next().unwrap();
    let is_named = mime.is_empty() || described["content"][mime].is_object();
    assert!(is_named, "{place} is {mime}");
}

#[tokio::test]
async fn real_answers_have_the_shape_that_is_described() {
    let mut house = watching_with(With {
        streams: Some(Arc::new(Answering)),
        ..With::default()
    })
    .await;
    let description = house.caller.get("/api/openapi.json").await.ok(200);
    let described =
        |method: &str, path: &str, answer: &Answer| is_as_described(&description, method, path, answer);

    let new = json!({"name": "Alice"});
    let given = house.caller.post("/api/rooms/lounge/shares", &new).await;
    described("post", "/api/rooms/{room}/shares", &given);
    let view = || house.caller.get("/api/rooms/lounge/watch");
    described("get", "/api/rooms/{room}/watch", &view().await);

    house.seer.sees("A kettle on a red stove.");
    let link = house.link("Bob").await;
    for (mime, picture) in [
        ("image/jpeg", "a"),
        ("image/gif", "a"),
        ("image/jpeg", ""),
        ("image/jpeg", "z"),
    ] {
        let taken = house.post(&link, mime, picture).await;
        described("post", "/api/watch/{share}/frames", &taken);
    }
    house.journaled("stream_watch_note_taken").await;
    let full = house.caller.get("/api/rooms/lounge/watch").await;
    described("get", "/api/rooms/{room}/watch", &full);
    for field in ["shares", "notes", "marks", "samples"] {
        assert_ne!(full.json()[field], json!([]), "{field} is looked at, too");
    }
    let tried = json!({"changes": {"voice.streamWatch.changeThreshold": 0.5}});
    let path = "/api/rooms/{room}/watch/what-if";
    let what_if = house.caller.post("/api/rooms/lounge/watch/what-if", &tried).await;
    described("post", path, &what_if);
    assert_eq!(what_if.json()["looks"][0]["trigger"], "first_frame");
    let wrong = json!({"changes": {"voice.streamWatch.changeThreshold": 7}});
    let refused = house.caller.post("/api/rooms/lounge/watch/what-if", &wrong).await;
    assert_eq!(refused.json()["error"]["code"], "invalid_settings");
    described("post", path, &refused);
    let frame = house.caller.get("/api/rooms/lounge/watch/frame").await;
    described("get", "/api/rooms/{room}/watch/frame", &frame);
    let choice = json!({"share": link.share});
    let chosen = house
        .caller
        .send(Method::PUT, "/api/rooms/lounge/watch", &choice)
        .await;
    described("put", "/api/rooms/{room}/watch", &chosen);

    let whip = |method: Method| {
        let request = house.caller.request(method, &link.whip).bearer_auth(&link.token);
        answer(request.header("content-type", "application/sdp").body("v=0"))
    };
    described("post", "/api/watch/{share}/whip", &whip(Method::POST).await);
    described("patch", "/api/watch/{share}/whip", &whip(Method::PATCH).await);
    described("delete", "/api/watch/{share}/whip", &whip(Method::DELETE).await);
    described("delete", "/api/watch/{share}/whip", &whip(Method::DELETE).await);

    let link = house.link("Carol").await;
    let stop = house
        .caller
        .request(Method::DELETE, &format!("/api/watch/{}", link.share));
    described(
        "delete",
        "/api/watch/{share}",
        &answer(stop.bearer_auth(&link.token)).await,
    );
    let link = house.link("Carol").await;
    let path = format!("/api/rooms/lounge/shares/{}", link.share);
    let ended = answer(house.caller.request(Method::DELETE, &path)).await;
    described("delete", "/api/rooms/{room}/shares/{share}", &ended);
    let plain = house.caller.get("/api/watch/socket").await;
    described("get", "/api/watch/socket", &plain);
}
