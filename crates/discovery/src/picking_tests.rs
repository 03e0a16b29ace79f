use super::{MOST_ITEMS, pick, together};
use crate::story::{Order, Stories, Story};
use std::sync::Arc;
use vocabulary::{FeedFamily, FeedItem, FeedSource, FeedWish, Span, WallTime};

const HOUR: i64 = 3_600_000;
const NOW: i64 = 1_000 * HOUR;

fn source(name: &str) -> FeedSource {
    FeedSource {
        family: FeedFamily::Rss,
        name: name.to_owned(),
    }
}

fn wish() -> FeedWish {
    FeedWish {
        sources: Vec::new(),
        per_source: 10,
        fresh_for: Span(96 * HOUR as u64),
        allow_nsfw: false,
        x_bridge: String::new(),
        now: WallTime(NOW),
    }
}

fn story(path: &str, published_at: Option<i64>) -> Story {
    Story {
        url: format!("https://example.org/{path}"),
        title: path.to_owned(),
        summary: String::new(),
        author: None,
        published_at: published_at.map(WallTime),
        points: None,
        comments: None,
        views: None,
        nsfw: false,
    }
}

fn stories(order: Order, stories: Vec<Story>) -> Arc<Stories> {
    Arc::new(Stories {
        title: String::new(),
        order,
        stories,
    })
}

fn titles(items: &[FeedItem]) -> Vec<&str> {
    items.iter().map(|item| item.title.as_str()).collect()
}

#[test]
fn what_is_old_goes_what_has_no_date_stays_and_dates_ahead_are_not_believed() {
    let read = stories(
        Order::Dated,
        vec![
            story("next-century", Some(NOW + 1_000_000 * HOUR)),
            story("a-little-ahead", Some(NOW + HOUR)),
            story("edge", Some(NOW - 96 * HOUR)),
            story("old", Some(NOW - 97 * HOUR)),
            story("new", Some(NOW - HOUR)),
            story("undated", None),
            story("before-time", Some(-5)),
        ],
    );
    let picked = pick(&source("a"), &read, &wish());
    assert_eq!(picked.all, 7);
    assert_eq!(
        titles(&picked.fresh),
        [
            "a-little-ahead",
            "new",
            "edge",
            "next-century",
            "undated",
            "before-time"
        ]
    );
    assert_eq!(picked.fresh[0].published_at, Some(WallTime(NOW)));
    assert_eq!(picked.fresh[3].published_at, None);
    assert_eq!(picked.newest, Some(WallTime(NOW)));
}

#[test]
fn what_is_not_safe_for_work_is_left_out_unless_it_is_allowed() {
    let mut nsfw = story("n", Some(NOW));
    nsfw.nsfw = true;
    let read = stories(Order::Dated, vec![nsfw, story("s", Some(NOW))]);
    let picked = pick(&source("a"), &read, &wish());
    assert_eq!((titles(&picked.fresh), picked.nsfw), (vec!["s"], 1));
    let allowing = FeedWish {
        allow_nsfw: true,
        ..wish()
    };
    assert_eq!(pick(&source("a"), &read, &allowing).fresh.len(), 2);
}

#[test]
fn popularity_is_by_count_else_by_rank_else_unknown() {
    let counted = |points: Option<u64>, views: Option<u64>| Story {
        points,
        views,
        ..story(&format!("{points:?}{views:?}"), None)
    };
    let popularity = |order: Order, list: Vec<Story>| -> Vec<f64> {
        let picked = pick(&source("a"), &stories(order, list), &wish());
        picked
            .fresh
            .iter()
            .map(|item| (item.popularity * 100.0).round() / 100.0)
            .collect()
    };
    let points = popularity(
        Order::Ranked,
        vec![
            counted(Some(99), None),
            counted(Some(9), None),
            counted(Some(0), None),
            counted(None, None),
        ],
    );
    assert_eq!(points, [1.0, 0.5, 0.0, 0.5]);
    let views = popularity(
        Order::Dated,
        vec![counted(Some(1), Some(999)), counted(Some(500), Some(0))],
    );
    assert_eq!(views, [1.0, 0.0]);
    let ranks = popularity(
        Order::Ranked,
        vec![
            story("1", None),
            story("2", None),
            story("3", None),
            story("4", None),
        ],
    );
    assert_eq!(ranks, [1.0, 0.75, 0.5, 0.25]);
    assert_eq!(
        popularity(Order::Dated, vec![story("1", None), story("2", None)]),
        [0.5, 0.5]
    );
    assert_eq!(popularity(Order::Ranked, vec![counted(Some(0), None)]), [1.0]);
}

fn items(name: &str, list: &[(&str, i64)]) -> Vec<FeedItem> {
    let list = list.iter().map(|(path, at)| story(path, Some(*at))).collect();
    pick(&source(name), &stories(Order::Ranked, list), &wish()).fresh
}

#[test]
fn the_first_source_that_has_a_page_keeps_it_and_the_other_has_room_for_one_more() {
    let first = items("first", &[("page", NOW - 2), ("own", NOW - 1)]);
    let mut second = items(
        "second",
        &[
            ("page", NOW - 2),
            ("page", NOW - 2),
            ("third", NOW),
            ("fourth", NOW),
        ],
    );
    second[0].url = "http://www.example.org/page/".to_owned();
    let all = together(vec![first, second], 2);
    assert_eq!(titles(&all), ["own", "third", "page", "fourth"]);
    assert_eq!(all[2].source, source("first"));
}

#[test]
fn a_source_that_ranks_brings_its_first_and_tells_them_newest_first() {
    let ranked = items("a", &[("top", NOW - 3), ("second", NOW - 1), ("third", NOW)]);
    assert_eq!(titles(&together(vec![ranked], 2)), ["second", "top"]);
}

#[test]
fn sources_take_turns_until_there_are_enough() {
    let many = |name: &str, count: usize| -> Vec<FeedItem> {
        (0..count)
            .flat_map(|number| items(name, &[(&format!("{name}-{number}"), NOW)]))
            .collect()
    };
    let mut lists: Vec<_> = (0..10)
        .map(|number| many(&format!("large{number}"), 50))
        .collect();
    lists.push(many("small", 2));
    let all = together(lists, 50);
    assert_eq!(all.len(), MOST_ITEMS);
    assert_eq!(
        all.iter().filter(|item| item.source == source("small")).count(),
        2
    );
    assert!(all.iter().filter(|item| item.source == source("large9")).count() >= 29);
}
