//! Sources that are broken, endless, slow, or not what they say: each is reported, and none stops another.

use std::io::Write;
use std::time::Duration;

use crate::server::{Reply, Server};
use crate::world::{allowing, feeds_at, read_one, rss, rss_feed, titles, wish};
use encoding_rs::WINDOWS_1251;
use flate2::Compression;
use flate2::write::GzEncoder;
use runtime::ports::Discovery;

async fn failure_of(reply: Reply) -> String {
    let server = Server::answering(move |_| reply.clone()).await;
    let (found, report) = read_one(&feeds_at(&server), &server, &rss(server.url("/feed"))).await;
    assert!(found.items.is_empty());
    let words = report.failure.expect("it cannot be read");
    assert!(!words.contains('\n') && words.chars().count() < 500, "{words}");
    words
}

async fn items_of(reply: Reply) -> Vec<(String, String)> {
    let server = Server::answering(move |_| reply.clone()).await;
    let (found, report) = read_one(&feeds_at(&server), &server, &rss(server.url("/feed"))).await;
    assert_eq!(report.failure, None);
    found
        .items
        .into_iter()
        .map(|item| (item.title, item.url))
        .collect()
}

#[tokio::test]
async fn what_cannot_be_read_is_reported_with_its_reason() {
    let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
    bomb.write_all(&vec![b' '; 8 << 20]).expect("into memory");
    let bomb = bomb.finish().expect("into memory");
    let deep = format!("<rss version=\"2.0\"><channel>{}", "<item>".repeat(200_000));
    for (reply, reason) in [
        (
            Reply::ok(
                "application/rss+xml",
                "<rss version=\"2.0\"><channel><item><title>cut",
            ),
            "no feed that can be read",
        ),
        (
            Reply::ok("application/rss+xml", "not xml at all"),
            "no feed that can be read",
        ),
        (Reply::ok("application/rss+xml", ""), "no feed that can be read"),
        (
            Reply::ok("text/html", "<!doctype html><p>Welcome"),
            "is a page that names no feed",
        ),
        (Reply::ok("application/rss+xml", deep), "nest deeper"),
        (
            Reply::with("200 OK\r\nContent-Encoding: gzip", &bomb),
            "larger than 6.0 MB",
        ),
        (
            Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n".to_vec()),
            "larger than 6.0 MB",
        ),
        (
            Reply::Endless(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![b'x'; 65536]),
            "larger than 6.0 MB",
        ),
        (Reply::redirect("/feed"), "in a circle"),
        (
            Reply::redirect("http://10.0.0.1/feed"),
            "10.0.0.1 is a private address",
        ),
        (
            Reply::redirect("http://169.254.169.254/latest"),
            "a link-local address",
        ),
        (Reply::redirect("file:///etc/passwd"), "only http and https"),
        (Reply::Reset, "could not be fetched"),
        (Reply::with("404 Not Found", ""), "answered 404"),
    ] {
        let words = failure_of(reply).await;
        assert!(words.contains(reason), "{reason}: {words}");
    }
}

#[tokio::test]
async fn charsets_that_are_declared_wrongly_are_seen_through() {
    let cyrillic = |declared: &str| {
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"{declared}\"?>{}",
            rss_feed("Новости", &[])
                .split_once("?>")
                .expect("a declaration")
                .1
        )
        .replace(
            "</channel>",
            "<item><title>Привет</title><link>https://example.org/1</link></item></channel>",
        );
        WINDOWS_1251.encode(&text).0.into_owned()
    };
    let title = |items: Vec<(String, String)>| items[0].0.clone();
    let declared = Reply::ok("application/xml", cyrillic("windows-1251"));
    assert_eq!(title(items_of(declared).await), "Привет");
    let server_is_wrong = Reply::ok("application/xml; charset=utf-8", cyrillic("windows-1251"));
    assert_eq!(title(items_of(server_is_wrong).await), "Привет");
    let document_is_wrong = Reply::ok("application/xml; charset=windows-1251", cyrillic("utf-8"));
    assert_eq!(title(items_of(document_is_wrong).await), "Привет");
    let utf8 = "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><rss version=\"2.0\"><channel><item><title>Grüße ☕</title><link>https://example.org/1</link></item></channel></rss>";
    assert_eq!(
        title(items_of(Reply::ok("text/xml; charset=iso-8859-1", utf8)).await),
        "Grüße ☕"
    );
}

