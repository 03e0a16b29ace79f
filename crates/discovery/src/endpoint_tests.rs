use super::{Bases, Endpoint};
use vocabulary::{FeedFamily, FeedSource};

fn endpoint(family: FeedFamily, name: &str, bridge: &str) -> Result<Endpoint, String> {
    let source = FeedSource {
        family,
        name: name.to_owned(),
    };
    Endpoint::of(&source, &Bases::default(), bridge)
}

#[test]
fn each_family_is_read_where_it_is() {
    let rust = Endpoint::Reddit {
        listing: "https://www.reddit.com/r/rust/hot.json?limit=50&raw_json=1".to_owned(),
        feed: "https://www.reddit.com/r/rust/hot/.rss?limit=50".to_owned(),
    };
    for name in ["rust", "r/rust", "/r/rust/", " rust "] {
        assert_eq!(endpoint(FeedFamily::Reddit, name, ""), Ok(rust.clone()), "{name}");
    }
    assert_eq!(
        endpoint(FeedFamily::HackerNews, "top", ""),
        Ok(Endpoint::HackerNews {
            search: "https://hn.algolia.com/api/v1/search?tags=front_page&hitsPerPage=50".to_owned()
        })
    );
    assert_eq!(
        endpoint(FeedFamily::Youtube, "UCsBjURrPoezykLs9EqgamOA", ""),
        Ok(Endpoint::Feed {
            url: "https://www.youtube.com/feeds/videos.xml?channel_id=UCsBjURrPoezykLs9EqgamOA".to_owned()
        })
    );
    assert_eq!(
        endpoint(FeedFamily::X, "@someone", "https://bridge.example/{handle}/rss"),
        Ok(Endpoint::Bridge {
            url: "https://bridge.example/someone/rss".to_owned()
        })
    );
    assert_eq!(
        endpoint(FeedFamily::Rss, "https://example.org/feed.xml", ""),
        Ok(Endpoint::Feed {
            url: "https://example.org/feed.xml".to_owned()
        })
    );
}

#[test]
fn a_name_that_is_none_is_refused_with_what_it_should_be_like() {
    for (family, name, remedy) in [
        (FeedFamily::Reddit, "a", "2 to 21 letters"),
        (FeedFamily::Reddit, "rust/../../etc", "2 to 21 letters"),
        (FeedFamily::Reddit, "rust+news", "2 to 21 letters"),
        (FeedFamily::Reddit, &"x".repeat(22), "2 to 21 letters"),
        (FeedFamily::HackerNews, "newest", "the only one is top"),
        (FeedFamily::Youtube, "@handle", "begin with UC"),
        (FeedFamily::Youtube, "UCsBjURrPoezykLs9EqgamO", "24 characters"),
        (FeedFamily::Youtube, "UCsBjURrPoezykLs9Eqgam&A", "24 characters"),
        (FeedFamily::X, "sixteen_letters_x", "1 to 15 letters"),
        (FeedFamily::X, "", "1 to 15 letters"),
        (FeedFamily::Rss, "example.org/feed", "should look like https://"),
        (FeedFamily::Rss, "file:///etc/passwd", "http:// or https://"),
    ] {
        let why = endpoint(family, name, "https://bridge.example/{handle}").expect_err(name);
        assert!(why.contains(remedy), "{why}");
    }
}

#[test]
fn a_bridge_that_cannot_be_one_is_named_by_its_setting() {
    for (bridge, remedy) in [
        ("", "set initiative.discovery.xBridgeUrl"),
        ("https://bridge.example/rss", "needs {handle}"),
        ("bridge/{handle}", "should look like"),
    ] {
        let why = endpoint(FeedFamily::X, "someone", bridge).expect_err(bridge);
        assert!(why.contains(remedy) && why.contains("xBridgeUrl"), "{why}");
    }
}
