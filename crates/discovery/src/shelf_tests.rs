use super::{Kept, LONGEST_PAUSE, MOST_SOURCES, Shelf, pause_after};
use crate::endpoint::Endpoint;
use crate::reading::{Read, ReadFault, Remembered};
use crate::story::Stories;
use fetching::FetchPolicy;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use vocabulary::{FeedFamily, FeedSource};

fn place(url: &str) -> Endpoint {
    Endpoint::Feed { url: url.to_owned() }
}

fn fault(retry_after: Option<u64>) -> ReadFault {
    ReadFault {
        words: "it is down".to_owned(),
        retry_after: retry_after.map(Duration::from_secs),
    }
}

fn titled(title: &str) -> Read {
    Read {
        stories: Some(Stories {
            title: title.to_owned(),
            ..Stories::default()
        }),
        remembered: Remembered::default(),
    }
}

#[test]
fn pauses_double_up_to_six_hours() {
    let minutes: Vec<u64> = (1..=9)
        .map(|failures| pause_after(failures).as_secs() / 60)
        .collect();
    assert_eq!(minutes, [5, 10, 20, 40, 80, 160, 320, 360, 360]);
    assert_eq!(pause_after(u32::MAX), LONGEST_PAUSE);
}

#[test]
fn a_server_that_asks_for_a_longer_pause_gets_it() {
    let now = Instant::now();
    let mut kept = Kept::default();
    let trouble = kept.fail(fault(Some(3600)), now);
    assert_eq!(trouble.until - now, Duration::from_secs(3600));
    assert!(trouble.asked_for);
    let trouble = kept.fail(fault(Some(1)), now);
    assert_eq!(trouble.until - now, Duration::from_secs(600));
}

#[test]
fn success_ends_trouble_and_another_place_or_other_permissions_end_it_too() {
    let now = Instant::now();
    let mut kept = Kept::default();
    kept.settle(&place("https://a.example/"), &FetchPolicy::default(), now);
    kept.fail(fault(None), now);
    assert!(kept.pause(now).is_some());
    kept.succeed(titled("A"), now);
    assert!(kept.pause(now).is_none() && kept.is_fresh(now));
    assert!(!kept.is_fresh(now + super::FRESH_FOR));

    kept.fail(fault(None), now);
    let other = FetchPolicy {
        allowed_private_hosts: vec!["a.example".to_owned()],
    };
    kept.settle(&place("https://a.example/"), &other, now);
    assert!(kept.pause(now).is_none());
    assert_eq!(kept.stories(now).title, "A");

    kept.settle(&place("https://b.example/"), &other, now);
    assert_eq!(kept.stories(now).title, "");
}

#[test]
fn what_a_source_had_speaks_for_it_while_it_fails_but_not_for_ever() {
    let now = Instant::now();
    let mut kept = Kept::default();
    kept.succeed(titled("A"), now);
    kept.fail(fault(None), now);
    assert_eq!(kept.stories(now + Duration::from_secs(3600)).title, "A");
    assert_eq!(kept.stories(now + super::STALE_FOR).title, "");
}

#[test]
fn the_source_that_was_not_looked_at_for_longest_is_forgotten() {
    let source = |number: usize| FeedSource {
        family: FeedFamily::Rss,
        name: format!("https://example.org/{number}"),
    };
    let mut shelf = Shelf::default();
    let first = shelf.kept(&source(0));
    let second = shelf.kept(&source(1));
    for number in 2..MOST_SOURCES {
        shelf.kept(&source(number));
    }
    assert!(Arc::ptr_eq(&first, &shelf.kept(&source(0))));
    shelf.kept(&source(MOST_SOURCES));
    assert_eq!(shelf.places.len(), MOST_SOURCES);
    assert!(Arc::ptr_eq(&first, &shelf.kept(&source(0))));
    assert!(!Arc::ptr_eq(&second, &shelf.kept(&source(1))));
}
