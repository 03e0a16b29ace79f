use super::{feed_of_page, is_page};
use url::Url;

fn feed(html: &str) -> Option<String> {
    let page = Url::parse("https://example.org/blog/").expect("an address");
    feed_of_page(html, &page).map(Into::into)
}

#[test]
fn the_first_feed_of_a_page_is_found_however_its_link_is_written() {
    for link in [
        r#"<link rel="alternate" type="application/rss+xml" title="x" href="/feed.xml">"#,
        r#"<LINK HREF='/feed.xml' TYPE='Application/Atom+XML' REL=Alternate />"#,
        r#"<link data-href="/no" rel=alternate type=application/feed+json href=/feed.xml>"#,
        r#"<link rel="stylesheet" href="/a.css"><link rel="alternate" hreflang="de" href="/de"><link rel="alternate" type="application/rss+xml" href="/feed.xml">"#,
    ] {
        let html = format!("<!doctype html><html><head>É{link}</head></html>");
        assert_eq!(
            feed(&html).as_deref(),
            Some("https://example.org/feed.xml"),
            "{link}"
        );
    }
    assert_eq!(
        feed(r#"<link rel="alternate" type="application/rss+xml" href="feed?a=1&amp;b=2">"#).as_deref(),
        Some("https://example.org/blog/feed?a=1&b=2")
    );
}

#[test]
fn a_page_without_a_feed_has_none() {
    for html in [
        "",
        "<link",
        "<link rel=alternate type=application/rss+xml>",
        r#"<link rel="alternate" type="application/rss+xml" href="javascript:x">"#,
        r#"<link rel="alternate" type="text/html" href="/x">"#,
        "<p>words",
    ] {
        assert_eq!(feed(html), None, "{html}");
    }
}

#[test]
fn pages_and_feeds_are_told_apart_though_servers_mix_them_up() {
    assert!(is_page("text/html", "<!DOCTYPE html><html>"));
    assert!(is_page("application/xml", " <html lang=en>"));
    assert!(is_page("text/html", "<p>words"));
    assert!(!is_page("text/html", "<?xml version='1.0'?><rss>"));
    assert!(!is_page("text/html", "<rss version='2.0'>"));
    assert!(!is_page("application/rss+xml", "<rss>"));
}

proptest::proptest! {
    #[test]
    fn whatever_comes_is_looked_through(pieces in proptest::collection::vec(piece(), 0..40)) {
        let html = pieces.concat();
        let found = feed(&html);
        assert!(found.is_none_or(|url| url.starts_with("http")), "{html}");
        let _ = is_page("text/html", &html);
    }
}

fn piece() -> impl proptest::strategy::Strategy<Value = &'static str> {
    proptest::sample::select(
        &[
            "<link",
            "<LINK ",
            ">",
            " rel",
            "=",
            "\"",
            "'",
            "alternate",
            " type",
            "application/rss+xml",
            " href",
            "é",
            "日",
            "/",
            " ",
            "x:y",
            "<",
            "&amp;",
            "\n",
            "İ",
        ][..],
    )
}
