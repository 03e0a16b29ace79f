//! What is new in the world: sources, and the items they bring.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Span, WallTime, named};

named! {
    /// A family of sources.
    pub enum FeedFamily {
        Reddit = "reddit",
        HackerNews = "hacker_news",
        Youtube = "youtube",
        Rss = "rss",
        X = "x",
    }
}

/// One source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct FeedSource {
    pub family: FeedFamily,
    /// A subreddit, a feed's address, a YouTube channel's id, a handle on X; for Hacker News the list, `top`.
    pub name: String,
}

impl fmt::Display for FeedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.family.name(), self.name)
    }
}

/// Something a source brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FeedItem {
    pub source: FeedSource,
    /// The canonical address: what makes two items the same.
    pub url: String,
    pub title: String,
    /// A little of what it says, as plain text; may be empty.
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_at: Option<WallTime>,
    /// Points or upvotes, where the source counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<u64>,
    /// How much noticed it is among its source's items, 0 to 1.
    pub popularity: f64,
    #[serde(default)]
    pub nsfw: bool,
}

/// What is to be collected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FeedWish {
    pub sources: Vec<FeedSource>,
    /// Newest items of a source, at most.
    pub per_source: usize,
    /// Nothing older than this, where a source says how old it is.
    pub fresh_for: Span,
    pub allow_nsfw: bool,
    /// Where handles on X are read as feeds: `{handle}` stands for the handle. Empty: nowhere.
    pub x_bridge: String,
    pub now: WallTime,
}

/// What became of one source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SourceReport {
    pub source: FeedSource,
    /// Items it has, and those of them that are fresh and allowed.
    pub items: usize,
    pub fresh: usize,
    /// It was not fetched again: it is as it was, or was fetched a moment ago.
    pub unchanged: bool,
    /// For a person: why it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// What was collected: items of every source that could be read, newest first within a source, one per address.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FeedHarvest {
    pub items: Vec<FeedItem>,
    pub reports: Vec<SourceReport>,
}
