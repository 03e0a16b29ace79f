//! Which items of the feed are worth showing: source, topic, freshness, popularity, a little chance, and no source twice
//! while another has something.

use serde::{Deserialize, Serialize};
use vocabulary::{FeedItem, FeedSource, Span, WallTime};

/// How a source has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceTally {
    /// Items of it that a model was shown, and those that were posted.
    pub shown: u64,
    pub shared: u64,
    /// What came back for posts with items of it.
    pub reactions: u64,
    pub replies: u64,
}

/// An item with why it stands where it does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    pub item: FeedItem,
    pub score: f64,
    /// The parts of the score, each 0 to 1, and what chance added or took.
    pub source: f64,
    pub topic: f64,
    pub freshness: f64,
    pub popularity: f64,
    pub chance: f64,
}

/// What a choice is made by.
#[derive(Debug)]
pub struct Choosing<'a> {
    pub items: &'a [FeedItem],
    /// How sources did so far.
    pub tallies: &'a [(FeedSource, SourceTally)],
    /// What the community is into, strongest first: plain lower-case words.
    pub interests: &'a [String],
    /// Canonical addresses that were shared within the dedupe window.
    pub shared: &'a [String],
    pub fresh_for: Span,
    pub allow_nsfw: bool,
    pub limit: usize,
    /// 0 to 100; how much of the score is chance.
    pub randomness: u64,
    /// One number 0 to 99 an item, rolled by the caller's dice, in the order of `items`.
    pub rolls: &'a [u64],
    pub now: WallTime,
}

/// Chooses candidates, best first.
pub fn choose(choosing: &Choosing<'_>) -> Vec<Candidate> {
    let _ = choosing;
    Vec::new()
}

/// A line about a source for the prompt: how it did, in words.
pub fn standing(source: &FeedSource, tally: &SourceTally, own: bool) -> String {
    let _ = (tally, own);
    source.to_string()
}
