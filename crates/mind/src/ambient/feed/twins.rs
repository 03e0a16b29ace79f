//! The same story twice: by its address, or by a title that says the same.

use gist::interests::stems;
use gist::links::canonical;
use std::collections::BTreeSet;

use super::Candidate;

/// Titles of fewer telling words say too little to be compared, unless they are equal.
const WORDS_MIN: usize = 3;
/// Titles are the same if they have this share of their words in common.
const SHARED_WORDS_MIN: f64 = 0.75;

/// The first of every story; `candidates` are in order.
pub(super) fn without_twins(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    let mut known: Vec<(Option<String>, BTreeSet<String>)> = Vec::new();
    for candidate in candidates {
        let link = canonical(&candidate.item.url);
        let words: BTreeSet<String> = stems(&candidate.item.title).into_iter().collect();
        let is_twin = known
            .iter()
            .any(|(other_link, other)| *other_link == link || say_the_same(other, &words));
        if !is_twin {
            known.push((link, words));
            kept.push(candidate);
        }
    }
    kept
}

fn say_the_same(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    if one.len() < WORDS_MIN || other.len() < WORDS_MIN {
        return !one.is_empty() && one == other;
    }
    let common = one.intersection(other).count() as f64;
    common / one.union(other).count() as f64 >= SHARED_WORDS_MIN
}
