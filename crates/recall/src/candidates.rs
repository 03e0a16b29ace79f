//! Ranking what a remote store offers. Such a store finds candidates by words and by meaning; which of them fits best is
//! decided here, by the reasoning of the exact search.

use std::collections::BTreeMap;

use vocabulary::{Record, RecordId, Search};

use crate::Index;
use crate::hit::Hit;
use crate::query::Query;
use crate::search::Given;
use crate::terms::{query_terms, terms};

/// Rounds of fitting; the system is consistent and small, so it settles in a few.
const ROUNDS: usize = 50;

/// A record that a store offers.
#[derive(Clone, Debug, PartialEq)]
pub struct RecallCandidate {
    pub record: Record,
    /// What the store scored by words (the product of `terms` and `query_terms`, times rarity); none if it did not.
    pub lexical: Option<f32>,
    /// The cosine with the search's vector; none if the store did not compare them.
    pub dense: Option<f32>,
}

/// The best of the candidates, best first; only what the view may see. A record that is offered twice counts once.
pub fn rank_candidates(search: &Search, candidates: Vec<RecallCandidate>) -> Vec<Hit> {
    let mut offered: BTreeMap<RecordId, RecallCandidate> = BTreeMap::new();
    for candidate in candidates {
        let known = offered
            .entry(candidate.record.id())
            .or_insert_with(|| candidate.clone());
        known.lexical = greater(known.lexical, candidate.lexical);
        known.dense = greater(known.dense, candidate.dense);
    }
    let mut index = Index::new();
    let mut cosines = BTreeMap::new();
    for (id, candidate) in &offered {
        // Only a full index refuses a record without a vector, and nobody offers millions.
        if index.put(&candidate.record, None).is_ok() {
            cosines.extend(candidate.dense.map(|cosine| (id.clone(), cosine)));
        }
    }
    let given = Given {
        rarities: rarities(&search.words, offered.values()),
        cosines,
    };
    index.search_given(search, &given)
}

fn greater(one: Option<f32>, other: Option<f32>) -> Option<f32> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}

/// How rare the store found each word of the search, worked out from its scores: each is the sum, over the words of the
/// search, of what is known of the record times what is looked for. Words that no candidate has are as rare as the rarest.
fn rarities<'a>(words: &str, candidates: impl Iterator<Item = &'a RecallCandidate>) -> BTreeMap<u64, f64> {
    let asked: Vec<u32> = query_terms(words).into_iter().map(|(term, _)| term).collect();
    let rows: Vec<(Vec<f64>, f64)> = candidates
        .filter_map(|candidate| {
            let has: BTreeMap<u32, f32> = terms(candidate.record.text()).into_iter().collect();
            let row = asked
                .iter()
                .map(|term| has.get(term).copied().unwrap_or(0.0).into());
            Some((row.collect(), f64::from(candidate.lexical?)))
        })
        .collect();
    let mut weights = vec![0.0_f64; asked.len()];
    for _ in 0..ROUNDS {
        for place in 0..weights.len() {
            weights[place] = fitted(place, &weights, &rows).unwrap_or(weights[place]);
        }
    }
    let rarest = weights.iter().copied().fold(1.0, f64::max);
    let weight_of = |hash: u64| {
        let place = asked.iter().position(|term| *term == (hash >> 32) as u32);
        place
            .map(|place| weights[place])
            .filter(|weight| *weight > 0.0)
            .unwrap_or(rarest)
    };
    let terms = Query::read(words).terms;
    terms
        .into_iter()
        .map(|term| (term.hash, weight_of(term.hash)))
        .collect()
}

/// The weight of one word that explains the scores best while the others stay; none if no record has the word.
fn fitted(place: usize, weights: &[f64], rows: &[(Vec<f64>, f64)]) -> Option<f64> {
    let (mut product, mut square) = (0.0, 0.0);
    for (row, score) in rows {
        let others: f64 = row
            .iter()
            .zip(weights)
            .map(|(has, weight)| has * weight)
            .sum::<f64>()
            - row[place] * weights[place];
        product += row[place] * (score - others);
        square += row[place] * row[place];
    }
    (square > 0.0).then(|| (product / square).max(0.0))
}

#[cfg(test)]
#[path = "candidates_tests.rs"]
mod tests;
