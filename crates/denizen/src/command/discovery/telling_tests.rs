use serde_json::json;

use super::super::{Preview, ReadSource};
use super::{preview, sources};

#[test]
fn each_source_says_whose_it_is_how_it_did_and_what_became_of_it() {
    let read: Vec<ReadSource> = serde_json::from_value(json!([
        {"source": {"family": "hacker_news", "name": "top"}, "own": false, "addedAt": null, "reason": "", "shown": 12, "shared": 2, "reactions": 3, "replies": 1,
            "lastReport": {"source": {"family": "hacker_news", "name": "top"}, "items": 30, "fresh": 28, "unchanged": false}, "lastReadAt": 0},
        {"source": {"family": "rss", "name": "https://example.org/feed"}, "own": true, "addedAt": 5, "reason": "Alice likes it", "shown": 0, "shared": 0, "reactions": 0, "replies": 0,
            "lastReport": {"source": {"family": "rss", "name": "https://example.org/feed"}, "items": 0, "fresh": 0, "unchanged": false, "failure": "it answered 404"}, "lastReadAt": null},
    ]))
    .expect("sources");
    let told = sources(&read);
    assert!(
        told.contains("hacker_news:top  (yours)\n    shown 12, shared 2;"),
        "{told}"
    );
    assert!(told.contains("30 items, 28 of them new enough"), "{told}");
    assert!(
        told.contains("rss:https://example.org/feed  (its own: Alice likes it)"),
        "{told}"
    );
    assert!(told.contains("could not be read: it answered 404"), "{told}");
    assert!(sources(&[]).contains("initiative.discovery"));
}

#[test]
fn a_preview_shows_items_with_their_scores_and_then_the_sources() {
    let found: Preview = serde_json::from_value(json!({
        "candidates": [{"item": {"source": {"family": "hacker_news", "name": "top"}, "url": "https://example.org/light", "title": "A lighthouse of glass",
            "summary": "", "popularity": 0.9, "nsfw": false}, "score": 0.713, "source": 0.5, "topic": 1.0, "freshness": 0.8, "popularity": 0.9, "chance": 0.0}],
        "reports": [{"source": {"family": "hacker_news", "name": "top"}, "items": 30, "fresh": 28, "unchanged": false}]
    }))
    .expect("a preview");
    let told = preview(&found);
    assert!(
        told.starts_with("  1. A lighthouse of glass\n     https://example.org/light\n     hacker_news:top  score 0.71: source 0.50"),
        "{told}"
    );
    assert!(
        told.ends_with("hacker_news:top: 30 items, 28 of them new enough\n"),
        "{told}"
    );
}
