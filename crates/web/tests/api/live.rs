//! Live events: nothing lost, nothing twice, and no page that keeps the server from ending.

use std::time::Duration;

use reqwest::Response;
use runtime::live::LiveEvent;
use serde_json::{Value, json};

use crate::driver::{House, open};

/// One event as a browser would see it.
#[derive(Clone, Debug, PartialEq)]
struct Event {
    id: u64,
    kind: String,
    data: Value,
}

/// A page that listens.
struct Listener {
    response: Response,
    unread: String,
}

impl Listener {
    async fn open(house: &House, last_seen: Option<&str>) -> Self {
        let headers: Vec<(&'static str, &str)> =
            last_seen.map(|id| ("last-event-id", id)).into_iter().collect();
        Self::of(house.caller.listen("/api/events", &headers).await)
    }

    fn of(response: Response) -> Self {
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            response,
            unread: String::new(),
        }
    }

    /// The next event; none when the stream ended.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((block, rest)) = self.unread.split_once("\n\n") {
                let event = parse(block);
                self.unread = rest.to_owned();
                if event.is_some() {
                    return event;
                }
                continue;
            }
            let chunk = tokio::time::timeout(Duration::from_secs(30), self.response.chunk())
                .await
                .expect("an event");
            self.unread.push_str(std::str::from_utf8(&chunk.ok()??).unwrap());
        }
    }

    async fn take(&mut self, count: usize) -> Vec<Event> {
        let mut events = Vec::new();
        while events.len() < count {
            events.push(self.next().await.expect("the stream goes on"));
        }
        events
    }
}

fn parse(block: &str) -> Option<Event> {
    let field = |name: &str| {
        block
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .map(str::trim)
    };
    Some(Event {
        id: field("id:")?.parse().unwrap(),
        kind: field("event:")?.to_owned(),
        data: serde_json::from_str(field("data:")?).unwrap(),
    })
}

async fn say(house: &House, text: &str) {
    let body = json!({"author": "Alice", "text": text});
    house
        .caller
        .post("/api/rooms/lounge/messages", &body)
        .await
        .ok(201);
}

fn publish(house: &House, version: u64) {
    house.handle.live().publish(LiveEvent::Settings { version });
}

#[tokio::test]
async fn a_page_is_greeted_and_then_told_what_happens() {
    let house = open().await;
    let mut page = Listener::open(&house, None).await;
    let hello = page.next().await.unwrap();
    assert_eq!(hello.kind, "hello");
    assert_eq!(
        hello.data,
        json!({"type": "hello", "community": "local", "version": "9.9.9", "next": hello.id + 1})
    );

    say(&house, "one").await;
    let event = page.next().await.unwrap();
    assert_eq!((event.kind.as_str(), event.id), ("message", hello.id + 1));
    assert_eq!(event.data["message"]["text"], "one");

    let typing = json!({"author": "Bob", "typing": true});
    house
        .caller
        .post("/api/rooms/lounge/typing", &typing)
        .await
        .ok(204);
    let event = page.next().await.unwrap();
    let expected = json!({"community": "local", "type": "typing", "room": "lounge", "person": "local:bob", "name": "Bob", "typing": true});
    assert_eq!((event.kind.as_str(), event.data), ("typing", expected));

    house.caller.post("/api/model/detect", &json!({})).await.ok(200);
    assert_eq!(page.next().await.unwrap().kind, "model");
}

#[tokio::test]
async fn a_page_that_comes_back_misses_nothing_and_sees_nothing_twice() {
    let house = open().await;
    let mut page = Listener::open(&house, None).await;
    let mut seen = page.take(1).await;
    for version in 0..10 {
        publish(&house, version);
    }
    seen.extend(page.take(6).await);
    drop(page);
    for version in 10..20 {
        publish(&house, version);
    }
    let last = seen.last().unwrap().id.to_string();
    let mut page = Listener::open(&house, Some(&last)).await;
    for version in 20..25 {
        publish(&house, version);
    }
    let greeting = page.next().await.unwrap();
    assert_eq!(
        (greeting.kind.as_str(), greeting.id.to_string()),
        ("hello", last),
        "the greeting does not move on"
    );
    seen.extend(page.take(19).await);
    let ids: Vec<u64> = seen.iter().map(|event| event.id).collect();
    let expected: Vec<u64> = (ids[0]..ids[0] + 26).collect();
    assert_eq!(ids, expected);
    let versions: Vec<u64> = seen[1..]
        .iter()
        .map(|event| event.data["version"].as_u64().unwrap())
        .collect();
    assert_eq!(versions, (0..25).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_page_that_saw_only_the_greeting_can_resume_from_it() {
    let house = open().await;
    let hello = Listener::open(&house, None).await.next().await.unwrap();
    publish(&house, 7);
    let path = format!("/api/events?after={}", hello.id);
    let mut page = Listener::of(house.caller.listen(&path, &[]).await);
    let events = page.take(2).await;
    assert_eq!(
        events[1].data,
        json!({"community": "local", "type": "settings", "version": 7})
    );
}

#[tokio::test]
async fn a_page_that_missed_too_much_is_told_to_start_anew() {
    let house = open().await;
    for version in 0..2_500 {
        publish(&house, version);
    }
    for last_seen in ["3", "18446744073709551615", "99999", "gibberish"] {
        let mut page = Listener::open(&house, Some(last_seen)).await;
        let events = page.take(2).await;
        assert_eq!(
            (events[0].kind.as_str(), events[1].kind.as_str()),
            ("hello", "reset"),
            "{last_seen}"
        );
        publish(&house, 1);
        assert_eq!(page.next().await.unwrap().id, events[1].id + 1);
    }
    house
        .caller
        .get("/api/events?after=soon")
        .await
        .refused(400, "bad_query");
}

#[tokio::test]
async fn a_page_that_falls_behind_is_told_to_start_anew_and_goes_on() {
    let house = open().await;
    let mut page = Listener::open(&house, None).await;
    page.take(1).await;
    // More than the reader's channel, without letting its task run in between.
    for version in 0..1_500 {
        publish(&house, version);
    }
    let mut last = 0;
    let reset = loop {
        let event = page.next().await.unwrap();
        if event.kind == "reset" {
            break event;
        }
        last = event.id;
    };
    assert!(reset.id > last);
    publish(&house, 9_999);
    let event = page.next().await.unwrap();
    assert_eq!((event.id, &event.data["version"]), (reset.id + 1, &json!(9_999)));
}

#[tokio::test]
async fn only_so_many_pages_may_listen() {
    let house = open().await;
    let mut pages = Vec::new();
    for _ in 0..50 {
        pages.push(Listener::open(&house, None).await);
    }
    let refused = house.caller.get("/api/events").await;
    refused.refused(503, "too_many_streams");
    let other = crate::roles::as_role(&house, "reader").await;
    Listener::of(other.listen("/api/events", &[]).await);
    assert_eq!(refused.header("retry-after"), "5");
    pages.clear();
    // The server notices a closed connection a moment later.
    for _ in 0..200 {
        let response = house.caller.listen("/api/events", &[]).await;
        if response.status() == 200 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("no place became free");
}

#[tokio::test]
async fn the_server_ends_although_pages_listen() {
    let mut house = open().await;
    let mut page = Listener::open(&house, None).await;
    page.take(1).await;
    tokio::time::timeout(Duration::from_secs(30), house.close())
        .await
        .expect("it ends")
        .unwrap();
    assert_eq!(page.next().await, None, "the stream was ended in order");
}
