//! How well records fit a search by their words and those around them.

use std::collections::BTreeMap;

use crate::Index;
use crate::context::{counting, opposite};
use crate::dates::DatePart;
use crate::intern::NONE;
use crate::query::{Query, Term};
use crate::view::View;
use crate::weights::{BM25_LENGTH, BM25_SATURATION, DATE, SPEAKER};

/// Scores by words.
#[derive(Debug)]
pub struct Lexical {
    /// By slot: the share of the search that is found, by weight; a little above 1 at best.
    pub scores: Vec<f64>,
    /// By term: what it weighs in the search.
    pub weights: Vec<f64>,
    /// By term: whether it is somebody's name, and so looked for in who spoke rather than in what was said.
    pub is_name: Vec<bool>,
    /// What the whole search weighs.
    pub mass: f64,
}

impl Lexical {
    pub fn new(
        index: &Index,
        view: &View<'_>,
        query: &Query,
        rarities: Option<&BTreeMap<u64, f64>>,
    ) -> Lexical {
        let names = Names::new(index, view);
        let mut lexical = Lexical {
            scores: vec![0.0; view.sees.len()],
            weights: Vec::with_capacity(query.terms.len()),
            is_name: query.terms.iter().map(|term| names.has(term)).collect(),
            mass: 0.0,
        };
        let average = average_length(view);
        let mut counts = vec![0_u32; view.sees.len()];
        for (place, term) in query.terms.iter().enumerate() {
            let weight = if lexical.is_name[place] {
                let weight = rarity(view.count, names.speaking(term));
                names.credit(term, SPEAKER * weight, view, &mut lexical.scores);
                weight
            } else {
                let given = rarities.and_then(|rarities| rarities.get(&term.hash)).copied();
                let weight = given.unwrap_or_else(|| rarity(view.count, having(view, term)));
                lexical.count(view, term, weight, average, &mut counts);
                lexical.mass += weight;
                weight
            };
            lexical.weights.push(weight);
        }
        credit_dates(index, view, &query.dates, &mut lexical.scores);
        let mass = lexical.mass.max(1.0);
        lexical.scores.iter_mut().for_each(|score| *score /= mass);
        lexical
    }

    /// Adds what one word is worth to every record that has it or stands next to one that does.
    fn count(&mut self, view: &View<'_>, term: &Term, weight: f64, average: f64, counts: &mut [u32]) {
        let list = view.shelf.postings.list(term.hash).iter();
        let seen = list.filter(|posting| view.sees[posting.slot() as usize]);
        let mut touched = Vec::new();
        for posting in seen {
            let holder = posting.slot();
            for (distance, slot) in view.members(holder as usize).into_iter().enumerate() {
                // Seen from the neighbour; the two need not agree if two turns claim one number.
                let distance = opposite(distance);
                if slot == NONE || view.members(slot as usize)[distance] != holder {
                    continue;
                }
                let count = &mut counts[slot as usize];
                if *count == 0 {
                    touched.push(slot as usize);
                }
                *count += counting(distance, posting.count());
            }
        }
        for slot in touched {
            let count = f64::from(std::mem::take(&mut counts[slot]));
            self.scores[slot] += weight * saturated(count, f64::from(view.length(slot)), average);
        }
    }

    /// What a record has by its own words alone, as a share of the search.
    pub fn own(&self, view: &View<'_>, query: &Query, slot: usize) -> f64 {
        let average = average_length(view);
        let length = f64::from(view.length(slot));
        let terms = query.terms.iter().zip(&self.weights).zip(&self.is_name);
        let own = terms
            .filter(|(_, is_name)| !**is_name)
            .map(|((term, weight), _)| {
                let count = view.shelf.postings.count(term.hash, slot as u32);
                weight * saturated(f64::from(counting(opposite(2), count)), length, average)
            });
        own.sum::<f64>() / self.mass.max(1.0)
    }
}

/// How much a word tells, by how many of the records have it.
pub fn rarity(records: usize, having: usize) -> f64 {
    let (records, having) = (records as f64, having as f64);
    ((records - having + 0.5) / (having + 0.5)).ln_1p()
}

/// How many records in view have a word.
fn having(view: &View<'_>, term: &Term) -> usize {
    let list = view.shelf.postings.list(term.hash).iter();
    list.filter(|posting| view.sees[posting.slot() as usize]).count()
}

/// BM25's account of a count in a text of that length. Both are in hundredths.
fn saturated(count: f64, length: f64, average: f64) -> f64 {
    let count = count / 100.0;
    let damping = BM25_SATURATION * (1.0 - BM25_LENGTH + BM25_LENGTH * length / average);
    count * (BM25_SATURATION + 1.0) / (count + damping)
}

fn average_length(view: &View<'_>) -> f64 {
    let sum: u64 = view.slots().map(|slot| u64::from(view.length(slot))).sum();
    (sum as f64 / view.count.max(1) as f64).max(1.0)
}

/// Who in view is called what.
struct Names<'a> {
    names: &'a [Box<[u64]>],
    /// By name: how many records in view are theirs.
    records: Vec<usize>,
}

impl<'a> Names<'a> {
    fn new(index: &'a Index, view: &View<'_>) -> Names<'a> {
        let mut records = vec![0; index.names.len()];
        for slot in view.slots() {
            records[view.shelf.entries[slot].name as usize] += 1;
        }
        Names {
            names: index.names.values(),
            records,
        }
    }

    fn has(&self, term: &Term) -> bool {
        self.speaking(term) > 0
    }

    fn speaking(&self, term: &Term) -> usize {
        let called = self.names.iter().zip(&self.records);
        called
            .filter(|(name, _)| name.contains(&term.hash))
            .map(|(_, records)| records)
            .sum()
    }

    fn credit(&self, term: &Term, worth: f64, view: &View<'_>, scores: &mut [f64]) {
        let is_called: Vec<bool> = self.names.iter().map(|name| name.contains(&term.hash)).collect();
        for slot in view
            .slots()
            .filter(|slot| is_called[view.shelf.entries[*slot].name as usize])
        {
            scores[slot] += worth;
        }
    }
}

/// Adds what being said on a named date is worth.
fn credit_dates(index: &Index, view: &View<'_>, parts: &[DatePart], scores: &mut [f64]) {
    for part in parts {
        let fits: Vec<bool> = index.days.values().iter().map(|day| day.has(*part)).collect();
        let on_day = |slot: &usize| fits[view.shelf.entries[*slot].day as usize];
        let worth = DATE * rarity(view.count, view.slots().filter(on_day).count());
        view.slots().filter(on_day).for_each(|slot| scores[slot] += worth);
    }
}
