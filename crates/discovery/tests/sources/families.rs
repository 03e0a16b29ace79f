//! Each family of sources, and several of them together.

use crate::server::{Reply, Server};
use crate::world::{allowing, feeds_at, read_one, rss, rss_feed, source, titles, wish};
use runtime::ports::Discovery;
use vocabulary::{FeedFamily, FeedWish};

const LISTING: &str = r#"{"kind":"Listing","data":{"children":[
    {"kind":"t3","data":{"title":"Pinned","stickied":true,"is_self":true,"permalink":"/r/rust/comments/0/p/"}},
    {"kind":"t3","data":{"title":"Shared page","url":"https://example.org/shared?utm_source=r","permalink":"/r/rust/comments/1/s/","score":99,"num_comments":12,"created_utc":1893580000.0}},
    {"kind":"t3","data":{"title":"Question","is_self":true,"url":"https://www.reddit.com/r/rust/comments/2/q/","permalink":"/r/rust/comments/2/q/","score":9,"created_utc":1893582000.0}},
    {"kind":"t3","data":{"title":"Adult","over_18":true,"url":"https://example.org/adult","permalink":"/r/rust/comments/3/a/","created_utc":1893582000.0}},
    {"kind":"t3","data":{"title":"Last year","url":"https://example.org/old","permalink":"/r/rust/comments/4/o/","created_utc":1861920000.0}}
]}}"#;

const REDDIT_FEED: &str = r#"<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>r/rust</title>
    <entry><author><name>/u/a</name></author><content type="html">&lt;a href=&quot;https://example.org/by-feed&quot;&gt;[link]&lt;/a&gt;</content>
    <id>t3_1</id><link href="https://www.reddit.com/r/rust/comments/1/x/"/><updated>2030-01-02T10:00:00+00:00</updated><title>By feed</title></entry></feed>"#;

const FRONT_PAGE: &str = r#"{"hits":[
    {"objectID":"7","title":"Shared page, again","url":"http://www.example.org/shared","points":500,"num_comments":80,"created_at_i":1893581000},
    {"objectID":"8","title":"Ask HN: Anything","url":null,"story_text":"Well?","points":50,"num_comments":8,"created_at_i":1893583000}]}"#;

#[tokio::test]
async fn a_subreddit_is_read_by_its_listing() {
    let server = Server::answering(|_| Reply::ok("application/json; charset=UTF-8", LISTING)).await;
    let rust = source(FeedFamily::Reddit, "rust");
    let feeds = feeds_at(&server);
    let (found, report) = read_one(&feeds, &server, &rust).await;
    assert_eq!(titles(&found), ["Question", "Shared page"]);
    assert_eq!(
        (report.items, report.fresh, report.unchanged, report.failure),
        (4, 2, false, None)
    );
    assert_eq!(found.items[1].url, "https://example.org/shared");
    assert_eq!(
        (found.items[1].points, found.items[1].popularity),
        (Some(99), 1.0)
    );
    assert_eq!(server.paths(), ["/r/rust/hot.json?limit=50&raw_json=1"]);
    assert_eq!(feeds.reports()[0].fresh, 2);
}

#[tokio::test]
async fn a_subreddit_whose_listing_is_refused_is_read_by_its_feed_and_remembered_so() {
    for refusal in [
        Reply::with("403 Blocked", "<html>whoa there"),
        Reply::ok("text/html", "<html>Are you a person?"),
    ] {
        let server = Server::answering(move |head| match head.contains("hot.json") {
            true => refusal.clone(),
            false => Reply::with(
                "200 OK\r\nETag: \"1\"\r\nContent-Type: application/atom+xml",
                REDDIT_FEED,
            ),
        })
        .await;
        let feeds = feeds_at(&server);
        let rust = source(FeedFamily::Reddit, "rust");
        let (found, report) = read_one(&feeds, &server, &rust).await;
        assert_eq!((titles(&found), report.failure), (vec!["By feed"], None));
        assert_eq!(found.items[0].url, "https://example.org/by-feed");
        crate::world::pass(std::time::Duration::from_secs(301)).await;
        read_one(&feeds, &server, &rust).await;
        let feed = "/r/rust/hot/.rss?limit=50";
        assert_eq!(
            server.paths(),
            ["/r/rust/hot.json?limit=50&raw_json=1", feed, feed]
        );
        assert!(server.requests()[2].contains("if-none-match: \"1\""));
    }
}

#[tokio::test]
async fn a_subreddit_that_is_not_there_is_said_not_to_be_there() {
    let server = Server::answering(|_| Reply::with("404 Not Found", "{}")).await;
    let checked = feeds_at(&server)
        .check(
            &source(FeedFamily::Reddit, "nosuch"),
            &wish(&[]),
            &allowing(&[&server]),
        )
        .await;
    assert!(checked.expect_err("not there").contains("no such subreddit"));
    assert_eq!(server.paths().len(), 1);
}

