//! How often a source is asked, and how it is left alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::server::{Reply, Server};
use crate::world::{allowing, feeds_at, pass, read_one, rss, rss_feed, titles, wish};
use runtime::ports::Discovery;

fn feed() -> String {
    rss_feed("Feed", &[("post", 1)])
}

#[tokio::test]
async fn a_source_is_asked_at_most_every_five_minutes_and_then_whether_it_has_changed() {
    let server = Server::answering(|head| match head.contains("if-none-match: \"v1\"") {
        true => Reply::Raw(b"HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nConnection: close\r\n\r\n".to_vec()),
        false => Reply::with(
            "200 OK\r\nContent-Type: application/rss+xml\r\nETag: \"v1\"\r\nLast-Modified: Wed, 02 Jan 2030 10:00:00 GMT",
            feed(),
        ),
    })
    .await;
    let (feeds, source) = (feeds_at(&server), rss(server.url("/")));
    let (found, report) = read_one(&feeds, &server, &source).await;
    assert!(!report.unchanged && found.items.len() == 1);
    pass(Duration::from_secs(290)).await;
    let (found, report) = read_one(&feeds, &server, &source).await;
    assert!(report.unchanged && found.items.len() == 1 && report.items == 1);
    assert_eq!(server.requests().len(), 1);
    for asked in 2..4 {
        pass(Duration::from_secs(301)).await;
        let (found, report) = read_one(&feeds, &server, &source).await;
        assert!(report.unchanged && found.items.len() == 1, "{report:?}");
        assert_eq!(server.requests().len(), asked);
        assert!(server.requests()[asked - 1].contains("if-modified-since: Wed, 02 Jan 2030 10:00:00 GMT"));
    }
}

#[tokio::test]
async fn a_source_that_fails_is_left_alone_for_longer_and_longer_until_it_is_well_again() {
    let well = Arc::new(AtomicBool::new(true));
    let is_well = well.clone();
    let server = Server::answering(move |_| match is_well.load(Ordering::SeqCst) {
        true => Reply::ok("application/rss+xml", feed()),
        false => Reply::with("500 Internal Server Error", ""),
    })
    .await;
    let (feeds, source) = (feeds_at(&server), rss(server.url("/feed?key=secret")));
    read_one(&feeds, &server, &source).await;
    well.store(false, Ordering::SeqCst);
    let mut asked = 1;
    for (minutes, until) in [
        (5, "5 minutes, at 12:05 UTC"),
        (10, "10 minutes, at 12:10 UTC"),
        (20, "20 minutes, at 12:20 UTC"),
    ] {
        pass(Duration::from_secs(301)).await;
        asked += 1;
        let (found, report) = read_one(&feeds, &server, &source).await;
        let words = report.failure.expect("it fails");
        assert!(
            words.contains("answered 500") && words.ends_with(until),
            "{words}"
        );
        assert!(!words.contains("secret"), "{words}");
        // What it had an hour ago still speaks for it.
        assert_eq!(titles(&found), ["post"]);
        pass(Duration::from_secs(minutes * 60 - 30)).await;
        let (_, report) = read_one(&feeds, &server, &source).await;
        assert!(report.unchanged && report.failure.is_some());
        assert_eq!(server.requests().len(), asked);
    }
    well.store(true, Ordering::SeqCst);
    pass(Duration::from_secs(60)).await;
    let (_, report) = read_one(&feeds, &server, &source).await;
    assert_eq!((report.failure, report.unchanged), (None, false));
}

