//! A mixed choice: what a source or a family has had taken already counts against its next item.

use std::collections::BTreeMap;

use vocabulary::{FeedFamily, FeedSource};

use super::Candidate;

/// What each item that was taken of the same source, and of the same family, costs the next one. An item of another
/// source is of comparable worth if it is behind by no more than this.
pub(super) const SAME_SOURCE: f64 = 0.35;
pub(super) const SAME_FAMILY: f64 = 0.05;

/// Takes up to `limit` of `candidates`, which are in order, best first.
pub(super) fn spread(candidates: Vec<Candidate>, limit: usize) -> Vec<Candidate> {
    let mut left = candidates;
    let mut taken: Vec<Candidate> = Vec::new();
    let mut of_source: BTreeMap<FeedSource, usize> = BTreeMap::new();
    let mut of_family: BTreeMap<FeedFamily, usize> = BTreeMap::new();
    while taken.len() < limit {
        let worth = |candidate: &Candidate| {
            let source = &candidate.item.source;
            let count = |taken: Option<&usize>| taken.copied().unwrap_or(0) as f64;
            candidate.score
                - SAME_SOURCE * count(of_source.get(source))
                - SAME_FAMILY * count(of_family.get(&source.family))
        };
        // Of equal ones the first, as they are in order.
        let Some(best) = (0..left.len())
            .rev()
            .max_by(|&one, &other| worth(&left[one]).total_cmp(&worth(&left[other])))
        else {
            break;
        };
        let candidate = left.remove(best);
        *of_source.entry(candidate.item.source.clone()).or_default() += 1;
        *of_family.entry(candidate.item.source.family).or_default() += 1;
        taken.push(candidate);
    }
    taken
}
