//! The plain ways of finding a turn: BM25 over words as they stand, and the cosine of whole texts.

use std::collections::BTreeMap;

use vocabulary::{CapturedTurn, TurnKey};

const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;

/// Textbook BM25 with textbook constants: lower case, no stems, no fields.
#[derive(Debug)]
pub struct PlainWords {
    turns: Vec<(TurnKey, BTreeMap<String, f64>, f64)>,
    having: BTreeMap<String, f64>,
    average: f64,
}

impl PlainWords {
    pub fn new(turns: &[CapturedTurn]) -> PlainWords {
        let mut having: BTreeMap<String, f64> = BTreeMap::new();
        let mut indexed = Vec::with_capacity(turns.len());
        for turn in turns {
            let mut counts: BTreeMap<String, f64> = BTreeMap::new();
            let words = words(&turn.text);
            let length = words.len() as f64;
            words
                .into_iter()
                .for_each(|word| *counts.entry(word).or_default() += 1.0);
            counts
                .keys()
                .for_each(|word| *having.entry(word.clone()).or_default() += 1.0);
            indexed.push((turn.id.clone(), counts, length));
        }
        let average = indexed.iter().map(|(_, _, length)| length).sum::<f64>() / indexed.len().max(1) as f64;
        PlainWords {
            turns: indexed,
            having,
            average,
        }
    }

    pub fn search(&self, question: &str) -> Vec<TurnKey> {
        let mut asked = words(question);
        asked.sort();
        asked.dedup();
        let records = self.turns.len() as f64;
        let scored = self.turns.iter().map(|(id, counts, length)| {
            let damping = SATURATION * (1.0 - LENGTH + LENGTH * length / self.average);
            let worth = asked.iter().filter_map(|word| {
                let (count, having) = (counts.get(word)?, self.having.get(word)?);
                let rarity = ((records - having + 0.5) / (having + 0.5)).ln_1p();
                Some(rarity * count * (SATURATION + 1.0) / (count + damping))
            });
            (id, worth.sum())
        });
        in_order(scored)
    }
}

/// The cosine of an embedder's vectors.
#[derive(Debug)]
pub struct PlainMeaning<'a> {
    turns: Vec<(&'a TurnKey, &'a [f32])>,
}

impl<'a> PlainMeaning<'a> {
    /// A vector for each turn, of length one.
    pub fn new(turns: &'a [CapturedTurn], vectors: &'a [Vec<f32>]) -> PlainMeaning<'a> {
        let turns = turns.iter().zip(vectors);
        PlainMeaning {
            turns: turns
                .map(|(turn, vector)| (&turn.id, vector.as_slice()))
                .collect(),
        }
    }

    pub fn search(&self, asked: &[f32]) -> Vec<TurnKey> {
        in_order(
            self.turns
                .iter()
                .map(|(id, vector)| (*id, dot(asked, vector).into())),
        )
    }
}

pub fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

pub fn words(text: &str) -> Vec<String> {
    let words = text.split(|character: char| !character.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn in_order<'a>(scored: impl Iterator<Item = (&'a TurnKey, f64)>) -> Vec<TurnKey> {
    let mut scored: Vec<(&TurnKey, f64)> = scored.collect();
    scored.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    scored.into_iter().map(|(id, _)| id.clone()).collect()
}
