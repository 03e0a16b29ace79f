//! How close records are to a search in meaning, with what stands around them.

use std::collections::BTreeMap;

use vocabulary::RecordId;

use crate::context::share;
use crate::intern::NONE;
use crate::spread::Spread;
use crate::vectors::QueryVector;
use crate::view::View;
use crate::weights::USUAL_COSINE;

/// Closeness by slot.
#[derive(Debug)]
pub struct Meaning {
    /// Cosines; NaN where nothing is known.
    cosines: Vec<f32>,
    spread: Spread,
}

impl Meaning {
    pub fn new(view: &View<'_>, query: Option<&QueryVector>) -> Meaning {
        let mut own = vec![f32::NAN; view.sees.len()];
        if let Some(query) = query.filter(|_| view.shelf.vectors.dimensions() > 0) {
            for slot in view.slots().filter(|slot| view.shelf.vectors.has(*slot)) {
                own[slot] = view.shelf.vectors.compare(slot, query);
            }
        }
        Meaning::with_surroundings(view, &own, |slot| view.norm(slot))
    }

    /// From cosines that a store has told. How alike neighbours are is not known then, and taken to be as usual.
    pub fn given(view: &View<'_>, cosines: &BTreeMap<RecordId, f32>) -> Meaning {
        let ids = view.shelf.ids.iter().zip(&view.sees);
        let own: Vec<f32> = ids
            .map(|(id, sees)| {
                let cosine = id.as_ref().filter(|_| *sees).and_then(|id| cosines.get(id));
                cosine.copied().unwrap_or(f32::NAN)
            })
            .collect();
        Meaning::with_surroundings(view, &own, |slot| usual_norm(view, slot, &own))
    }

    fn with_surroundings(view: &View<'_>, own: &[f32], norm: impl Fn(usize) -> f32) -> Meaning {
        let mut cosines = vec![f32::NAN; own.len()];
        let mut spread = Spread::default();
        for slot in view.slots() {
            cosines[slot] = weighted(view, slot, own) / norm(slot);
            if cosines[slot].is_finite() {
                spread.add(f64::from(cosines[slot]));
            }
        }
        Meaning { cosines, spread }
    }

    /// The cosine, if anything is known.
    pub fn cosine(&self, slot: usize) -> Option<f64> {
        let cosine = self.cosines[slot];
        cosine.is_finite().then_some(f64::from(cosine))
    }

    /// By how many standard deviations a record is closer than most; 0 where nothing is known.
    pub fn standing(&self, slot: usize) -> f64 {
        self.cosine(slot)
            .map_or(0.0, |cosine| self.spread.standing(cosine))
    }
}

/// The sum of the cosines of a record and its surroundings, each by its share; NaN where nothing is known.
fn weighted(view: &View<'_>, slot: usize, own: &[f32]) -> f32 {
    let parts = shares(view, slot, own).map(|(share, member)| share * own[member]);
    parts.reduce(|sum, part| sum + part).unwrap_or(f32::NAN)
}

fn usual_norm(view: &View<'_>, slot: usize, own: &[f32]) -> f32 {
    let (mut sum, mut squares) = (0.0, 0.0);
    for (share, _) in shares(view, slot, own) {
        sum += share;
        squares += share * share;
    }
    let pairs = sum * sum - squares;
    (squares + USUAL_COSINE * pairs).sqrt()
}

fn shares<'a>(view: &'a View<'_>, slot: usize, own: &'a [f32]) -> impl Iterator<Item = (f32, usize)> + 'a {
    let members = view.members(slot).into_iter().enumerate();
    let known = members.filter(|(_, member)| *member != NONE && !own[*member as usize].is_nan());
    known.map(|(distance, member)| {
        let member = member as usize;
        (share(distance, &view.shelf.entries[member]), member)
    })
}