#[tokio::test]
async fn items_that_are_no_pages_or_come_twice_are_left_out() {
    let feed = r#"<rss version="2.0"><channel><title>Odd</title>
        <item><guid>same</guid><title>First</title><link>https://example.org/1?fbclid=x</link></item>
        <item><guid>same</guid><title>First again</title><link>https://example.org/1#top</link></item>
        <item><guid>same</guid><title>Second</title><link>https://example.org/2</link></item>
        <item><title>Script</title><link>javascript:alert(document.cookie)</link></item>
        <item><title>Data</title><link>data:text/html,x</link></item>
        <item><title>Secret</title><link>https://user:word@example.org/3</link></item>
        <item><title>&lt;script&gt;alert(1)&lt;/script&gt;Fine &#x202e;title</title><link>https://example.org/4</link><pubDate>Fri, 01 Jan 2099 00:00:00 GMT</pubDate></item>
        </channel></rss>"#;
    let items = items_of(Reply::ok("application/rss+xml", feed)).await;
    let items: Vec<_> = items
        .iter()
        .map(|(title, url)| (title.as_str(), url.as_str()))
        .collect();
    assert_eq!(
        items,
        [
            ("Fine title", "https://example.org/4"),
            ("First", "https://example.org/1"),
            ("Second", "https://example.org/2"),
        ]
    );
}

#[tokio::test]
async fn an_empty_feed_is_read_but_will_not_do_as_a_source() {
    let server = Server::answering(|_| Reply::ok("application/rss+xml", rss_feed("Quiet", &[]))).await;
    let (feeds, source) = (feeds_at(&server), rss(server.url("/")));
    let (found, report) = read_one(&feeds, &server, &source).await;
    assert_eq!((found.items.len(), report.items, report.failure), (0, 0, None));
    let checked = feeds.check(&source, &wish(&[]), &allowing(&[&server])).await;
    assert_eq!(
        checked.expect_err("nothing in it"),
        "Feed “Quiet” can be read and has no items: there is nothing to take from it"
    );
}

#[tokio::test]
async fn a_slow_source_ends_by_itself_and_stops_nobody() {
    let slow = Server::answering(|_| Reply::Stuck).await;
    let quick =
        Server::answering(|_| Reply::ok("application/rss+xml", rss_feed("Quick", &[("post", 1)]))).await;
    let broken = Server::answering(|_| Reply::Reset).await;
    let feeds = feeds_at(&slow);
    let wish = wish(&[rss(slow.url("/")), rss(quick.url("/")), rss(broken.url("/"))]);
    let settings = allowing(&[&slow, &quick, &broken]);
    let impatience = async {
        // The quick ones are through by now; the time that the slow one has left is not waited for.
        tokio::time::sleep(Duration::from_millis(1500)).await;
        tokio::time::pause();
    };
    let (found, ()) = tokio::join!(feeds.gather(&wish, &settings), impatience);
    assert_eq!(titles(&found), ["post"]);
    let failures: Vec<_> = found
        .reports
        .iter()
        .map(|report| report.failure.as_deref().unwrap_or_default())
        .collect();
    assert!(failures[0].contains("it took longer than"), "{failures:?}");
    assert_eq!(failures[1], "");
    assert!(failures[2].contains("could not be fetched"), "{failures:?}");
    assert_eq!(feeds.reports().len(), 3);
}

#[tokio::test]
async fn many_slow_sources_do_not_take_all_the_time_there_is() {
    let slow = Server::answering(|_| Reply::Stuck).await;
    let quick =
        Server::answering(|_| Reply::ok("application/rss+xml", rss_feed("Quick", &[("post", 1)]))).await;
    let feeds = feeds_at(&slow);
    let settings = allowing(&[&slow, &quick]);
    let last = rss(quick.url("/"));
    read_one(&feeds, &quick, &last).await;
    crate::world::pass(Duration::from_secs(600)).await;
    let mut sources: Vec<_> = (0..13)
        .map(|number| rss(slow.url(&format!("/{number}"))))
        .collect();
    sources.push(last);
    let wish = wish(&sources);
    let impatience = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        tokio::time::pause();
    };
    let asked_before = quick.requests().len();
    let gathering = tokio::time::timeout(Duration::from_secs(12), feeds.gather(&wish, &settings));
    let (found, ()) = tokio::join!(gathering, impatience);
    let found = found.expect("it ends before whoever gathers gives up");
    // What it had before is still worth something.
    assert_eq!(titles(&found), ["post"]);
    let failures: Vec<_> = found
        .reports
        .iter()
        .filter_map(|report| report.failure.as_deref())
        .collect();
    assert_eq!(failures.len(), 14);
    assert!(failures[0].contains("it took longer than"), "{failures:?}");
    assert!(failures[13].contains("no time left for it"), "{failures:?}");
    assert_eq!(quick.requests().len(), asked_before);
}

#[tokio::test]
async fn names_that_are_none_are_reported_without_asking_anybody() {
    let server = Server::answering(|_| Reply::Reset).await;
    let sources = [
        crate::world::source(vocabulary::FeedFamily::Reddit, "../admin"),
        rss("file:///etc/passwd"),
        rss("not an address"),
    ];
    let found = feeds_at(&server)
        .gather(&wish(&sources), &allowing(&[&server]))
        .await;
    assert!(found.reports.iter().all(|report| report.failure.is_some()));
    assert!(server.requests().is_empty());
}
