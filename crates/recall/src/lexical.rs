//! How well records fit a search by their words and those around them.

use std::collections::BTreeMap;

use crate::Index;
use crate::context::{OWN, counting, opposite};
use crate::dates::DatePart;
use crate::intern::NONE;
use crate::query::{Query, Term};
use crate::view::View;
use crate::weights::{BM25_LENGTH, BM25_SATURATION, DATE, RARITY_RECORDS_MIN, SPEAKER};

/// Scores by words.
#[derive(Debug)]
pub struct Lexical {
    /// By slot: the share of the search that is found, by weight. Being said by the one who is named, or on the day, comes
    /// on top.
    pub scores: Vec<f64>,
    /// By term: what it weighs in the search; nothing where it is a name, and so looked for in who spoke.
    weights: Vec<Option<f64>>,
    /// What the whole search weighs.
    mass: f64,
    /// The same in words that nothing in view has.
    pub rare_words: f64,
    /// How long records are on average, in hundredths of a word.
    average: f64,
}

impl Lexical {
    /// How rare words are is counted among what is in view, or `given`.
    pub fn new(index: &Index, view: &View<'_>, query: &Query, given: Option<&BTreeMap<u64, f64>>) -> Lexical {
        let mut lexical = Lexical {
            scores: vec![0.0; view.sees.len()],
            weights: Vec::with_capacity(query.terms.len()),
            mass: 0.0,
            rare_words: 0.0,
            average: average_length(view),
        };
        let mut counts = vec![0; view.sees.len()];
        for term in &query.terms {
            let weight = match called(index, view, term) {
                Some(theirs) => {
                    lexical.credit(view.count, &theirs, SPEAKER);
                    None
                }
                None => {
                    let given = given.and_then(|given| given.get(&term.hash)).copied();
                    let weight = given.unwrap_or_else(|| rarity(view.count, having(view, term)));
                    lexical.count(view, term, weight, &mut counts);
                    lexical.mass += weight;
                    Some(weight)
                }
            };
            lexical.weights.push(weight);
        }
        for part in &query.dates {
            lexical.credit(view.count, &said_on(index, view, *part), DATE);
        }
        let rarest = given.and_then(|given| given.values().copied().reduce(f64::max));
        lexical.rare_words = lexical.mass / rarest.unwrap_or_else(|| rarity(view.count, 0));
        let mass = lexical.mass.max(1.0);
        lexical.scores.iter_mut().for_each(|score| *score /= mass);
        lexical
    }

    /// Adds what one word is worth to every record that has it or stands next to one that does.
    fn count(&mut self, view: &View<'_>, term: &Term, weight: f64, counts: &mut [u32]) {
        let list = view.shelf.postings.list(term.hash).iter();
        let mut touched = Vec::new();
        for posting in list.filter(|posting| view.sees[posting.slot() as usize]) {
            let holder = posting.slot();
            for (distance, slot) in view.members(holder as usize).into_iter().enumerate() {
                if slot == NONE {
                    continue;
                }
                // As seen from the neighbour.
                let distance = opposite(distance);
                let count = &mut counts[slot as usize];
                if *count == 0 {
                    touched.push(slot as usize);
                }
                *count += counting(distance, posting.count());
            }
        }
        for slot in touched {
            let count = std::mem::take(&mut counts[slot]);
            self.scores[slot] += weight * saturated(count, view.length(slot), self.average);
        }
    }

    /// Adds what it is worth that something else than the words fits, by how few it fits.
    fn credit(&mut self, records: usize, fitting: &[usize], factor: f64) {
        let worth = factor * rarity(records, fitting.len());
        fitting.iter().for_each(|slot| self.scores[*slot] += worth);
    }

    /// What a record has by its own words alone.
    pub fn own(&self, view: &View<'_>, query: &Query, slot: usize) -> f64 {
        let length = view.length(slot);
        let terms = query.terms.iter().zip(&self.weights);
        let own = terms.filter_map(|(term, weight)| {
            let count = view.shelf.postings.count(term.hash, slot as u32);
            Some((*weight)? * saturated(counting(OWN, count), length, self.average))
        });
        own.sum::<f64>() / self.mass.max(1.0)
    }
}

/// How much it tells to have what so many of the records have. Few records are counted as more: in a memory of three
/// gems every word is common, and none of them would ever be sure.
pub fn rarity(records: usize, having: usize) -> f64 {
    let (records, having) = (records.max(RARITY_RECORDS_MIN) as f64, having as f64);
    ((records - having + 0.5) / (having + 0.5)).ln_1p()
}

/// BM25's account of a count in a text of that length. All are in hundredths.
fn saturated(count: u32, length: u32, average: f64) -> f64 {
    let count = f64::from(count) / 100.0;
    let damping = BM25_SATURATION * (1.0 - BM25_LENGTH + BM25_LENGTH * f64::from(length) / average);
    count * (BM25_SATURATION + 1.0) / (count + damping)
}

fn average_length(view: &View<'_>) -> f64 {
    let sum: u64 = view.slots().map(|slot| u64::from(view.length(slot))).sum();
    (sum as f64 / view.count.max(1) as f64).max(1.0)
}

/// How many records in view have a word.
fn having(view: &View<'_>, term: &Term) -> usize {
    let list = view.shelf.postings.list(term.hash).iter();
    list.filter(|posting| view.sees[posting.slot() as usize]).count()
}

/// The records in view that are by or about somebody called so; none if nobody in view is.
fn called(index: &Index, view: &View<'_>, term: &Term) -> Option<Vec<usize>> {
    let names = index.names.values().iter();
    let is_called: Vec<bool> = names.map(|name| name.contains(&term.hash)).collect();
    if !is_called.contains(&true) {
        return None;
    }
    let slots = view
        .slots()
        .filter(|slot| is_called[view.shelf.entries[*slot].name as usize]);
    let theirs: Vec<usize> = slots.collect();
    (!theirs.is_empty()).then_some(theirs)
}

/// The records in view that were said on such a date.
fn said_on(index: &Index, view: &View<'_>, part: DatePart) -> Vec<usize> {
    let days = index.days.values().iter();
    let fits: Vec<bool> = days.map(|day| day.has(part)).collect();
    view.slots()
        .filter(|slot| fits[view.shelf.entries[*slot].day as usize])
        .collect()
}
