//! What it reads: reports, a preview, trying a source and dropping one.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use mind::ambient::feed::SourceTally;
use mind::ambient::view::{PostLink, PostView, SourceView};
use mind::{Input, OperatorWish};
use reqwest::Method;
use runtime::ports::{Discovery, OutboundServices};
use serde_json::{Value, json};
use settings::Settings;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use vocabulary::{FeedFamily, FeedHarvest, FeedItem, FeedSource, FeedWish, SourceReport, TurnId, WallTime};

use crate::caller::Answer;
use crate::driver::{House, open_reaching};

/// Sources as a test wants them. A gathering waits for leave.
pub struct Shelf {
    pub leave: Semaphore,
    wished: Mutex<Vec<FeedWish>>,
}

impl Shelf {
    pub fn open() -> Arc<Self> {
        Arc::new(Self {
            leave: Semaphore::new(100),
            wished: Mutex::default(),
        })
    }
}

pub fn source(family: FeedFamily, name: &str) -> FeedSource {
    FeedSource {
        family,
        name: name.to_owned(),
    }
}

fn report(source: &FeedSource) -> SourceReport {
    SourceReport {
        source: source.clone(),
        items: 1,
        fresh: 1,
        unchanged: false,
        failure: None,
    }
}

#[async_trait]
impl Discovery for Shelf {
    async fn gather(&self, wish: &FeedWish, _: &Settings) -> FeedHarvest {
        let _leave = self.leave.acquire().await.unwrap();
        self.wished.lock().unwrap().push(wish.clone());
        let item = |source: &FeedSource| FeedItem {
            source: source.clone(),
            url: format!("https://example.org/{}", source.name),
            title: format!("News of {}", source.name),
            summary: String::new(),
            author: None,
            published_at: Some(wish.now),
            points: Some(3),
            comments: None,
            popularity: 0.5,
            nsfw: false,
        };
        FeedHarvest {
            items: wish.sources.iter().map(item).collect(),
            reports: wish.sources.iter().map(report).collect(),
        }
    }

    async fn check(&self, source: &FeedSource, _: &FeedWish, _: &Settings) -> Result<String, String> {
        match source.name.as_str() {
            "lighthouses" => Ok("25 posts, the newest an hour old".to_owned()),
            _ => Err(format!("{source} is not there")),
        }
    }

    fn reports(&self) -> Vec<SourceReport> {
        vec![report(&source(FeedFamily::HackerNews, "top"))]
    }
}

pub async fn reading(shelf: &Arc<Shelf>) -> House {
    let outbound = OutboundServices {
        discovery: shelf.clone(),
        ..OutboundServices::none()
    };
    let house = open_reaching(|_| {}, 100, false, outbound).await;
    house.ambient.change(|view| {
        view.sources = vec![
            view_of(source(FeedFamily::HackerNews, "top"), false),
            view_of(source(FeedFamily::Reddit, "lighthouses"), true),
            view_of(source(FeedFamily::Rss, "https://example.org/feed"), false),
        ];
    });
    house
}

pub fn view_of(source: FeedSource, own: bool) -> SourceView {
    SourceView {
        last_report: Some(report(&source)),
        source,
        own,
        added_at: None,
        reason: String::new(),
        tally: SourceTally::default(),
        last_read_at: None,
    }
}

async fn drop_source(house: &House, body: Value) -> Answer {
    let path = "/api/discovery/sources";
    house.caller.send(Method::DELETE, path, &body).await
}

