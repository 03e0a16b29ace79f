use super::{Manner, parse};
use crate::story::Stories;
use url::Url;
use vocabulary::WallTime;

fn read(text: &str, manner: &Manner) -> Result<Stories, String> {
    parse(
        text,
        &Url::parse("https://example.org/blog/feed.xml").expect("an address"),
        manner,
    )
}

fn plain_feed(text: &str) -> Stories {
    read(text, &Manner::Plain).expect("a feed")
}

#[test]
fn rss_is_read_newest_first_with_undated_items_behind() {
    let read = plain_feed(
        r#"<?xml version="1.0" encoding="windows-1251"?>
        <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>News &amp; more</title><link>https://example.org/</link>
        <item><title>Undated</title><link>/undated</link></item>
        <item><title>Old</title><link>https://example.org/old</link><pubDate>Mon, 01 Jan 2029 10:00:00 GMT</pubDate></item>
        <item><title>New</title><link>https://example.org/new?utm_medium=rss</link><pubDate>Tue, 01 Jan 2030 10:00:00 +0000</pubDate>
          <description>&lt;p&gt;It is &lt;b&gt;new&lt;/b&gt;.&lt;/p&gt;</description><author>a@example.org (Ann)</author><category>nsfw</category></item>
        <item><title>By identity</title><guid isPermaLink="true">https://example.org/guid</guid></item>
        <item><title>Script</title><link>javascript:alert(1)</link></item>
        <item><title>Nothing</title></item>
        </channel></rss>"#,
    );
    assert_eq!(read.title, "News & more");
    let urls: Vec<_> = read.stories.iter().map(|story| story.url.as_str()).collect();
    assert_eq!(
        urls,
        [
            "https://example.org/new",
            "https://example.org/old",
            "https://example.org/undated",
            "https://example.org/guid"
        ]
    );
    assert_eq!(read.stories[0].summary, "It is new.");
    assert!(read.stories[0].nsfw);
    assert_eq!(read.stories[0].published_at, Some(WallTime(1_893_492_000_000)));
    assert_eq!(read.stories[2].published_at, None);
}

#[test]
fn atom_is_read_by_its_alternate_link() {
    let read = plain_feed(
        r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><id>x</id>
        <entry><id>urn:1</id><title type="html">A &amp;lt;b&amp;gt; title</title><updated>2030-01-01T00:00:00Z</updated>
          <link rel="self" href="https://example.org/1.atom"/><link rel="replies" href="/r"/><link rel="alternate" href="../1"/>
          <author><name>Bea</name></author><content type="html">&lt;p&gt;Body&lt;/p&gt;</content></entry></feed>"#,
    );
    let story = &read.stories[0];
    assert_eq!(story.url, "https://example.org/1");
    assert_eq!(story.title, "A <b> title");
    assert_eq!(
        (story.summary.as_str(), story.author.as_deref()),
        ("Body", Some("Bea"))
    );
}

#[test]
fn json_feed_is_read() {
    let read = plain_feed(
        r#"{"version":"https://jsonfeed.org/version/1.1","title":"JSON","items":[
        {"id":"1","url":"https://example.org/json/1","title":"One","content_text":"Words","date_published":"2030-01-01T00:00:00Z"}]}"#,
    );
    assert_eq!(
        (read.title.as_str(), read.stories[0].url.as_str()),
        ("JSON", "https://example.org/json/1")
    );
}

#[test]
fn a_youtube_channel_brings_views_and_descriptions() {
    let read = plain_feed(
        r#"<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
        <title>A channel</title><entry><id>yt:video:abcdefghijk</id><yt:videoId>abcdefghijk</yt:videoId><title>A video</title>
        <link rel="alternate" href="https://www.youtube.com/watch?v=abcdefghijk"/><author><name>A channel</name></author>
        <published>2030-01-01T00:00:00+00:00</published><updated>2030-01-02T00:00:00+00:00</updated>
        <media:group><media:title>A video</media:title><media:content url="https://www.youtube.com/v/abcdefghijk?version=3" type="application/x-shockwave-flash"/>
        <media:description>What it shows</media:description><media:community><media:starRating count="120" average="5.00" min="1" max="5"/>
        <media:statistics views="4500"/></media:community></media:group></entry></feed>"#,
    );
    let story = &read.stories[0];
    assert_eq!(story.url, "https://www.youtube.com/watch?v=abcdefghijk");
    assert_eq!((story.views, story.points), (Some(4500), Some(120)));
    assert_eq!(story.summary, "What it shows");
    assert_eq!(story.published_at, Some(WallTime(1_893_456_000_000)));
}

