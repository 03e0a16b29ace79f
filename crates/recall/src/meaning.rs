//! How close records are to a search in meaning, with what stands around them.

use std::collections::BTreeMap;

use vocabulary::RecordId;

use crate::intern::NONE;
use crate::mean::mean;
use crate::vectors::QueryVector;
use crate::view::View;
use crate::weights::{FIRST_USUAL, FIRST_USUAL_COUNTS, USUAL_COSINE};

/// Closeness by slot.
#[derive(Debug)]
pub struct Meaning {
    /// Cosines; NaN where nothing is known.
    cosines: Vec<f32>,
    /// What is usual among those that are known.
    usual: f64,
}

impl Meaning {
    pub fn new(view: &View<'_>, query: Option<&QueryVector>) -> Meaning {
        let mut own = vec![f32::NAN; view.sees.len()];
        if let Some(query) = query.filter(|_| view.shelf.vectors.dimensions() > 0) {
            for slot in view.slots().filter(|slot| view.shelf.vectors.has(*slot)) {
                own[slot] = view.shelf.vectors.compare(slot, query);
            }
        }
        let cosines = with_surroundings(view, own, |slot, _| view.norm(slot));
        let known = cosines.iter().filter(|cosine| cosine.is_finite());
        let usual = usual_of(
            mean(known.clone().map(|cosine| f64::from(*cosine))),
            known.count(),
        );
        Meaning { cosines, usual }
    }

    /// From cosines that a store has told. How alike neighbours are is not known then, and taken to be as usual.
    pub fn given(view: &View<'_>, cosines: &BTreeMap<RecordId, f32>) -> Meaning {
        let ids = view.shelf.ids.iter().zip(&view.sees);
        let own = ids.map(|(id, sees)| {
            let cosine = id.as_ref().filter(|_| *sees).and_then(|id| cosines.get(id));
            cosine.copied().unwrap_or(f32::NAN)
        });
        let cosines = with_surroundings(view, own.collect(), |_, shares| usual_norm(shares));
        let mut known: Vec<f32> = cosines
            .iter()
            .copied()
            .filter(|cosine| cosine.is_finite())
            .collect();
        known.sort_by(f32::total_cmp);
        // Candidates are the closest of many: the lower ones among them are nearest to what is usual.
        let usual = known.get(known.len() / 4).copied().unwrap_or(0.0);
        Meaning {
            cosines,
            usual: usual.into(),
        }
    }

    /// The cosine, if anything is known.
    pub fn cosine(&self, slot: usize) -> Option<f64> {
        let cosine = self.cosines[slot];
        cosine.is_finite().then_some(f64::from(cosine))
    }

    /// How much closer a record is than the usual, of all that it could be: 1 for the very same, 0 for the usual and where
    /// nothing is known.
    pub fn closeness(&self, slot: usize) -> f64 {
        let room = (1.0 - self.usual).max(f64::EPSILON);
        self.cosine(slot)
            .map_or(0.0, |cosine| (cosine - self.usual) / room)
    }
}

/// Cosines of records together with their surroundings.
fn with_surroundings(view: &View<'_>, own: Vec<f32>, norm: impl Fn(usize, &[f32; 5]) -> f32) -> Vec<f32> {
    if !view.has_surroundings() {
        return own;
    }
    let mut cosines = vec![f32::NAN; own.len()];
    for slot in view.slots() {
        let (sum, shares) = weighted(view, slot, &own);
        cosines[slot] = sum / norm(slot, &shares);
    }
    cosines
}

/// The sum of the cosines of a record and its surroundings, each by its share, and the shares; NaN where nothing is known.
fn weighted(view: &View<'_>, slot: usize, own: &[f32]) -> (f32, [f32; 5]) {
    let mut shares = [0.0; 5];
    let mut sum = 0.0;
    let mut is_known = false;
    for (distance, member) in view.members(slot).into_iter().enumerate() {
        if member != NONE && !own[member as usize].is_nan() {
            shares[distance] = view.contexts.share(distance, member as usize);
            sum += shares[distance] * own[member as usize];
            is_known = true;
        }
    }
    (if is_known { sum } else { f32::NAN }, shares)
}

fn usual_norm(shares: &[f32; 5]) -> f32 {
    let sum: f32 = shares.iter().sum();
    let squares: f32 = shares.iter().map(|share| share * share).sum();
    (squares + USUAL_COSINE * (sum * sum - squares)).sqrt()
}

/// What is usual, given the mean of so many. Few records say little about it: a lone one would be as usual as can be,
/// however well it fits.
pub fn usual_of(mean: f64, count: usize) -> f64 {
    let count = count as f64;
    (mean * count + FIRST_USUAL * FIRST_USUAL_COUNTS) / (count + FIRST_USUAL_COUNTS)
}