#[tokio::test]
async fn one_page_in_three_families_is_one_item_of_the_first() {
    let server = Server::answering(|head| match head {
        head if head.contains("/r/") => Reply::ok("application/json", LISTING),
        head if head.contains("/api/v1/search?tags=front_page") => Reply::ok("application/json", FRONT_PAGE),
        _ => Reply::ok(
            "application/rss+xml",
            rss_feed("Blog", &[("shared?utm_campaign=x", 1), ("own", 2)]),
        ),
    })
    .await;
    let sources = [
        source(FeedFamily::HackerNews, "top"),
        source(FeedFamily::Reddit, "rust"),
        rss(server.url("/feed.xml")),
        rss(server.url("/feed.xml")),
    ];
    let found = feeds_at(&server)
        .gather(&wish(&sources), &allowing(&[&server]))
        .await;
    assert_eq!(
        titles(&found),
        ["Ask HN: Anything", "Question", "own", "Shared page, again"]
    );
    let fresh: Vec<_> = found.reports.iter().map(|report| report.fresh).collect();
    assert_eq!(fresh, [2, 2, 2]);
    assert_eq!(server.paths().len(), 3);
}

#[tokio::test]
async fn a_youtube_channel_is_read_by_its_id() {
    let server = Server::answering(|_| {
        Reply::ok("text/xml; charset=UTF-8", r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>Channel</title><entry><id>yt:video:a</id>
            <title>Video</title><link rel="alternate" href="https://www.youtube.com/watch?v=a"/><published>2030-01-02T09:00:00+00:00</published></entry></feed>"#)
    })
    .await;
    let channel = source(FeedFamily::Youtube, "UCsBjURrPoezykLs9EqgamOA");
    let feeds = feeds_at(&server);
    let (found, _) = read_one(&feeds, &server, &channel).await;
    assert_eq!(found.items[0].url, "https://www.youtube.com/watch?v=a");
    assert_eq!(
        server.paths(),
        ["/feeds/videos.xml?channel_id=UCsBjURrPoezykLs9EqgamOA"]
    );
    let checked = feeds.check(&channel, &wish(&[]), &allowing(&[&server])).await;
    assert_eq!(
        checked.as_deref(),
        Ok("Channel “Channel”: 1 item, the newest 3 hours old")
    );
}

#[tokio::test]
async fn x_is_read_through_the_bridge_and_told_by_its_own_addresses() {
    let server = Server::answering(|head| {
        let host = head.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
        Reply::ok("application/rss+xml", format!(
            "<rss version=\"2.0\"><channel><title>@someone</title><item><title></title><description>&lt;p&gt;A short message&lt;/p&gt;</description>\
             <link>http://{host}/someone/status/42#m</link><pubDate>02 Jan 2030 11:00:00 GMT</pubDate></item>\
             <item><title>About</title><link>http://{host}/about</link></item></channel></rss>"
        ))
    })
    .await;
    let someone = source(FeedFamily::X, "@someone");
    let feeds = feeds_at(&server);
    let bridged = FeedWish {
        x_bridge: server.url("/{handle}/rss"),
        ..wish(std::slice::from_ref(&someone))
    };
    let found = feeds.gather(&bridged, &allowing(&[&server])).await;
    assert_eq!(titles(&found), ["A short message"]);
    assert_eq!(found.items[0].url, "https://x.com/someone/status/42");
    assert_eq!(server.paths(), ["/someone/rss"]);
    let none = feeds
        .gather(&wish(std::slice::from_ref(&someone)), &allowing(&[&server]))
        .await;
    assert!(
        none.reports[0]
            .failure
            .as_deref()
            .is_some_and(|words| words.contains("initiative.discovery.xBridgeUrl"))
    );
}

#[tokio::test]
async fn a_page_that_names_its_feed_is_read_by_it_and_straight_from_then_on() {
    let server = Server::answering(|head| match head.starts_with("GET /blog/feed ") {
        true => Reply::ok("application/rss+xml", rss_feed("The blog", &[("post", 3)])),
        false => Reply::ok(
            "text/html",
            "<!doctype html><head><link rel=\"alternate\" type=\"application/rss+xml\" href=\"feed\"></head>",
        ),
    })
    .await;
    let feeds = feeds_at(&server);
    let blog = rss(server.url("/blog/"));
    let checked = feeds.check(&blog, &wish(&[]), &allowing(&[&server])).await;
    assert_eq!(
        checked.as_deref(),
        Ok("Feed “The blog”: 1 item, the newest 3 hours old")
    );
    crate::world::pass(std::time::Duration::from_secs(301)).await;
    let (found, _) = read_one(&feeds, &server, &blog).await;
    assert_eq!(titles(&found), ["post"]);
    assert_eq!(server.paths(), ["/blog/", "/blog/feed", "/blog/feed"]);
}

#[tokio::test]
async fn no_source_brings_more_than_it_may() {
    let items: Vec<(String, u32)> = (0..40).map(|number| (format!("p{number}"), number / 4)).collect();
    let server = Server::answering(move |_| {
        let items: Vec<_> = items.iter().map(|(path, age)| (path.as_str(), *age)).collect();
        Reply::ok("application/rss+xml", rss_feed("Many", &items))
    })
    .await;
    let (found, report) = read_one(&feeds_at(&server), &server, &rss(server.url("/"))).await;
    assert_eq!((found.items.len(), report.items, report.fresh), (10, 40, 40));
    assert!(
        found
            .items
            .is_sorted_by_key(|item| std::cmp::Reverse(item.published_at))
    );
    assert_eq!(found.items[0].title, "p0");
}
