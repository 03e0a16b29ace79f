//! What it reads: sources, items, and what became of them.

use utoipa::ToSchema;

/// A source.
#[derive(Debug, ToSchema)]
pub struct FeedSource {
    /// `reddit`, `hacker_news`, `youtube`, `rss` or `x`.
    #[schema(example = "rss")]
    pub family: String,
    /// A subreddit, a feed's address, a YouTube channel's id or a handle; for Hacker News `top`.
    #[schema(example = "https://example.org/feed.xml")]
    pub name: String,
}

/// A source that somebody names.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedSource {
    /// `reddit`, `hacker_news`, `youtube`, `rss` or `x`.
    #[schema(example = "rss")]
    pub family: String,
    /// A subreddit, a feed's address, a YouTube channel's id or a handle.
    #[schema(min_length = 1, max_length = 500, example = "https://example.org/feed.xml")]
    pub name: String,
}

/// What a tried source has, or why it will not do.
#[derive(Debug, ToSchema)]
pub struct Checked {
    pub ok: bool,
    pub words: String,
}

/// What became of each source.
#[derive(Debug, ToSchema)]
pub struct SourceReports {
    pub reports: Vec<SourceReport>,
}

/// The best items of all sources, and what became of each source.
#[derive(Debug, ToSchema)]
pub struct Preview {
    /// Best first.
    pub candidates: Vec<Candidate>,
    pub reports: Vec<SourceReport>,
}

/// What became of one source.
#[derive(Debug, ToSchema)]
pub struct SourceReport {
    pub source: FeedSource,
    /// Items it has.
    pub items: u64,
    /// Those of them that are fresh and allowed.
    pub fresh: u64,
    /// It was not fetched again.
    pub unchanged: bool,
    /// Why it could not be read.
    #[schema(required = false, nullable = false)]
    pub failure: Option<String>,
}

/// An item, and why it stands where it does.
#[derive(Debug, ToSchema)]
pub struct Candidate {
    pub item: FeedItem,
    pub score: f64,
    /// How its source did so far, 0 to 1.
    pub source: f64,
    /// How well it fits what the community is into, 0 to 1.
    pub topic: f64,
    pub freshness: f64,
    pub popularity: f64,
    /// What chance added or took.
    pub chance: f64,
}

/// Something a source brought.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedItem {
    pub source: FeedSource,
    pub url: String,
    pub title: String,
    pub summary: String,
    #[schema(required = false, nullable = false)]
    pub author: Option<String>,
    /// Unix milliseconds.
    #[schema(required = false, nullable = false)]
    pub published_at: Option<i64>,
    #[schema(required = false, nullable = false)]
    pub points: Option<u64>,
    #[schema(required = false, nullable = false)]
    pub comments: Option<u64>,
    /// How much noticed it is among its source's items, 0 to 1.
    pub popularity: f64,
    pub nsfw: bool,
}

/// A source that is read, and how it did.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceView {
    pub source: FeedSource,
    /// Denizen added it itself.
    pub own: bool,
    /// Unix milliseconds.
    #[schema(required = true)]
    pub added_at: Option<i64>,
    /// Why it was added.
    pub reason: String,
    /// Items of it that a model was shown.
    pub shown: u64,
    /// Items of it that were posted.
    pub shared: u64,
    /// What came back for posts with items of it.
    pub reactions: u64,
    pub replies: u64,
    /// What became of it when it was read last.
    #[schema(required = true)]
    pub last_report: Option<SourceReport>,
    /// Unix milliseconds.
    #[schema(required = true)]
    pub last_read_at: Option<i64>,
}
