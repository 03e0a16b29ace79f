//! A source that the mind wants to add is looked at as the settings would have it read.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use mind::ToolRun;
use serde_json::{Value, json};
use settings::Settings;
use vocabulary::{
    FeedFamily, FeedHarvest, FeedSource, FeedWish, SourceReport, Span, ToolCall, ToolRunId, TurnId, Viewpoint,
};

use super::check_source;
use crate::ports::{Discovery, OutboundServices};

/// Has one feed, and remembers what it was asked.
#[derive(Default)]
struct OneFeed {
    asked: Mutex<Vec<(FeedSource, FeedWish)>>,
}

#[async_trait]
impl Discovery for OneFeed {
    async fn gather(&self, _wish: &FeedWish, _settings: &Settings) -> FeedHarvest {
        FeedHarvest::default()
    }

    async fn check(&self, source: &FeedSource, wish: &FeedWish, _: &Settings) -> Result<String, String> {
        let mut asked = self.asked.lock().expect("nobody panics while holding it");
        asked.push((source.clone(), wish.clone()));
        match source.name.contains("cheese") {
            true => Ok("12 items, 3 of them fresh".to_owned()),
            false => Err("there is no feed".to_owned()),
        }
    }

    fn reports(&self) -> Vec<SourceReport> {
        Vec::new()
    }
}

fn add(arguments: Value) -> ToolRun {
    ToolRun {
        run: ToolRunId(1),
        room: "lounge".into(),
        turn: TurnId(1),
        call: ToolCall {
            id: "call-7".to_owned(),
            name: "discovery_source_add".to_owned(),
            arguments,
        },
        view: Viewpoint::Operator,
        deadline: Span::seconds(5),
    }
}

#[tokio::test]
async fn a_source_is_read_as_the_settings_would_have_it_before_it_is_added() {
    let feed = Arc::new(OneFeed::default());
    let outbound = OutboundServices {
        discovery: feed.clone(),
        ..OutboundServices::none()
    };
    let settings = Settings::default();
    let run = add(json!({"family": "reddit", "name": "r/cheese", "reason": "they like it"}));
    let result = check_source(&outbound, &run, &settings).await;
    assert_eq!((result.call_id.as_str(), result.failed), ("call-7", false));
    assert_eq!(result.text, "12 items, 3 of them fresh");
    let (source, wish) = feed.asked.lock().expect("nobody panicked").remove(0);
    assert_eq!(
        (source.family, source.name.as_str()),
        (FeedFamily::Reddit, "cheese")
    );
    assert!(wish.sources.contains(&source));
    assert_eq!(wish.per_source, settings.discovery.source_fetch_limit as usize);
    assert!(wish.now.0 > 0);
    let result = check_source(
        &outbound,
        &add(json!({"family": "reddit", "name": "rust"})),
        &settings,
    )
    .await;
    assert_eq!((result.text.as_str(), result.failed), ("there is no feed", true));
}

#[tokio::test]
async fn a_name_that_is_none_is_refused_without_asking_anybody() {
    let feed = Arc::new(OneFeed::default());
    let outbound = OutboundServices {
        discovery: feed.clone(),
        ..OutboundServices::none()
    };
    for arguments in [
        json!({"family": "fax", "name": "x"}),
        json!({"family": "rss", "name": "no address"}),
        json!([]),
    ] {
        let result = check_source(&outbound, &add(arguments), &Settings::default()).await;
        assert!(
            result.failed && result.text.contains("argument"),
            "{}",
            result.text
        );
    }
    assert!(feed.asked.lock().expect("nobody panicked").is_empty());
}