#[tokio::test]
async fn who_asks_to_be_left_alone_is_even_by_a_person_in_haste() {
    let server = Server::answering(|_| Reply::with("429 Too Many Requests\r\nRetry-After: 7200", "")).await;
    let (feeds, source) = (feeds_at(&server), rss(server.url("/")));
    let (_, report) = read_one(&feeds, &server, &source).await;
    let words = report.failure.expect("it is too much");
    assert!(
        words.contains("429") && words.ends_with("in 2 hours, at 14:00 UTC"),
        "{words}"
    );
    pass(Duration::from_secs(3600)).await;
    let checked = feeds.check(&source, &wish(&[]), &allowing(&[&server])).await;
    assert!(checked.expect_err("it waits").contains("429"));
    assert_eq!(server.requests().len(), 1);
    pass(Duration::from_secs(3601)).await;
    read_one(&feeds, &server, &source).await;
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_person_in_haste_may_try_a_source_that_failed_again() {
    let well = Arc::new(AtomicBool::new(false));
    let is_well = well.clone();
    let server = Server::answering(move |_| match is_well.load(Ordering::SeqCst) {
        true => Reply::ok("application/rss+xml", feed()),
        false => Reply::Reset,
    })
    .await;
    let (feeds, source) = (feeds_at(&server), rss(server.url("/")));
    let checked = feeds.check(&source, &wish(&[]), &allowing(&[&server])).await;
    assert!(checked.is_err());
    well.store(true, Ordering::SeqCst);
    let checked = feeds.check(&source, &wish(&[]), &allowing(&[&server])).await;
    assert_eq!(
        checked.as_deref(),
        Ok("Feed “Feed”: 1 item, the newest 1 hour old")
    );
    // Only what was gathered is reported.
    assert!(feeds.reports().is_empty());
}

#[tokio::test]
async fn no_more_than_six_are_read_at_once_and_each_only_once() {
    let body = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nConnection: close\r\n\r\n{}",
        feed()
    );
    let server =
        Server::answering(move |_| Reply::Later(Duration::from_millis(60), body.clone().into_bytes())).await;
    let feeds = feeds_at(&server);
    let sources: Vec<_> = (0..20)
        .map(|number| rss(server.url(&format!("/{number}"))))
        .collect();
    let (wish, settings) = (wish(&sources), allowing(&[&server]));
    // Two communities look around at the same time.
    let (one, other) = tokio::join!(feeds.gather(&wish, &settings), feeds.gather(&wish, &settings));
    assert_eq!((one.reports.len(), other.reports.len()), (20, 20));
    assert!(
        one.reports
            .iter()
            .chain(&other.reports)
            .all(|report| report.failure.is_none())
    );
    assert_eq!(server.requests().len(), 20);
    assert!(
        (2..=6).contains(&server.most_at_once()),
        "{}",
        server.most_at_once()
    );
}

#[tokio::test]
async fn whoever_stops_waiting_leaves_nothing_locked() {
    let stuck = Arc::new(AtomicBool::new(true));
    let is_stuck = stuck.clone();
    let server = Server::answering(move |_| match is_stuck.load(Ordering::SeqCst) {
        true => Reply::Stuck,
        false => Reply::ok("application/rss+xml", feed()),
    })
    .await;
    let (feeds, source) = (feeds_at(&server), rss(server.url("/")));
    let gathering = read_one(&feeds, &server, &source);
    assert!(
        tokio::time::timeout(Duration::from_millis(200), gathering)
            .await
            .is_err()
    );
    stuck.store(false, Ordering::SeqCst);
    let (found, report) = read_one(&feeds, &server, &source).await;
    assert_eq!((titles(&found), report.failure), (vec!["post"], None));
}

#[tokio::test]
async fn a_host_that_is_allowed_now_is_asked_at_once() {
    let server = Server::answering(|_| Reply::ok("application/rss+xml", feed())).await;
    let (feeds, source) = (feeds_at(&server), rss(server.url("/")));
    let refused = feeds
        .gather(&wish(std::slice::from_ref(&source)), &allowing(&[]))
        .await;
    let words = refused.reports[0].failure.clone().expect("it is private");
    assert!(
        words.contains("add 127.0.0.1 to tools.allowedPrivateHosts"),
        "{words}"
    );
    assert!(server.requests().is_empty());
    let (found, report) = read_one(&feeds, &server, &source).await;
    assert_eq!((titles(&found), report.failure), (vec!["post"], None));
}
