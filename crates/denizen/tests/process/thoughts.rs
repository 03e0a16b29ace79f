//! `denizen thoughts` and `denizen discovery`: asked of a room that runs.

use serde_json::{Value, json};

use crate::support::{Home, ModelServer, quick};

/// A room that reads nothing from the network.
async fn home() -> (Home, ModelServer) {
    let model = ModelServer::start().await;
    let home = Home::new();
    let mut settings = quick(&model);
    for family in ["reddit", "hackerNews", "youtube", "rss"] {
        settings[format!("initiative.discovery.sources.{family}")] = json!(false);
    }
    home.configure(&settings);
    (home, model)
}

#[tokio::test(flavor = "multi_thread")]
async fn how_it_stands_is_told_and_what_would_change_it() {
    let (home, _model) = home().await;
    let process = home.start().await;
    let told = home.run(&["thoughts", "--url", &process.url]).succeeded();
    for words in [
        "next tick",
        "permissions.replies.discoveryChannelIds",
        "no thought",
    ] {
        assert!(told.contains(words), "{words} in\n{told}");
    }
    let json = home
        .run(&["thoughts", "--json", "--url", &process.url])
        .succeeded();
    let view: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(view["attention"]["state"], "ambient", "{view}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thought_that_is_not_held_cannot_be_dropped() {
    let (home, _model) = home().await;
    let process = home.start().await;
    let refusal = home.run(&["thoughts", "drop", "--url", &process.url]).failed();
    assert!(refusal.contains("No thought is held now"), "{refusal}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sources_are_listed_and_strange_ones_refused() {
    let (home, _model) = home().await;
    let process = home.start().await;
    let url = process.url.clone();
    let told = home.run(&["discovery", "sources", "--url", &url]).succeeded();
    assert!(told.contains("initiative.discovery"), "{told}");
    let told = home.run(&["discovery", "preview", "--url", &url]).succeeded();
    assert!(told.contains("no source was read"), "{told}");
    let refusal = home
        .run(&[
            "discovery",
            "drop",
            "rss",
            "https://example.org/feed",
            "--url",
            &url,
        ])
        .failed();
    assert!(refusal.contains("not among the sources"), "{refusal}");
    let unknown = home.run(&["discovery", "check", "gopher", "x", "--url", &url]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(unknown.err.contains("hacker_news"), "{unknown:?}");
}

#[test]
fn where_nothing_runs_it_says_what_to_start() {
    let home = Home::new();
    for command in [["thoughts", "think"], ["discovery", "sources"]] {
        let mut arguments = command.to_vec();
        arguments.extend(["--url", "http://127.0.0.1:9"]);
        let refusal = home.run(&arguments).failed();
        assert!(
            refusal.contains("denizen run") && refusal.contains("--url"),
            "{refusal}"
        );
    }
}
