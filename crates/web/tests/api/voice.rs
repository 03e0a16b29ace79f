//! The voice of a room over HTTP: who is there, coming in with an offer, being muted, leaving, and asking Denizen in.

use std::time::Duration;

use reqwest::Method;
use runtime::ports::VoiceDoors;
use serde_json::{Value, json};
use vocabulary::{Author, AuthorKind, PersonId, RoomId};

use crate::caller::{Caller, answer};
use crate::watch_description::is_as_described;
use crate::watching::{Watching, watching};

pub const VOICE: &str = "/api/rooms/lounge/voice";

pub fn author(name: &str) -> Author {
    Author {
        id: PersonId::new(format!("local:{}", name.to_lowercase())),
        name: name.to_owned(),
        kind: AuthorKind::Person,
    }
}

pub fn lounge() -> RoomId {
    RoomId::from("lounge")
}

/// An offer as Chromium makes one.
const OFFER: &str = "v=0\r\no=- 4611731400430051336 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0\r\n\
    a=msid-semantic: WMS\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nc=IN IP4 0.0.0.0\r\na=ice-ufrag:abcd\r\n\
    a=ice-pwd:abcdefghijklmnopqrstuvwx\r\na=ice-options:trickle\r\n\
    a=fingerprint:sha-256 75:74:5A:A6:A4:E5:52:F4:A7:67:4C:01:C7:EE:91:3F:21:3D:A2:E3:53:7B:6F:30:86:F2:30:AA:65:FB:04:24\r\n\
    a=setup:actpass\r\na=mid:0\r\na=sendrecv\r\na=rtcp-mux\r\na=rtpmap:111 opus/48000/2\r\n\
    a=fmtp:111 minptime=10;useinbandfec=1\r\na=ssrc:1234 cname:x\r\n";

async fn come(house: &Watching, name: &str) -> String {
    let body = json!({"author": name, "sdp": OFFER});
    let came = house.caller.post(&format!("{VOICE}/sessions"), &body).await;
    let session = came.ok(201)["session"].as_str().unwrap().to_owned();
    assert_eq!(came.header("location"), format!("{VOICE}/sessions/{session}"));
    session
}

