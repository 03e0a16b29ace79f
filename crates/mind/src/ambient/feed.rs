//! Which items of the feed are worth showing: source, topic, freshness, popularity, a little chance, and no source twice
//! while another has something.
//!
//! The score is 0.3 source + 0.4 topic + 0.2 freshness + 0.1 popularity, each 0 to 1, and what chance adds or takes: a
//! roll of 0 to 99 becomes −0.5 to +0.5, of which `randomness` percent count.

mod diversity;
mod merit;
mod twins;

use gist::links::canonical;
use serde::{Deserialize, Serialize};
use vocabulary::{FeedItem, FeedSource, Span, WallTime};

use self::diversity::spread;
use self::merit::{Topics, chance, freshness, merit_of_source};
use self::twins::without_twins;

const SOURCE_SHARE: f64 = 0.3;
const TOPIC_SHARE: f64 = 0.4;
const FRESHNESS_SHARE: f64 = 0.2;
const POPULARITY_SHARE: f64 = 0.1;

/// How a source has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
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

/// What each part adds to a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScoreParts {
    pub source: f64,
    pub topic: f64,
    pub freshness: f64,
    pub popularity: f64,
    /// What chance added or took.
    pub chance: f64,
}

impl Candidate {
    /// The parts as they count; the score is their sum.
    pub fn parts(&self) -> ScoreParts {
        ScoreParts {
            source: SOURCE_SHARE * self.source,
            topic: TOPIC_SHARE * self.topic,
            freshness: FRESHNESS_SHARE * self.freshness,
            popularity: POPULARITY_SHARE * self.popularity,
            chance: self.chance,
        }
    }
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
    /// One number 0 to 99 an item, rolled by the caller's dice, in the order of `items`. An item without one has
    /// neither luck nor bad luck.
    pub rolls: &'a [u64],
    pub now: WallTime,
}

/// Chooses candidates, best first. Which ones depends on the items and their rolls, not on the order they came in.
pub fn choose(choosing: &Choosing<'_>) -> Vec<Candidate> {
    let topics = Topics::new(choosing.interests);
    let rolls = choosing
        .rolls
        .iter()
        .copied()
        .map(Some)
        .chain(std::iter::repeat(None));
    let mut candidates: Vec<Candidate> = choosing
        .items
        .iter()
        .zip(rolls)
        .filter(|(item, _)| is_worth_a_look(item, choosing))
        .map(|(item, roll)| judged(item, roll, &topics, choosing))
        .collect();
    candidates.sort_by(in_order);
    let mut chosen = spread(without_twins(candidates), choosing.limit);
    chosen.sort_by(in_order);
    chosen
}

/// A line about a source for the prompt: how it did, in words.
pub fn standing(source: &FeedSource, tally: &SourceTally, own: bool) -> String {
    let counted =
        |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let mut line = format!("{source}: ");
    match tally {
        SourceTally { shown: 0, .. } => line.push_str("nothing shown yet"),
        SourceTally { shared: 0, shown, .. } => {
            line.push_str(&format!(
                "{} shown, none shared",
                counted(*shown, "item", "items")
            ));
        }
        SourceTally {
            shown,
            shared,
            reactions,
            replies,
        } => line.push_str(&format!(
            "{} shown, {shared} shared, {} and {}",
            counted(*shown, "item", "items"),
            counted(*reactions, "reaction", "reactions"),
            counted(*replies, "reply", "replies")
        )),
    }
    if own {
        line.push_str(" (you added it)");
    }
    line
}

fn is_worth_a_look(item: &FeedItem, choosing: &Choosing<'_>) -> bool {
    let Some(link) = canonical(&item.url) else {
        return false;
    };
    let is_shared = choosing.shared.contains(&link);
    let is_stale = freshness(item.published_at, choosing.now, choosing.fresh_for).is_none();
    let says_nothing = item.title.trim().is_empty() && item.summary.trim().is_empty();
    !(is_shared || is_stale || says_nothing || (item.nsfw && !choosing.allow_nsfw))
}

fn judged(item: &FeedItem, roll: Option<u64>, topics: &Topics, choosing: &Choosing<'_>) -> Candidate {
    let mut tallies = choosing.tallies.iter();
    let tally = tallies
        .find(|(source, _)| *source == item.source)
        .map(|(_, tally)| tally);
    let source = tally.map_or_else(|| merit_of_source(&SourceTally::default()), merit_of_source);
    let topic = topics.met_by(item);
    let freshness = freshness(item.published_at, choosing.now, choosing.fresh_for).unwrap_or(0.0);
    // What a source counts may be broken; a comparison would then be no order.
    let popularity = if item.popularity.is_finite() {
        item.popularity.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let chance = chance(roll, choosing.randomness);
    let mut candidate = Candidate {
        item: item.clone(),
        score: 0.0,
        source,
        topic,
        freshness,
        popularity,
        chance,
    };
    let parts = candidate.parts();
    candidate.score = parts.source + parts.topic + parts.freshness + parts.popularity + parts.chance;
    candidate
}

/// The best first; equal ones in an order that does not depend on where they stood.
fn in_order(one: &Candidate, other: &Candidate) -> std::cmp::Ordering {
    let rest = |candidate: &Candidate| {
        let FeedItem {
            url, source, title, ..
        } = &candidate.item;
        (url.clone(), source.clone(), title.clone())
    };
    other
        .score
        .total_cmp(&one.score)
        .then_with(|| rest(one).cmp(&rest(other)))
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod feed_tests;
