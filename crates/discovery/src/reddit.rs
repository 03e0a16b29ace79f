//! A subreddit: its listing as JSON, or the feed Reddit gives to whom it refuses that.

use serde::Deserialize;
use vocabulary::WallTime;

use crate::story::{Draft, MOST_STORIES, Order, Stories, Story};

/// Links to its own pages are told without the site.
const SITE: &str = "https://www.reddit.com";

/// Reads a listing.
pub(crate) fn listing(json: &str) -> Result<Stories, String> {
    let listing: Thing<Listing> =
        serde_json::from_str(json).map_err(|error| format!("it is no listing of Reddit ({error})"))?;
    let posts = listing.data.children.into_iter().map(|child| child.data);
    let stories: Vec<Story> = posts
        .filter(|post| !post.stickied && !post.promoted)
        .filter_map(story)
        .take(MOST_STORIES)
        .collect();
    Ok(Stories {
        title: String::new(),
        order: Order::Ranked,
        stories,
    })
}

fn story(post: Post) -> Option<Story> {
    let permalink = format!("{SITE}{}", post.permalink);
    let url = match post.url.as_str() {
        url if post.is_self || url.is_empty() => &permalink,
        // A post about another post names it by its path.
        url if url.starts_with('/') => &format!("{SITE}{url}"),
        url => url,
    };
    Draft {
        url,
        title: &post.title,
        summary: &post.selftext,
        author: &post.author,
        published_at: Some(WallTime((post.created_utc * 1000.0) as i64)).filter(|at| at.0 > 0),
        points: u64::try_from(post.score.max(0)).ok(),
        comments: u64::try_from(post.num_comments.max(0)).ok(),
        views: None,
        nsfw: post.over_18,
    }
    .finished()
}

/// The address a post of the feed is about: its text ends with a link that is called so.
pub(crate) fn linked(html: &str) -> Option<&str> {
    let before = &html[..html.find(">[link]<")?];
    let value = &before[before.rfind("href=\"")? + "href=\"".len()..];
    Some(&value[..value.find('"')?])
}

#[derive(Deserialize)]
struct Thing<T> {
    data: T,
}

#[derive(Deserialize)]
struct Listing {
    children: Vec<Thing<Post>>,
}

#[derive(Deserialize)]
struct Post {
    #[serde(default)]
    title: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    permalink: String,
    #[serde(default)]
    selftext: String,
    #[serde(default)]
    author: String,
    #[serde(default)]
    is_self: bool,
    #[serde(default)]
    over_18: bool,
    #[serde(default)]
    stickied: bool,
    #[serde(default)]
    promoted: bool,
    #[serde(default)]
    score: i64,
    #[serde(default)]
    num_comments: i64,
    #[serde(default)]
    created_utc: f64,
}

#[cfg(test)]
#[path = "reddit_tests.rs"]
mod tests;