#[tokio::test]
async fn the_last_reports_are_shown_without_reading_anything() {
    let shelf = Shelf::open();
    let house = reading(&shelf).await;
    let shown = house.caller.get("/api/discovery").await.ok(200);
    assert_eq!(
        shown,
        json!({"reports": [{"source": {"family": "hacker_news", "name": "top"}, "items": 1, "fresh": 1, "unchanged": false}]})
    );
    assert!(shelf.wished.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_preview_reads_configured_and_own_sources() {
    let shelf = Shelf::open();
    let house = reading(&shelf).await;
    let preview = house
        .caller
        .post("/api/discovery/preview", &json!({}))
        .await
        .ok(200);
    let read: Vec<String> = shelf.wished.lock().unwrap()[0]
        .sources
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(read, ["hacker_news:top", "reddit:lighthouses"]);
    assert_eq!(preview["reports"].as_array().unwrap().len(), 2);
    assert_eq!(preview["candidates"].as_array().unwrap().len(), 2);
    assert_eq!(
        preview["candidates"][0]["chance"], 0.0,
        "nothing is left to chance"
    );
}

#[tokio::test]
async fn what_the_room_is_into_comes_first_and_what_was_posted_not_again() {
    let shelf = Shelf::open();
    let house = reading(&shelf).await;
    let shown = async || {
        let path = "/api/discovery/preview";
        let preview = house.caller.post(path, &json!({})).await.ok(200);
        let candidates = preview["candidates"].as_array().unwrap().clone();
        let titles = candidates
            .iter()
            .map(|candidate| candidate["item"]["title"].clone());
        titles.collect::<Vec<Value>>()
    };
    house
        .ambient
        .change(|view| view.interests = vec!["lighthouses".to_owned()]);
    assert_eq!(shown().await, ["News of lighthouses", "News of top"]);
    let post = |at: WallTime| PostView {
        turn: TurnId(1),
        room: "lounge".into(),
        messages: Vec::new(),
        text: String::new(),
        at,
        links: vec![PostLink {
            url: "https://example.org/lighthouses".to_owned(),
            source: None,
        }],
        media: None,
        reactions: 0,
        replies: 0,
        spoken: false,
    };
    house
        .ambient
        .change(|view| view.posts = vec![post(runtime::wall())]);
    assert_eq!(shown().await, ["News of top"]);
    house.ambient.change(|view| view.posts = vec![post(WallTime(0))]);
    assert_eq!(shown().await.len(), 2, "that was long ago");
}

#[tokio::test]
async fn one_preview_at_a_time() {
    let shelf = Shelf::open();
    let house = reading(&shelf).await;
    let all = shelf.leave.acquire_many(100).await.unwrap();
    let mut previews = JoinSet::new();
    for _ in 0..2 {
        let caller = house.caller.clone();
        previews.spawn(async move { caller.post("/api/discovery/preview", &json!({})).await });
    }
    // Whichever comes second is refused while the other waits for its sources.
    let second = previews.join_next().await.unwrap().unwrap();
    second.refused(409, "preview_under_way");
    drop(all);
    previews.join_next().await.unwrap().unwrap().ok(200);
    house
        .caller
        .post("/api/discovery/preview", &json!({}))
        .await
        .ok(200);
}

#[tokio::test]
async fn a_source_is_tried_without_being_added() {
    let shelf = Shelf::open();
    let house = reading(&shelf).await;
    let check = async |body: Value| house.caller.post("/api/discovery/check", &body).await;
    assert_eq!(
        check(json!({"family": "reddit", "name": " /r/lighthouses/ "}))
            .await
            .ok(200),
        json!({"ok": true, "words": "25 posts, the newest an hour old"})
    );
    assert_eq!(
        check(json!({"family": "rss", "name": "https://example.org/x"}))
            .await
            .ok(200),
        json!({"ok": false, "words": "rss:https://example.org/x is not there"})
    );
    for name in ["", "  ", "a\u{7}b", &"x".repeat(501)] {
        check(json!({"family": "rss", "name": name}))
            .await
            .refused(422, "invalid_source");
    }
    check(json!({"family": "gopher", "name": "x"}))
        .await
        .refused(422, "invalid_field");
    assert!(house.store.kept().heard.is_empty());
}

#[tokio::test]
async fn only_what_it_added_itself_is_dropped() {
    let shelf = Shelf::open();
    let house = reading(&shelf).await;
    drop_source(&house, json!({"family": "reddit", "name": "r/lighthouses"}))
        .await
        .ok(204);
    let expected = Input::Operator(OperatorWish::SourceDropped {
        source: source(FeedFamily::Reddit, "lighthouses"),
    });
    assert_eq!(house.store.kept().heard, [expected]);
    let yours = drop_source(
        &house,
        json!({"family": "rss", "name": "https://example.org/feed"}),
    )
    .await;
    let problem = yours.refused(409, "not_its_own");
    assert!(problem.contains("initiative.discovery.rssFeeds"), "{problem}");
    let front_page = drop_source(&house, json!({"family": "hacker_news", "name": "top"})).await;
    let problem = front_page.refused(409, "not_its_own");
    assert!(
        problem.contains("initiative.discovery.sources.hackerNews"),
        "{problem}"
    );
    drop_source(&house, json!({"family": "x", "name": "@nobody"}))
        .await
        .refused(404, "unknown_source");
    assert_eq!(house.store.kept().heard.len(), 1);
}
