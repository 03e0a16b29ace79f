use super::{trouble, verdict};
use crate::picking::pick;
use crate::story::{Draft, Order, Stories};
use std::sync::Arc;
use std::time::Duration;
use vocabulary::{FeedFamily, FeedSource, FeedWish, Span, WallTime};

const HOUR: i64 = 3_600_000;
const NOW: i64 = 1_893_492_000_000;

fn told(
    family: FeedFamily,
    name: &str,
    title: &str,
    ages_hours: &[Option<i64>],
    nsfw: bool,
) -> Result<String, String> {
    let stories = ages_hours.iter().enumerate().filter_map(|(number, age)| {
        Draft {
            url: &format!("https://example.org/{number}"),
            title: "x",
            published_at: age.map(|age| WallTime(NOW - age * HOUR)),
            nsfw,
            ..Draft::default()
        }
        .finished()
    });
    let stories = Arc::new(Stories {
        title: title.to_owned(),
        order: Order::Dated,
        stories: stories.collect(),
    });
    let source = FeedSource {
        family,
        name: name.to_owned(),
    };
    let wish = FeedWish {
        sources: Vec::new(),
        per_source: 10,
        fresh_for: Span(96 * HOUR as u64),
        allow_nsfw: false,
        x_bridge: String::new(),
        now: WallTime(NOW),
    };
    verdict(&source, title, &pick(&source, &stories, &wish), &wish)
}

#[test]
fn what_a_source_has_is_told_in_a_sentence() {
    let feed = |ages: &[Option<i64>]| {
        told(
            FeedFamily::Rss,
            "https://example.org/feed",
            "Example",
            ages,
            false,
        )
    };
    assert_eq!(
        feed(&[Some(3), Some(30)]).as_deref(),
        Ok("Feed “Example”: 2 items, the newest 3 hours old")
    );
    assert_eq!(
        feed(&[None]).as_deref(),
        Ok("Feed “Example”: 1 item, without dates")
    );
    assert_eq!(
        feed(&[Some(0)]).as_deref(),
        Ok("Feed “Example”: 1 item, the newest just now")
    );
    let old = feed(&[Some(24 * 40)]).expect("it is a feed");
    assert!(
        old.contains("the newest 40 days old; nothing of it is offered")
            && old.contains("freshnessHours (96)"),
        "{old}"
    );
    assert!(feed(&[]).expect_err("empty").contains("has no items"));
    let subreddit = told(FeedFamily::Reddit, "rust", "", &[Some(1)], false);
    assert_eq!(
        subreddit.as_deref(),
        Ok("Subreddit rust: 1 item, the newest 1 hour old")
    );
    let nsfw = told(FeedFamily::Reddit, "rust", "", &[Some(1)], true).expect_err("not safe");
    assert!(nsfw.contains("initiative.discovery.allowNsfw"), "{nsfw}");
}

#[test]
fn a_failure_says_until_when_the_source_is_left_alone() {
    assert_eq!(
        trouble("it is down", Duration::from_secs(300), WallTime(NOW)),
        "it is down; it is asked again in 5 minutes, at 10:05 UTC"
    );
    assert!(trouble("x", Duration::from_secs(6 * 3600), WallTime(NOW)).contains("in 6 hours, at 16:00 UTC"));
}