/// Looks until it is so.
pub async fn until(house: &Watching, is_so: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..600 {
        let view = house.caller.get(VOICE).await.ok(200);
        if is_so(&view) {
            return view;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it did not come about");
}

#[tokio::test]
async fn an_empty_room_says_what_denizen_hears_and_speaks_with() {
    let house = watching().await;
    let view = house.caller.get(VOICE).await.ok(200);
    assert_eq!(view["enabled"], true);
    assert_eq!((&view["inRoom"], &view["people"]), (&json!(false), &json!([])));
    for part in ["ears", "mouth"] {
        assert_eq!(view[part]["works"], false);
        assert!(view[part]["remedy"].as_str().unwrap().len() > 20, "{view}");
    }
    house
        .caller
        .get("/api/rooms/attic/voice")
        .await
        .refused(404, "unknown_room");
}

#[tokio::test]
async fn somebody_comes_in_with_an_offer_mutes_and_leaves_and_denizen_comes_along() {
    let house = watching().await;
    let session = come(&house, "Alice").await;
    let view = until(&house, |view| view["inRoom"] == true).await;
    let expected = json!([{"id": "local:alice", "name": "Alice", "speaking": false, "muted": false, "listened": true, "isYou": true}]);
    assert_eq!(view["people"], expected);
    let ends = view["endsAt"].as_i64().unwrap() - view["startedAt"].as_i64().unwrap();
    assert_eq!(ends, 30 * 60_000);

    let own = format!("{VOICE}/sessions/{session}");
    house
        .caller
        .send(Method::PATCH, &own, &json!({"muted": true, "listen": false}))
        .await
        .ok(204);
    let view = until(&house, |view| view["people"][0]["listened"] == false).await;
    assert_eq!(view["people"][0]["muted"], true);
    house
        .caller
        .send(Method::PATCH, &own, &json!({"loud": true}))
        .await
        .refused(422, "unknown_field");

    answer(house.caller.request(Method::DELETE, &own)).await.ok(204);
    until(&house, |view| {
        view["people"] == json!([]) && view["inRoom"] == false
    })
    .await;
    house
        .caller
        .send(Method::PATCH, &own, &json!({"muted": true}))
        .await
        .refused(404, "unknown_session");
    answer(house.caller.request(Method::DELETE, &own))
        .await
        .refused(404, "unknown_session");
}

#[tokio::test]
async fn real_answers_have_the_shape_that_is_described() {
    let house = watching().await;
    let description = house.caller.get("/api/openapi.json").await.ok(200);
    let (sessions, one) = (
        "/api/rooms/{room}/voice/sessions",
        "/api/rooms/{room}/voice/sessions/{session}",
    );
    let session = come(&house, "Alice").await;
    until(&house, |view| view["inRoom"] == true).await;
    let own = format!("{VOICE}/sessions/{session}");
    let ask = |path: &str| format!("{VOICE}/{path}");
    let offer = json!({"author": "Bob", "sdp": OFFER, "muted": true});
    for (method, path, address, body) in [
        (
            Method::GET,
            "/api/rooms/{room}/voice",
            VOICE.to_owned(),
            json!({}),
        ),
        (Method::POST, sessions, ask("sessions"), offer),
        (
            Method::POST,
            sessions,
            ask("sessions"),
            json!({"author": "Bob", "sdp": ""}),
        ),
        (Method::PATCH, one, own.clone(), json!({"muted": true})),
        (Method::PATCH, one, own.clone(), json!({"muted": 3})),
        (Method::DELETE, one, own.clone(), json!({})),
        (Method::DELETE, one, own.clone(), json!({})),
        (
            Method::POST,
            "/api/rooms/{room}/voice/leave",
            ask("leave"),
            json!({}),
        ),
        (
            Method::POST,
            "/api/rooms/{room}/voice/join",
            ask("join"),
            json!({}),
        ),
        (
            Method::GET,
            "/api/rooms/{room}/voice/socket",
            ask("socket"),
            json!({}),
        ),
    ] {
        let name = method.to_string().to_lowercase();
        let answer = house.caller.send(method, &address, &body).await;
        is_as_described(&description, &name, path, &answer);
    }
}

#[tokio::test]
async fn denizen_is_asked_out_and_in_again() {
    let house = watching().await;
    come(&house, "Alice").await;
    until(&house, |view| view["inRoom"] == true).await;
    let ask = |what: &str| answer(house.caller.request(Method::POST, &format!("{VOICE}/{what}")));
    ask("leave").await.ok(202);
    until(&house, |view| view["inRoom"] == false).await;
    ask("join").await.ok(202);
    until(&house, |view| view["inRoom"] == true).await;
}

#[tokio::test]
async fn a_page_that_asks_it_where_it_may_not_come_is_told_why_in_the_room() {
    let house = watching().await;
    house
        .set(&[("permissions.replies.blockedChannelIds", json!(["lounge"]))])
        .await;
    come(&house, "Alice").await;
    answer(house.caller.request(Method::POST, &format!("{VOICE}/join")))
        .await
        .ok(202);
    let line = async |is_it: fn(&Value) -> bool| {
        for _ in 0..600 {
            let journal = house
                .caller
                .get("/api/journal?newest=true&limit=200")
                .await
                .ok(200);
            let found = journal["entries"]
                .as_array()
                .unwrap()
                .iter()
                .find(|entry| is_it(entry));
            if let Some(found) = found {
                return found.clone();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("there is no such line");
    };
    let declined =
        line(|entry| entry["name"] == "voice_session_declined" && entry["data"]["because"] == "page").await;
    assert_eq!(declined["data"]["reason"], "not_in_this_room");
    assert_eq!(declined["data"]["by"], "local:alice");
    // This house sends nothing; that it wants to say why is enough.
    let told = line(|entry| entry["name"] == "text_delivery_started").await;
    assert_eq!(told["cause"], declined["seq"]);
    assert!(!house.halls.presence(&lounge()).denizen);
}

#[tokio::test]
async fn whoever_may_not_come_in_is_told_what_is_wrong() {
    let house = watching().await;
    let sessions = format!("{VOICE}/sessions");
    let long = "x".repeat(60);
    for (author, sdp, status, code) in [
        ("Denizen", OFFER, 422, "invalid_author"),
        (long.as_str(), OFFER, 422, "invalid_author"),
        ("Alice", "", 422, "bad_offer"),
        ("Alice", "v=0\r\nnonsense", 422, "bad_offer"),
    ] {
        let body = json!({"author": author, "sdp": sdp});
        house.caller.post(&sessions, &body).await.refused(status, code);
    }
    let body = json!({"author": "Alice", "sdp": OFFER});
    house
        .caller
        .post("/api/rooms/attic/voice/sessions", &body)
        .await
        .refused(404, "unknown_room");
    house.set(&[("voice.enabled", json!(false))]).await;
    let message = house
        .caller
        .post(&sessions, &body)
        .await
        .refused(409, "voice_disabled");
    assert!(message.contains("voice.enabled"), "{message}");
    answer(house.caller.request(Method::POST, &format!("{VOICE}/join")))
        .await
        .refused(409, "voice_disabled");
    let view = house.caller.get(VOICE).await.ok(200);
    assert!(view["enabled"] == false && view["why"].as_str().unwrap().contains("voice.enabled"));
    assert!(house.halls.presence(&lounge()).people.is_empty());
}

#[tokio::test]
async fn readers_see_who_is_there_and_come_in_by_no_door_and_a_name_is_its_owners() {
    let house = watching().await;
    let as_role = async |role: &str| {
        let new = json!({"role": role, "label": "a test"});
        let made = house.caller.post("/api/access", &new).await.ok(201);
        Caller::knowing(house.address, made["token"].as_str().unwrap())
    };
    let (reader, one, other) = (
        as_role("reader").await,
        as_role("participant").await,
        as_role("participant").await,
    );
    let sessions = format!("{VOICE}/sessions");
    let body = json!({"author": "Alice", "sdp": OFFER});
    let (seen, known) = (
        reader.get(VOICE).await.ok(200),
        house.caller.get(VOICE).await.ok(200),
    );
    for part in ["ears", "mouth"] {
        let remedy = |view: &Value| view[part]["remedy"].as_str().unwrap_or_default().to_owned();
        assert!(remedy(&known).contains("neither ears nor a voice"), "{known}");
        assert!(
            remedy(&seen).starts_with("Whoever runs this Denizen can give it"),
            "{seen}"
        );
    }
    reader.post(&sessions, &body).await.refused(403, "not_allowed");
    reader
        .post(&format!("{VOICE}/join"), &json!({}))
        .await
        .refused(403, "not_allowed");
    reader
        .get(&format!("{VOICE}/socket?author=Alice"))
        .await
        .refused(403, "not_allowed");
    one.post(&sessions, &body).await.ok(201);
    other.post(&sessions, &body).await.refused(409, "name_taken");
    assert_eq!(other.get(VOICE).await.ok(200)["people"][0].get("isYou"), None);
}

#[tokio::test]
async fn one_participant_has_one_voice_in_a_room_under_however_many_names() {
    let house = watching().await;
    let new = json!({"role": "participant", "label": "a test"});
    let token = house.caller.post("/api/access", &new).await.ok(201);
    let greedy = Caller::knowing(house.address, token["token"].as_str().unwrap());
    come(&house, "Alice").await;
    for number in 0..6 {
        let body = json!({"author": format!("Guest {number}"), "sdp": OFFER});
        greedy.post(&format!("{VOICE}/sessions"), &body).await.ok(201);
    }
    let names = |house: &Watching| -> Vec<String> {
        let people = house.halls.presence(&lounge()).people.into_iter();
        people.map(|present| present.author.name).collect()
    };
    assert_eq!(names(&house), ["Alice", "Guest 5"]);
    // Administrators act for several: recordings are played as people's microphones.
    come(&house, "Bob").await;
    assert_eq!(names(&house), ["Alice", "Bob", "Guest 5"]);
}

#[tokio::test]
async fn whose_token_is_taken_back_is_not_in_the_voice_of_a_room_any_more() {
    let house = watching().await;
    let new = json!({"role": "participant", "label": "a test"});
    let made = house.caller.post("/api/access", &new).await.ok(201);
    let guest = Caller::knowing(house.address, made["token"].as_str().unwrap());
    guest
        .post(
            &format!("{VOICE}/sessions"),
            &json!({"author": "Alice", "sdp": OFFER}),
        )
        .await
        .ok(201);
    until(&house, |view| view["people"][0]["name"] == "Alice").await;
    let id = made["id"]
        .as_str()
        .or(made["credential"]["id"].as_str())
        .unwrap()
        .to_owned();
    answer(house.caller.request(Method::DELETE, &format!("/api/access/{id}"))).await;
    until(&house, |view| view["people"] == json!([])).await;
}
