//! How well records fit a search by their words and those around them.

use std::collections::BTreeMap;

use crate::Index;
use crate::context::{OWN, WORD, opposite, own};
use crate::dates::DatePart;
use crate::intern::NONE;
use crate::postings::Posting;
use crate::query::Query;
use crate::terms::Count;
use crate::view::View;
use crate::weights::{
    BM25_LENGTH, BM25_SATURATION, DATE, FIRST_PERSON, FIRST_PERSON_WORD, RARITY_RECORDS_MIN, SPEAKER,
};

/// Scores by words.
#[derive(Debug)]
pub struct Lexical {
    /// By slot: the share of the search that the best part of a record has, by weight. Being said by the one who is named, or on
    /// the day, comes on top.
    pub scores: Vec<f64>,
    /// By part: what its words are worth, with those around it.
    parts: Vec<f64>,
    /// By term: what it weighs in the search; nothing where it is a name, and so looked for in who spoke.
    weights: Vec<Option<f64>>,
    /// What it weighs that somebody speaks of themselves; nothing where the search does not.
    first_person: f64,
    /// What the whole search weighs.
    mass: f64,
    /// The same in words that nothing in view has.
    pub rare_words: f64,
    /// How many parts are in view.
    pub parts_seen: usize,
    /// By part: how much of a word it takes to count half, by how long the part is with what stands around it.
    dampings: Vec<f64>,
}

/// What one word counts, while it is counted; all zero between words.
struct Tally {
    /// By part: in it.
    own: Vec<u32>,
    /// By slot: around it.
    around: Vec<u32>,
    /// By slot: whether the word is in it or around it.
    is_touched: Vec<bool>,
}

impl Lexical {
    /// How rare words are is counted among what is in view, or `given`.
    pub fn new(index: &Index, view: &View<'_>, query: &Query, given: Option<&BTreeMap<u64, f64>>) -> Lexical {
        let mut lexical = Lexical {
            scores: vec![0.0; view.sees.len()],
            parts: vec![0.0; view.shelf.parts.len()],
            weights: Vec::with_capacity(query.terms.len()),
            first_person: 0.0,
            mass: 0.0,
            rare_words: 0.0,
            parts_seen: 0,
            dampings: Vec::new(),
        };
        lexical.measure(view);
        let mut tally = Tally {
            own: vec![0; view.shelf.parts.len()],
            around: vec![0; view.sees.len()],
            is_touched: vec![false; view.sees.len()],
        };
        for term in &query.terms {
            let weight = match called(index, view, term.hash) {
                Some(theirs) => {
                    lexical.credit(view.count, &theirs, SPEAKER);
                    None
                }
                None => {
                    let given = given.and_then(|given| given.get(&term.hash)).copied();
                    let weight = given.unwrap_or_else(|| rarity(view.count, having(view, term.hash)));
                    lexical.count(view, term.hash, weight, &mut tally);
                    lexical.mass += weight;
                    Some(weight)
                }
            };
            lexical.weights.push(weight);
        }
        if query.is_first_person {
            lexical.hear_first_person(view);
        }
        for part in &query.dates {
            lexical.credit(view.count, &said_on(index, view, *part), DATE);
        }
        let rarest = given.and_then(|given| given.values().copied().reduce(f64::max));
        lexical.rare_words = lexical.mass / rarest.unwrap_or_else(|| rarity(view.count, 0));
        let mass = lexical.mass.max(1.0);
        for slot in view.slots() {
            let of_record = &lexical.parts[view.shelf.parts.of(slot)];
            let best = of_record.iter().copied().fold(0.0, f64::max);
            lexical.scores[slot] = (lexical.scores[slot] + best) / mass;
        }
        lexical
    }

    /// Works out what length makes of every part in view.
    fn measure(&mut self, view: &View<'_>) {
        let mut lengths = vec![0; view.shelf.parts.len()];
        let mut sum = 0_u64;
        for slot in view.slots() {
            let around = view.length_around(slot);
            for part in view.shelf.parts.of(slot) {
                lengths[part] = own(view.shelf.parts.length(part)) + around;
                sum += u64::from(lengths[part]);
                self.parts_seen += 1;
            }
        }
        let average = (sum as f64 / self.parts_seen.max(1) as f64).max(WORD / 100.0);
        let damping =
            |length: u32| BM25_SATURATION * (1.0 - BM25_LENGTH + BM25_LENGTH * f64::from(length) / average);
        self.dampings = lengths.into_iter().map(damping).collect();
    }

