//! Programs in the voice of a room, through a real WebSocket.

use std::time::Duration;

use audio::codec::{VoiceCoding, VoiceDecoder, VoiceEncoder};
use audio::{Decibels, FRAME, Frame, pcm};
use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use runtime::ports::VoiceDoors;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::caller::answer;
use crate::driver::TOKEN;
use crate::voice::{author, lounge, until};
use crate::watching::{Watching, watching};

const PATIENCE: Duration = Duration::from_secs(30);

struct Program(WebSocketStream<MaybeTlsStream<TcpStream>>);

/// What a program hears next.
#[derive(Debug)]
enum Next {
    Words(Value),
    Sound(Vec<u8>),
    Closed(u16, String),
}

impl Program {
    async fn open(house: &Watching, query: &str) -> Result<Self, (u16, Value)> {
        Self::open_with(house, query, &[("authorization", format!("Bearer {TOKEN}"))]).await
    }

    async fn open_with(
        house: &Watching,
        query: &str,
        headers: &[(&'static str, String)],
    ) -> Result<Self, (u16, Value)> {
        let address = format!("ws://{}/api/rooms/lounge/voice/socket?{query}", house.address);
        let mut request = address.into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        match connect_async(request).await {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(Error::Http(response)) => {
                let body = response.body().clone().unwrap_or_default();
                Err((
                    response.status().as_u16(),
                    serde_json::from_slice(&body).unwrap_or_default(),
                ))
            }
            Err(other) => panic!("{other}"),
        }
    }

    async fn send(&mut self, message: Message) {
        self.0.send(message).await.unwrap();
    }

    async fn say(&mut self, words: Value) {
        self.send(Message::text(words.to_string())).await;
    }

    async fn next(&mut self) -> Next {
        loop {
            let received = tokio::time::timeout(PATIENCE, self.0.next())
                .await
                .expect("something comes");
            match received {
                Some(Ok(Message::Text(text))) => return Next::Words(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Binary(bytes))) => return Next::Sound(bytes.to_vec()),
                Some(Ok(Message::Close(frame))) => {
                    let frame = frame.map(|frame| (frame.code.into(), frame.reason.to_string()));
                    let (code, reason) = frame.unwrap_or_default();
                    return Next::Closed(code, reason);
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Next::Closed(0, String::new()),
            }
        }
    }

    /// The next words of a kind.
    async fn words(&mut self, kind: &str) -> Value {
        loop {
            match self.next().await {
                Next::Words(words) if words["type"] == kind => return words,
                Next::Closed(code, reason) => panic!("closed with {code}: {reason}"),
                _ => {}
            }
        }
    }

    async fn sound(&mut self) -> Vec<u8> {
        loop {
            match self.next().await {
                Next::Sound(sound) => return sound,
                Next::Closed(code, reason) => panic!("closed with {code}: {reason}"),
                Next::Words(_) => {}
            }
        }
    }

    async fn closed(&mut self) -> (u16, String) {
        loop {
            if let Next::Closed(code, reason) = self.next().await {
                return (code, reason);
            }
        }
    }
}

fn tone() -> Frame {
    std::array::from_fn(|at| if at % 120 < 60 { 3_000 } else { -3_000 })
}

fn bytes(frame: &Frame) -> Vec<u8> {
    let mut bytes = Vec::new();
    pcm::write(frame, &mut bytes);
    bytes
}

#[tokio::test]
async fn programs_hear_each_other_to_the_sample_and_are_told_who_is_there() {
    let house = watching().await;
    let mut ann = Program::open(&house, "author=Ann&format=pcm16").await.unwrap();
    let hello = ann.words("hello").await;
    assert_eq!(hello["you"]["id"], "local:ann");
    let sound = (
        &hello["format"],
        &hello["samplesPerSecond"],
        &hello["frameMilliseconds"],
    );
    assert_eq!(sound, (&json!("pcm16"), &json!(48_000), &json!(20)));
    let mut bob = Program::open(&house, "author=Bob").await.unwrap();
    bob.words("hello").await;
    let both = |people: &Value| {
        people["people"]
            .as_array()
            .is_some_and(|people| people.len() == 2)
    };
    while !both(&ann.words("people").await) {}
    for _ in 0..5 {
        ann.send(Message::binary(bytes(&tone()))).await;
    }
    assert_eq!(bob.sound().await, bytes(&tone()));
    ann.say(json!({"type": "mute", "muted": true})).await;
    let muted = |people: &Value| people["people"][0]["muted"] == true;
    while !muted(&bob.words("people").await) {}
}

#[tokio::test]
async fn everybody_is_told_whom_denizen_listens_to_when_that_changes() {
    let house = watching().await;
    let mut ann = Program::open(&house, "author=Ann").await.unwrap();
    let mut bob = Program::open(&house, "author=Bob").await.unwrap();
    until(&house, |view| view["inRoom"] == true).await;
    for listened in [false, true] {
        ann.say(json!({"type": "listen", "listen": listened})).await;
        for program in [&mut ann, &mut bob] {
            let of_ann = |people: &Value| {
                let people = people["people"].as_array().unwrap().clone();
                people.into_iter().find(|person| person["name"] == "Ann")
            };
            while of_ann(&program.words("people").await).is_none_or(|ann| ann["listened"] != listened) {}
        }
    }
}

#[tokio::test]
async fn it_is_told_who_makes_a_sound_where_nobody_listens_too() {
    let house = watching().await;
    house.set(&[("voice.joinPolicy", json!("on_request"))]).await;
    let stay = house.halls.come(&lounge(), author("Ann"), false).unwrap();
    let mut bob = Program::open(&house, "author=Bob").await.unwrap();
    bob.words("hello").await;
    for _ in 0..10 {
        stay.say(&tone()).unwrap();
    }
    for speaking in [true, false] {
        let told = bob.words("speaking").await;
        assert_eq!(
            (&told["person"], &told["speaking"]),
            (&json!("local:ann"), &json!(speaking))
        );
    }
    assert!(!house.halls.presence(&lounge()).denizen);
}

#[tokio::test]
async fn opus_goes_both_ways() {
    let house = watching().await;
    let stay = house.halls.come(&lounge(), author("Bob"), false).unwrap();
    let mut ann = Program::open(&house, "author=Ann&format=opus").await.unwrap();
    ann.words("hello").await;
    let mut encoder = VoiceEncoder::new(VoiceCoding::default()).unwrap();
    let mut packet = Vec::new();
    let mut heard: Vec<i16> = Vec::new();
    for _ in 0..30 {
        encoder.encode(&tone(), &mut packet).unwrap();
        ann.send(Message::binary(packet.clone())).await;
        heard.extend_from_slice(stay.hear().await.unwrap().as_slice());
    }
    assert!(Decibels::of_samples(&heard[20 * FRAME..]) > Decibels(-30.0));
    let (mut decoder, mut back) = (VoiceDecoder::new().unwrap(), Vec::new());
    for _ in 0..30 {
        stay.say(&tone()).unwrap();
        decoder.decode(&ann.sound().await, &mut back).unwrap();
    }
    assert!(Decibels::of_samples(&back[20 * FRAME..]) > Decibels(-30.0));
}

#[tokio::test]
async fn a_socket_that_dies_leaves_the_room_and_a_second_takes_the_place_of_the_first() {
    let house = watching().await;
    let mut first = Program::open(&house, "author=Ann").await.unwrap();
    first.words("hello").await;
    let mut second = Program::open(&house, "author=ann").await.unwrap();
    second.words("hello").await;
    let (code, reason) = first.closed().await;
    assert!(
        code == 1008 && reason.contains("one person has one voice"),
        "{code} {reason}"
    );
    assert_eq!(house.halls.presence(&lounge()).people.len(), 1);
    drop(second);
    until(&house, |view| view["people"] == json!([])).await;
}

#[tokio::test]
async fn what_is_wrong_is_named_and_whoever_goes_on_is_sent_away() {
    let house = watching().await;
    let mut ann = Program::open(&house, "author=Ann").await.unwrap();
    ann.words("hello").await;
    ann.send(Message::binary(vec![0; 100])).await;
    let error = ann.words("error").await;
    assert_eq!(error["code"], "bad_sound");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("1920 bytes, and this one has 100"),
        "{error}"
    );
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    ann.say(json!({"type": "sing"})).await;
    let error = ann.words("error").await;
    assert!(
        error["message"].as_str().unwrap().contains("say_typed"),
        "{error}"
    );
    for _ in 0..100 {
        ann.send(Message::binary(vec![0; 1])).await;
    }
    let (code, reason) = ann.closed().await;
    assert!(code == 1008 && reason.contains("wrong"), "{code} {reason}");

    let mut flood = Program::open(&house, "author=Ann").await.unwrap();
    flood.words("hello").await;
    for _ in 0..400 {
        if flood.0.feed(Message::binary(bytes(&tone()))).await.is_err() {
            break;
        }
    }
    let _ = flood.0.flush().await;
    let (code, _) = flood.closed().await;
    assert!(code == 1008 || code == 0, "{code}");

    let mut huge = Program::open(&house, "author=Ann").await.unwrap();
    huge.words("hello").await;
    let _ = huge.0.send(Message::binary(vec![0; 1_000_000])).await;
    huge.closed().await;
    until(&house, |view| view["people"] == json!([])).await;
}

#[tokio::test]
async fn who_cannot_come_in_is_told_by_a_status_before_there_is_a_socket() {
    let house = watching().await;
    let bearer = ("authorization", format!("Bearer {TOKEN}"));
    for (query, status, code) in [
        ("", 422, "invalid_author"),
        ("author=Denizen", 422, "invalid_author"),
        ("author=Ann&format=mp3", 422, "invalid_format"),
        ("author=Ann&muted=loudly", 400, "bad_query"),
    ] {
        let (refused, body) = Program::open(&house, query).await.err().unwrap();
        assert_eq!(
            (refused, &body["error"]["code"]),
            (status, &json!(code)),
            "{query}"
        );
    }
    let stranger = Program::open_with(&house, "author=Ann", &[]).await.err().unwrap();
    assert_eq!(stranger.0, 401);
    let elsewhere = [bearer, ("origin", "https://elsewhere.example".to_owned())];
    let page = Program::open_with(&house, "author=Ann", &elsewhere)
        .await
        .err()
        .unwrap();
    assert_eq!((page.0, &page.1["error"]["code"]), (403, &json!("bad_origin")));
    let plain = house
        .caller
        .get("/api/rooms/lounge/voice/socket?author=Ann")
        .await;
    plain.refused(426, "upgrade_required");
    let in_the_address = format!("author=Ann&token={TOKEN}");
    assert!(Program::open_with(&house, &in_the_address, &[]).await.is_ok());
}

#[tokio::test]
async fn where_voice_is_switched_off_everybody_is_shown_out_and_told_why() {
    let house = watching().await;
    let mut ann = Program::open(&house, "author=Ann").await.unwrap();
    ann.words("hello").await;
    house.set(&[("voice.enabled", json!(false))]).await;
    let (code, reason) = ann.closed().await;
    assert!(
        code == 1008 && reason.contains("voice.enabled"),
        "{code} {reason}"
    );
    until(&house, |view| view["people"] == json!([])).await;
}

#[tokio::test]
async fn words_that_stand_in_for_sound_are_written_down_as_said() {
    let house = watching().await;
    let mut ann = Program::open(&house, "author=Ann").await.unwrap();
    ann.words("hello").await;
    until(&house, |view| view["inRoom"] == true).await;
    ann.say(json!({"type": "say_typed", "text": "Denizen, what did Bob just say?"}))
        .await;
    let decision = ann.words("decision").await;
    assert_eq!(decision["line"]["name"], "voice_turn_addressing", "{decision}");
    let messages = house.caller.get("/api/rooms/lounge/messages").await.ok(200);
    let spoken = messages["messages"]
        .as_array()
        .unwrap()
        .iter()
        .find(|message| message["spoken"] == true);
    assert_eq!(spoken.unwrap()["text"], "Denizen, what did Bob just say?");
}

#[tokio::test]
async fn words_that_nobody_would_answer_are_refused_with_what_to_do() {
    let house = watching().await;
    house.set(&[("voice.joinPolicy", json!("on_request"))]).await;
    let mut ann = Program::open(&house, "author=Ann").await.unwrap();
    ann.words("hello").await;
    ann.say(json!({"type": "say_typed", "text": "Denizen, are you there?"}))
        .await;
    let error = ann.words("error").await;
    assert_eq!(error["code"], "not_in_voice", "{error}");
    assert!(error["message"].as_str().unwrap().contains("/join"), "{error}");
}

#[tokio::test]
async fn words_that_cannot_be_said_are_refused_and_stand_nowhere() {
    let house = watching().await;
    let mut ann = Program::open(&house, "author=Ann").await.unwrap();
    ann.words("hello").await;
    until(&house, |view| view["inRoom"] == true).await;
    for (text, code) in [
        (" \n".to_owned(), "empty_message"),
        ("x".repeat(20_000), "text_too_long"),
    ] {
        ann.say(json!({"type": "say_typed", "text": text})).await;
        assert_eq!(ann.words("error").await["code"], code);
        // Faults are told once a second.
        tokio::time::sleep(Duration::from_millis(1_100)).await;
    }
    let messages = house.caller.get("/api/rooms/lounge/messages").await.ok(200);
    let spoken = messages["messages"].as_array().unwrap().iter();
    assert_eq!(spoken.filter(|message| message["spoken"] == true).count(), 0);
}

#[tokio::test]
async fn a_heap_after_a_network_that_stood_still_ends_nobodys_stay() {
    let house = watching().await;
    let mut ann = Program::open(&house, "author=Ann").await.unwrap();
    ann.words("hello").await;
    for _ in 0..160 {
        ann.0.feed(Message::binary(bytes(&tone()))).await.unwrap();
    }
    ann.0.flush().await.unwrap();
    let error = ann.words("error").await;
    assert!(error["message"].as_str().unwrap().contains("faster"), "{error}");
    // It is still there, and heard: what is wrong is told to it.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    ann.send(Message::binary(vec![0; 100])).await;
    while !ann.words("error").await["message"]
        .as_str()
        .unwrap()
        .contains("1920")
    {}
}

#[tokio::test]
async fn whose_name_is_taken_away_speaks_under_it_no_longer() {
    let house = watching().await;
    let mut ann = Program::open(&house, "author=Ann").await.unwrap();
    ann.words("hello").await;
    let released = answer(house.caller.request(Method::DELETE, "/api/names/ann")).await;
    assert_eq!(released.status, 204);
    let (code, reason) = ann.closed().await;
    assert!(code == 1008 && reason.contains("name"), "{code} {reason}");
    until(&house, |view| view["people"] == json!([])).await;
}