#[test]
fn reddits_feed_is_read_by_the_page_each_post_is_about_and_in_its_order() {
    let entry = |id: u32, link: &str, day: u32| {
        format!(
            r#"<entry><author><name>/u/a</name></author><content type="html">&lt;span&gt;&lt;a href=&quot;{link}&quot;&gt;[link]&lt;/a&gt;&lt;/span&gt;</content>
            <id>t3_{id}</id><link href="https://www.reddit.com/r/rust/comments/{id}/"/><updated>2030-01-0{day}T00:00:00+00:00</updated><title>Post {id}</title></entry>"#
        )
    };
    let feed = format!(
        r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>hot</title>{}{}</feed>"#,
        entry(1, "https://example.org/a?b=1&amp;amp;c=2", 1),
        entry(2, "https://www.reddit.com/r/rust/comments/2/", 2)
    );
    let read = read(&feed, &Manner::Reddit).expect("a feed");
    let urls: Vec<_> = read.stories.iter().map(|story| story.url.as_str()).collect();
    assert_eq!(
        urls,
        [
            "https://example.org/a?b=1&c=2",
            "https://www.reddit.com/r/rust/comments/2/"
        ]
    );
    assert_eq!(read.stories[0].summary, "");
}

#[test]
fn what_is_no_feed_or_broken_is_said_so() {
    for text in [
        "",
        "plain words",
        "<html><body>hello</body></html>",
        "<rss version=\"2.0\"><channel><item><title>cut",
        "<rss version=\"2.0\"><channel></item></channel></rss>",
        "{\"version\":\"1\"}",
        "{",
        "\u{feff}<?xml version=\"1.0\"",
    ] {
        let why = read(text, &Manner::Plain).expect_err(text);
        assert!(
            why.starts_with("it is no feed that can be read (") && why.chars().count() < 200,
            "{why}"
        );
    }
    assert!(
        plain_feed("<rss version=\"2.0\"><channel><title>Empty</title></channel></rss>")
            .stories
            .is_empty()
    );
}

#[test]
fn depth_and_entities_do_no_harm() {
    for tag in [
        "a",
        "media:group",
        "itunes:category",
        "item",
        "media:content",
        "title",
        "description",
    ] {
        let deep = format!(
            "{}{}",
            format!("<{tag}>").repeat(50_000),
            format!("</{tag}>").repeat(50_000)
        );
        let feed = format!(
            "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">\
             <channel><title>Deep</title>{deep}<item><title>x</title><link>https://example.org/x</link>{deep}</item></channel></rss>"
        );
        let _ = read(&feed, &Manner::Plain);
    }
    let bomb = "<!DOCTYPE rss [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]>\
        <rss version=\"2.0\"><channel><item><title>x &b; &c;</title><link>https://example.org/x</link></item></channel></rss>";
    if let Ok(read) = read(bomb, &Manner::Plain) {
        assert!(
            read.stories
                .iter()
                .all(|story| !story.title.contains("haha") && !story.title.contains("root"))
        );
    }
}

#[test]
fn depth_that_feeds_have_is_read() {
    for tag in ["a", "media:group", "itunes:category"] {
        let deep = format!(
            "{}{}",
            format!("<{tag}>").repeat(120),
            format!("</{tag}>").repeat(120)
        );
        let feed = format!(
            "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">\
             <channel><title>Deep</title><item><title>x</title><link>https://example.org/x</link>{deep}</item></channel></rss>"
        );
        assert_eq!(plain_feed(&feed).stories.len(), 1, "{tag}");
    }
}

mod hostile_feeds {
    use proptest::prelude::*;

    use super::{Manner, read};
    use crate::story::MOST_STORIES;

    const SAMPLES: [&str; 3] = [
        r#"<?xml version="1.0"?><rss version="2.0"><channel><title>News &amp; more</title><link>https://example.org/</link>
        <item><title>Old</title><link>/old</link><pubDate>Mon, 01 Jan 2029 10:00:00 GMT</pubDate><category>x</category>
        <description><![CDATA[<p>It is <b>new</b>.</p>]]></description><enclosure url="a.png" type="image/png" length="9"/></item></channel></rss>"#,
        r#"<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">&lt;b&gt;A&lt;/b&gt;</title><entry><id>urn:1</id>
        <title>One</title><link rel="alternate" href="https://example.org/1"/><updated>2030-01-01T00:00:00Z</updated>
        <content type="html">&lt;a href="https://x.com/a/status/1"&gt;[link]&lt;/a&gt;</content><author><name>Ann</name></author></entry></feed>"#,
        r#"{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","url":"https://example.org/1",
        "content_text":"one","date_published":"2030-01-01T00:00:00Z","tags":["a"]}]}"#,
    ];

    proptest! {
        #![proptest_config(hostile::cases(200))]

        #[test]
        fn a_wounded_feed_is_read_or_refused(text in hostile::wounded_text(&SAMPLES)) {
            for manner in [Manner::Plain, Manner::Reddit, Manner::Bridge] {
                if let Ok(read) = read(&text, &manner) {
                    prop_assert!(read.stories.len() <= MOST_STORIES);
                }
            }
        }
    }
}
