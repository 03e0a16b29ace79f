use super::{linked, listing};
use crate::story::Order;
use vocabulary::WallTime;

const LISTING: &str = r#"{"kind":"Listing","data":{"after":"t3_x","dist":5,"children":[
    {"kind":"t3","data":{"subreddit":"rust","title":"Rules","is_self":true,"stickied":true,"permalink":"/r/rust/comments/a/rules/"}},
    {"kind":"t3","data":{"title":"A new release","url":"https://example.org/release?utm_source=reddit","permalink":"/r/rust/comments/b/a/",
        "author":"alice","score":812,"num_comments":94,"created_utc":1900000000.0,"over_18":false,"is_self":false,"selftext":""}},
    {"kind":"t3","data":{"title":"How do I borrow?","url":"https://www.reddit.com/r/rust/comments/c/how/","permalink":"/r/rust/comments/c/how/",
        "author":"bob","score":-3,"num_comments":7,"created_utc":1900000100.0,"is_self":true,"selftext":"I have **two** references."}},
    {"kind":"t3","data":{"title":"Not for work","url":"https://example.org/x","permalink":"/r/rust/comments/d/n/","over_18":true,"score":5}},
    {"kind":"t3","data":{"title":"Cross-post","url":"/r/other/comments/e/x/","permalink":"/r/rust/comments/e/x/"}},
    {"kind":"t3","data":{"title":"Bad","url":"javascript:alert(1)","permalink":"/r/rust/comments/f/x/"}}
]}}"#;

#[test]
fn a_listing_is_read_with_points_comments_and_marks_and_without_what_is_pinned() {
    let read = listing(LISTING).expect("a listing");
    assert_eq!(read.order, Order::Ranked);
    let titles: Vec<_> = read.stories.iter().map(|story| story.title.as_str()).collect();
    assert_eq!(
        titles,
        ["A new release", "How do I borrow?", "Not for work", "Cross-post"]
    );
    let [release, question, nsfw, cross] = &read.stories[..] else {
        panic!("four stories")
    };
    assert_eq!(release.url, "https://example.org/release");
    assert_eq!((release.points, release.comments), (Some(812), Some(94)));
    assert_eq!(release.published_at, Some(WallTime(1_900_000_000_000)));
    assert_eq!(release.author.as_deref(), Some("alice"));
    assert_eq!(question.url, "https://www.reddit.com/r/rust/comments/c/how/");
    assert_eq!(question.points, Some(0));
    assert_eq!(question.summary, "I have **two** references.");
    assert!(nsfw.nsfw && !release.nsfw);
    assert_eq!(cross.url, "https://www.reddit.com/r/other/comments/e/x/");
    assert_eq!(cross.published_at, None);
}

#[test]
fn what_is_no_listing_is_said_to_be_none() {
    for json in [
        "",
        "<html>",
        "[]",
        r#"{"message":"Forbidden","error":403}"#,
        &"[".repeat(100_000),
    ] {
        assert!(listing(json).expect_err(json).contains("no listing of Reddit"));
    }
}

#[test]
fn the_page_a_post_is_about_is_found_in_its_text() {
    let html = r#"submitted by <a href="https://www.reddit.com/user/a">/u/a</a> <br/> <span><a href="https://example.org/a?b=1&amp;c=2">[link]</a></span> <span><a href="https://www.reddit.com/r/x/comments/1/">[comments]</a></span>"#;
    assert_eq!(linked(html), Some("https://example.org/a?b=1&amp;c=2"));
    assert_eq!(linked("no link"), None);
    assert_eq!(linked(">[link]<"), None);
}
