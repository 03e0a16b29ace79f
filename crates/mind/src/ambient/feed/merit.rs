//! The parts of an item's score.

use gist::interests::stems;
use std::collections::BTreeSet;

use vocabulary::{FeedItem, Span, WallTime};

use super::SourceTally;

/// Of so many items that are shown, one is shared where a source does neither well nor badly.
const USUAL_RATE: f64 = 0.1;
/// A source is judged as if so many items of it had been shown at the usual rate before the first.
const SHOWN_BEFORE: f64 = 10.0;
/// How much of what is missing to the best can be made up for by reactions and replies.
const RESPONSE_SHARE: f64 = 0.5;
/// A reply is worth so many reactions.
const REPLY_WORTH: f64 = 2.0;
/// What meeting the strongest interest in the title is worth; the last one is worth so much of it; and a mention in the
/// summary so much of one in the title.
const BEST_MATCH: f64 = 0.7;
const LAST_INTEREST_SHARE: f64 = 0.3;
const SUMMARY_SHARE: f64 = 0.5;
/// Of what does not say when it was published nobody knows how fresh it is.
const UNDATED: f64 = 0.5;

/// How good a source is, 0 to 1: how often its items are shared, and what came back. A new one starts in the middle.
pub(super) fn merit_of_source(tally: &SourceTally) -> f64 {
    let rate = (tally.shared as f64 + USUAL_RATE * SHOWN_BEFORE) / (tally.shown as f64 + SHOWN_BEFORE);
    let base = rate / (rate + USUAL_RATE);
    let responses = tally.reactions as f64 + REPLY_WORTH * tally.replies as f64;
    let response = responses / (responses + tally.shared as f64 + 1.0);
    base + (1.0 - base) * RESPONSE_SHARE * response
}

/// From 1 for what is new to 0 for what is as old as can be; none where it is older.
pub(super) fn freshness(published: Option<WallTime>, now: WallTime, fresh_for: Span) -> Option<f64> {
    let Some(published) = published else {
        return Some(UNDATED);
    };
    let age = now.0.saturating_sub(published.0).max(0) as f64;
    let whole = fresh_for.0.max(1) as f64;
    (age <= whole).then_some(1.0 - age / whole)
}

/// What chance adds or takes: −0.5 to +0.5, of which `randomness` percent count.
pub(super) fn chance(roll: Option<u64>, randomness: u64) -> f64 {
    let roll = roll.map_or(0.5, |roll| roll.min(99) as f64 / 99.0);
    (roll - 0.5) * randomness.min(100) as f64 / 100.0
}

/// What a community is into, ready to be compared.
pub(super) struct Topics {
    /// The stems of each interest, and what meeting it is worth.
    wanted: Vec<(Vec<String>, f64)>,
}

impl Topics {
    pub fn new(interests: &[String]) -> Self {
        let last = interests.len().saturating_sub(1).max(1) as f64;
        let worth = |rank: usize| BEST_MATCH * (1.0 - (1.0 - LAST_INTEREST_SHARE) * rank as f64 / last);
        let wanted = interests
            .iter()
            .enumerate()
            .map(|(rank, word)| (stems(word), worth(rank)));
        Self {
            wanted: wanted.filter(|(stems, _)| !stems.is_empty()).collect(),
        }
    }

    /// How much an item meets them, 0 to 1: the first match counts most.
    pub fn met_by(&self, item: &FeedItem) -> f64 {
        let title: BTreeSet<String> = stems(&item.title).into_iter().collect();
        let summary: BTreeSet<String> = stems(&item.summary).into_iter().collect();
        let source = stems(&item.source.name);
        let missed = self.wanted.iter().map(|(stems, worth)| {
            let in_title = stems
                .iter()
                .all(|stem| title.contains(stem) || source.contains(stem));
            let in_text = || {
                stems
                    .iter()
                    .all(|stem| title.contains(stem) || summary.contains(stem))
            };
            match () {
                () if in_title => 1.0 - worth,
                () if in_text() => 1.0 - worth * SUMMARY_SHARE,
                () => 1.0,
            }
        });
        1.0 - missed.product::<f64>()
    }
}