    /// Adds what one word is worth to every part that has it, or whose record does elsewhere nearby.
    fn count(&mut self, view: &View<'_>, word: u64, weight: f64, tally: &mut Tally) {
        let mut touched = Vec::new();
        for (holder, postings) in holders(view, word) {
            let mut whole = Count::default();
            for posting in postings {
                tally.own[posting.part() as usize] = own(posting.count());
                whole = whole + posting.count();
            }
            for (distance, slot) in view.members(holder).into_iter().enumerate() {
                if slot == NONE {
                    continue;
                }
                let slot = slot as usize;
                if distance != OWN {
                    // As seen from the neighbour.
                    tally.around[slot] += view.contexts.counting(opposite(distance), holder, whole);
                }
                if !std::mem::replace(&mut tally.is_touched[slot], true) {
                    touched.push(slot);
                }
            }
        }
        for slot in touched {
            tally.is_touched[slot] = false;
            let around = std::mem::take(&mut tally.around[slot]);
            for part in view.shelf.parts.of(slot) {
                let count = std::mem::take(&mut tally.own[part]) + around;
                // Most parts of a long text have nothing of most words.
                if count > 0 {
                    self.parts[part] += weight * saturated(count, self.dampings[part]);
                }
            }
        }
    }

    /// Somebody who asks about themselves looks for what somebody said of themselves, by how few do.
    fn hear_first_person(&mut self, view: &View<'_>) {
        let spoken = holders(view, FIRST_PERSON_WORD).map(|(_, postings)| postings.len());
        let spoken: usize = spoken.sum();
        self.first_person = FIRST_PERSON * (self.parts_seen - spoken) as f64 / self.parts_seen.max(1) as f64;
        for (_, postings) in holders(view, FIRST_PERSON_WORD) {
            for posting in postings {
                self.parts[posting.part() as usize] += self.first_person * self.alone(*posting);
            }
        }
    }

    /// What it counts that a part has a word, whatever stands around it.
    fn alone(&self, posting: Posting) -> f64 {
        saturated(own(posting.count()), self.dampings[posting.part() as usize])
    }

    /// Adds what it is worth that something else than the words fits, by how few it fits.
    fn credit(&mut self, records: usize, fitting: &[usize], factor: f64) {
        let worth = factor * rarity(records, fitting.len());
        fitting.iter().for_each(|slot| self.scores[*slot] += worth);
    }

    /// What the best part of a record has by its own words alone; and of that, by speaking of oneself.
    pub fn own(&self, view: &View<'_>, query: &Query, slot: usize) -> (f64, f64) {
        let mut parts = view.shelf.parts.of(slot);
        let first = parts.next().unwrap_or_default();
        let best = parts.fold(first, |best, part| {
            if self.parts[part] > self.parts[best] {
                part
            } else {
                best
            }
        });
        let alone = |word: u64| {
            let found = view.shelf.postings.among(word, best..best + 1).first();
            found.map_or(0.0, |posting| self.alone(*posting))
        };
        let terms = query.terms.iter().zip(&self.weights);
        let words = terms.filter_map(|(term, weight)| Some((*weight)? * alone(term.hash)));
        let mass = self.mass.max(1.0);
        let first_person = self.first_person * alone(FIRST_PERSON_WORD) / mass;
        (words.sum::<f64>() / mass + first_person, first_person)
    }
}

/// How much it tells to have what so many of the records have. Few records are counted as more: in a memory of three
/// gems every word is common, and none of them would ever be sure.
pub fn rarity(records: usize, having: usize) -> f64 {
    let (records, having) = (records.max(RARITY_RECORDS_MIN) as f64, having as f64);
    ((records - having + 0.5) / (having + 0.5)).ln_1p()
}

/// BM25's account of a count.
fn saturated(count: u32, damping: f64) -> f64 {
    let count = f64::from(count) / WORD;
    count * (BM25_SATURATION + 1.0) / (count + damping)
}

/// The records in view that have a word, each with its parts that do.
fn holders<'a>(view: &'a View<'_>, word: u64) -> impl Iterator<Item = (usize, &'a [Posting])> {
    let slot = |posting: &Posting| view.shelf.parts.slot(posting.part() as usize);
    let list = view.shelf.postings.list(word);
    let records = list.chunk_by(move |one, other| slot(one) == slot(other));
    let records = records.map(move |postings| (slot(&postings[0]), postings));
    records.filter(|(slot, _)| view.sees[*slot])
}

/// How many records in view have a word.
fn having(view: &View<'_>, word: u64) -> usize {
    holders(view, word).count()
}

/// The records in view that are by or about somebody called so; none if nobody in view is.
fn called(index: &Index, view: &View<'_>, word: u64) -> Option<Vec<usize>> {
    let names = index.names.values().iter();
    let is_called: Vec<bool> = names.map(|name| name.contains(&word)).collect();
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
