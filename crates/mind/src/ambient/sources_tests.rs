//! What is read, within the operator's guardrails, and what was shared lately.

use serde_json::json;
use settings::{Document, Settings};
use vocabulary::{FeedFamily, FeedSource, Moment, Span, WallTime};

use super::super::view::PostLink;
use super::{OwnSource, SHARED_MAX, Sources, TALLIES_MAX, configured, plain_name, wish};

fn settings(values: &[(&str, serde_json::Value)]) -> Settings {
    let mut document = Document::default();
    for (key, value) in values {
        document.set(format!("initiative.discovery.{key}"), value.clone());
    }
    Settings::read(&document).expect("the settings are right")
}

fn source(family: FeedFamily, name: &str) -> FeedSource {
    FeedSource {
        family,
        name: name.to_owned(),
    }
}

fn own(names: &[&str]) -> Sources {
    let own = names.iter().map(|name| OwnSource {
        source: source(FeedFamily::Reddit, name),
        added_at: WallTime(0),
        reason: String::new(),
    });
    Sources {
        own: own.collect(),
        ..Sources::default()
    }
}

#[test]
fn marks_that_people_put_before_a_name_are_taken_off() {
    assert_eq!(plain_name(FeedFamily::Reddit, " /r/bread/ "), "bread");
    assert_eq!(plain_name(FeedFamily::Reddit, "r/bread"), "bread");
    assert_eq!(plain_name(FeedFamily::X, "@baker"), "baker");
    assert_eq!(
        plain_name(FeedFamily::Rss, "https://a.example/r/feed"),
        "https://a.example/r/feed"
    );
}

#[test]
fn a_source_that_is_named_twice_or_empty_is_read_once_or_not() {
    let settings = settings(&[
        ("redditSubreddits", json!(["bread", "r/bread", " "])),
        ("sources.hackerNews", json!(false)),
    ]);
    assert_eq!(configured(&settings), [source(FeedFamily::Reddit, "bread")]);
}

#[test]
fn families_that_are_off_are_not_read_and_x_needs_a_bridge() {
    let handles = ("xHandles", json!(["baker"]));
    let on = ("sources.x", json!(true));
    let bridge = ("xBridgeUrl", json!("https://bridge.example/{handle}"));
    let hacker_news = ("sources.hackerNews", json!(false));
    let without = settings(&[handles.clone(), on.clone(), hacker_news.clone()]);
    assert_eq!(configured(&without), []);
    let with = settings(&[handles, on, bridge, hacker_news]);
    assert_eq!(configured(&with), [source(FeedFamily::X, "baker")]);
}

#[test]
fn the_operators_sources_are_never_pushed_out() {
    let settings = settings(&[
        ("redditSubreddits", json!(["a", "b"])),
        ("maxSourcesPerType", json!(3)),
        ("sources.hackerNews", json!(false)),
    ]);
    let own = own(&["own1", "own2"]).own_ones();
    let names: Vec<String> = wish(&settings, &own, WallTime(0))
        .sources
        .into_iter()
        .map(|source| source.name)
        .collect();
    assert_eq!(names, ["a", "b", "own1"]);
}

#[test]
fn the_guardrails_say_why() {
    let settings = settings(&[
        ("redditSubreddits", json!(["a"])),
        ("maxSourcesPerType", json!(2)),
        ("sources.youtube", json!(false)),
    ]);
    let refuses = |sources: &Sources, family, name: &str| {
        sources
            .refuses(&source(family, name), &settings)
            .unwrap_or_default()
    };
    let none = own(&[]);
    assert_eq!(refuses(&none, FeedFamily::Reddit, "b"), "");
    assert!(refuses(&none, FeedFamily::Reddit, "").contains("`name` is empty"));
    assert!(refuses(&none, FeedFamily::Reddit, "a").contains("read already"));
    assert!(refuses(&none, FeedFamily::Youtube, "UC1").contains("youtube are switched off"));
    assert!(refuses(&none, FeedFamily::X, "baker").contains("x are switched off"));
    assert!(refuses(&none, FeedFamily::HackerNews, "new").contains("the operator's"));
    assert!(refuses(&own(&["b"]), FeedFamily::Reddit, "b").contains("read already"));
    assert!(refuses(&own(&["b"]), FeedFamily::Reddit, "c").contains("2 are allowed"));
}

#[test]
fn what_was_shared_is_remembered_for_the_window_and_no_longer() {
    let settings = settings(&[("dedupeHours", json!(2))]);
    let mut sources = Sources::default();
    let feed = source(FeedFamily::Rss, "https://a.example/feed");
    let link = PostLink {
        url: "https://a.example/1".to_owned(),
        source: Some(feed.clone()),
    };
    sources.shared(&[link], Moment(0));
    let last = Moment(Span::hours(2).0 - 1);
    assert_eq!(sources.shared_lately(&settings, last), ["https://a.example/1"]);
    assert_eq!(
        sources.shared_lately(&settings, Moment(last.0 + 1)),
        Vec::<String>::new()
    );
    assert_eq!(sources.tally(&feed).shared, 1);
}

#[test]
fn neither_tallies_nor_shared_links_grow_for_ever() {
    let mut sources = Sources::default();
    for number in 0..3_000 {
        let url = format!("https://a.example/{number}");
        sources.tally(&source(FeedFamily::Rss, &url)).shown += 1;
        sources.shared(&[PostLink { url, source: None }], Moment(number));
    }
    assert_eq!(sources.tallies.len(), TALLIES_MAX);
    assert_eq!(sources.shared.len(), SHARED_MAX);
}
