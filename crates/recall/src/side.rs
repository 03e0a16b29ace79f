//! The records of one kind, with how well each fits the search by itself.

use crate::Index;
use crate::fuse::{Grounds, fit};
use crate::intern::NONE;
use crate::lexical::Lexical;
use crate::meaning::Meaning;
use crate::query::Query;
use crate::view::View;

/// Turns or gems, scored.
pub struct Side<'a> {
    pub view: View<'a>,
    pub lexical: Lexical,
    pub meaning: Meaning,
    /// By slot: what speaks for a record by itself.
    pub fits: Vec<f64>,
    /// By slot: the best fit of the gems that lead to it; 0 where none does.
    pub keys: Vec<f64>,
}

impl<'a> Side<'a> {
    pub fn new(view: View<'a>, lexical: Lexical, meaning: Meaning) -> Side<'a> {
        let mut fits = vec![0.0; view.sees.len()];
        for slot in view.slots() {
            fits[slot] = fit(lexical.scores[slot], meaning.closeness(slot));
        }
        Side {
            keys: vec![0.0; view.sees.len()],
            view,
            lexical,
            meaning,
            fits,
        }
    }

    /// What the fit of a record rests on.
    pub fn grounds(&self, query: &Query, slot: usize) -> Grounds {
        let (own, first_person) = self.lexical.own(&self.view, query, slot);
        Grounds {
            covered: self.lexical.scores[slot],
            own,
            first_person,
            closeness: self.meaning.closeness(slot),
            rare_words: self.lexical.rare_words,
            parts_seen: self.lexical.parts_seen,
        }
    }

    /// Lets gems speak for the turns they came from.
    pub fn lift(&mut self, index: &Index, gems: &Side<'_>) {
        gems.leads(index, |turn, gem| {
            self.keys[turn] = self.keys[turn].max(gems.fits[gem])
        });
    }

    /// Tells the slots of turns, and of the gems in view that lead to them and fit.
    pub fn leads(&self, index: &Index, mut tell: impl FnMut(usize, usize)) {
        for gem in self.view.slots().filter(|gem| self.fits[*gem] > 0.0) {
            for turn in self.view.shelf.turns.of(gem) {
                let slot = index.turn_slots[*turn as usize];
                if slot != NONE {
                    tell(slot as usize, gem);
                }
            }
        }
    }
}
