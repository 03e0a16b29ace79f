//! What is described of its own thoughts and of reactions is true of real answers.

use mind::ambient::feed::Candidate;
use mind::ambient::reading::ThoughtAction;
use mind::ambient::view::{
    AmbientView, ChannelView, MediaMeter, Meter, PostLink, PostView, Receipt, Revision, RunStep, RunStepKind,
    RunView, Saved, Stop, ThoughtView, ToolView,
};
use reqwest::Method;
use serde_json::json;
use vocabulary::{AskId, FeedFamily, FeedItem, MediaKind, MediaWish, MessageId, Span, TurnId, WallTime};

use crate::caller::{Answer, answer};
use crate::discovery::{Shelf, reading, source};
use crate::thoughts::{run, thought};
use crate::watch_description::is_as_described;

/// Fills everything that may be empty.
fn fill(view: &mut AmbientView) {
    let decision = Revision {
        at: WallTime(1_500),
        ask: AskId(3),
        action: ThoughtAction::Hold,
        text: "Has anybody seen it?".to_owned(),
        room: Some("lounge".into()),
        media: Some(MediaWish {
            kind: MediaKind::Image,
            prompt: "a lighthouse".to_owned(),
        }),
        reason: "nobody is there".to_owned(),
    };
    view.attention.room = Some("lounge".into());
    view.attention.ends_in = Some(Span(5));
    view.next_tick_in = Some(Span(41_000));
    view.stopped_by = Some(Stop {
        gate: "min_gap".to_owned(),
        words: "too early".to_owned(),
        opens_in: Some(Span(9)),
    });
    view.channels = vec![ChannelView {
        room: "lounge".into(),
        eligible: false,
        why: "it is blocked".to_owned(),
    }];
    view.thought = Some(ThoughtView {
        media: decision.media.clone(),
        history: vec![decision.clone()],
        ..thought()
    });
    view.trial = Some(RunView {
        steps: vec![RunStep {
            at: WallTime(1_200),
            kind: RunStepKind::Asked,
            words: "asked a model".to_owned(),
            ask: Some(AskId(3)),
        }],
        decision: Some(decision),
        post: Some("Has anybody seen it?".to_owned()),
        ..run(true)
    });
    view.receipts = vec![Receipt {
        first_at: WallTime(1),
        last_at: WallTime(2),
        ticks: 2,
        ran: false,
        gate: Some("dice".to_owned()),
        words: "the dice said no".to_owned(),
        roll: Some(80),
        below: Some(20),
        action: None,
        turn: Some(TurnId(4)),
    }];
    view.budget.saved = vec![Saved {
        gate: "dice".to_owned(),
        words: "the dice said no".to_owned(),
        ticks: 2,
        tokens: Some(10),
        cost: Some(3),
    }];
    view.budget.cost_of_a_thought = Some(2);
    view.media = vec![MediaMeter {
        kind: MediaKind::Gif,
        meter: Meter::default(),
        why_not: String::new(),
    }];
    view.posts = vec![PostView {
        turn: TurnId(2),
        room: "lounge".into(),
        messages: vec![MessageId::from("m1")],
        text: "Look.".to_owned(),
        at: WallTime(7),
        links: vec![PostLink {
            url: "https://example.org/light".to_owned(),
            source: Some(source(FeedFamily::HackerNews, "top")),
        }],
        media: Some(MediaKind::Image),
        reactions: 1,
        replies: 0,
    }];
    view.candidates = vec![Candidate {
        item: FeedItem {
            source: source(FeedFamily::HackerNews, "top"),
            url: "https://example.org/light".to_owned(),
            title: "A lighthouse of glass".to_owned(),
            summary: String::new(),
            author: Some("ada".to_owned()),
            published_at: Some(WallTime(1)),
            points: Some(310),
            comments: Some(44),
            popularity: 0.9,
            nsfw: false,
        },
        score: 0.7,
        source: 0.5,
        topic: 1.0,
        freshness: 0.8,
        popularity: 0.9,
        chance: 0.0,
    }];
    view.tools = vec![ToolView {
        name: "web_search".to_owned(),
        origin: "web".to_owned(),
        offered: false,
        why_not: "tools.searchProvider is none".to_owned(),
    }];
}

#[tokio::test]
async fn real_answers_have_the_shape_that_is_described() {
    let house = reading(&Shelf::open()).await;
    let description = house.caller.get("/api/openapi.json").await.ok(200);
    let described =
        |method: &str, path: &str, answer: &Answer| is_as_described(&description, method, path, answer);
    let (caller, nothing) = (&house.caller, json!({}));

    described("get", "/api/ambient", &caller.get("/api/ambient").await);
    house.ambient.change(fill);
    described("get", "/api/ambient", &caller.get("/api/ambient").await);
    let think = caller.post("/api/ambient/think", &nothing).await;
    described("post", "/api/ambient/think", &think);
    house.ambient.change(|view| view.run = Some(run(false)));
    let again = caller.post("/api/ambient/think", &nothing).await;
    described("post", "/api/ambient/think", &again);
    for _ in 0..2 {
        let dropped = answer(caller.request(Method::DELETE, "/api/ambient/thought")).await;
        described("delete", "/api/ambient/thought", &dropped);
        house.ambient.change(|view| view.thought = None);
    }
    let status = caller.get("/api/ambient/status").await;
    described("get", "/api/ambient/status", &status);

    described("get", "/api/discovery", &caller.get("/api/discovery").await);
    let preview = caller.post("/api/discovery/preview", &nothing).await;
    described("post", "/api/discovery/preview", &preview);
    for named in [
        json!({"family": "reddit", "name": "lighthouses"}),
        json!({"family": "hacker_news", "name": "top"}),
        json!({"family": "rss", "name": ""}),
        json!({"family": "rss", "name": "elsewhere"}),
    ] {
        let checked = caller.post("/api/discovery/check", &named).await;
        described("post", "/api/discovery/check", &checked);
        let path = "/api/discovery/sources";
        let dropped = caller.send(Method::DELETE, path, &named).await;
        described("delete", path, &dropped);
    }

    let body = json!({"author": "Alice", "text": "look", "id": "alice-0001"});
    caller.post("/api/rooms/lounge/messages", &body).await.ok(201);
    for emoji in ["👍", ""] {
        let reaction = json!({"author": "Bob", "emoji": emoji});
        for (method, name) in [
            (Method::PUT, "put"),
            (Method::DELETE, "delete"),
            (Method::PUT, "put"),
        ] {
            let path = "/api/rooms/lounge/messages/alice-0001/reactions";
            let reacted = caller.send(method, path, &reaction).await;
            described(name, "/api/rooms/{room}/messages/{id}/reactions", &reacted);
        }
    }
    let page = caller.get("/api/rooms/lounge/messages").await;
    assert!(page.json()["messages"][0]["reactions"].is_array());
    described("get", "/api/rooms/{room}/messages", &page);
}
