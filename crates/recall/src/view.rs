//! The records of one kind as one viewpoint sees them. Whatever is out of view is not counted, not compared and not named:
//! scores in view are those of an index that holds nothing else.

use crate::context::Contexts;
use crate::intern::NONE;
use crate::neighbours::Neighbours;
use crate::scope::Visibility;
use crate::shelf::{RecordScope, Shelf};

/// A shelf, and which of it is in view.
#[derive(Debug)]
pub struct View<'a> {
    pub shelf: &'a Shelf,
    pub contexts: &'a Contexts,
    /// Who stands next to whom; gems stand alone.
    neighbours: Option<&'a Neighbours>,
    sight: &'a Visibility,
    /// By slot.
    pub sees: Vec<bool>,
    /// How many are in view.
    pub count: usize,
}

impl<'a> View<'a> {
    pub fn new(
        shelf: &'a Shelf,
        contexts: &'a Contexts,
        neighbours: Option<&'a Neighbours>,
        sight: &'a Visibility,
        admits: impl Fn(&RecordScope) -> bool,
    ) -> View<'a> {
        let records = shelf.ids.iter().zip(&shelf.scopes);
        let sees: Vec<bool> = records
            .map(|(id, scope)| id.is_some() && sight.sees(scope.place, scope.person) && admits(scope))
            .collect();
        let count = sees.iter().filter(|sees| **sees).count();
        View {
            shelf,
            contexts,
            neighbours,
            sight,
            sees,
            count,
        }
    }

    /// The slots in view.
    pub fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        let slots = self.sees.iter().enumerate();
        slots.filter(|(_, sees)| **sees).map(|(slot, _)| slot)
    }

    /// Whether records have surroundings at all.
    pub fn has_surroundings(&self) -> bool {
        self.neighbours.is_some()
    }

    /// What counts for a record, by distance, as far as it is in view.
    pub fn members(&self, slot: usize) -> [u32; 5] {
        let Some(neighbours) = self.neighbours else {
            return [NONE, NONE, slot as u32, NONE, NONE];
        };
        let [before_last, before, after, after_next] = if self.sees_all_around(slot) {
            *neighbours.around(slot as u32)
        } else {
            neighbours.find(slot as u32, self.shelf.standing(slot), |near| {
                self.sees[near as usize]
            })
        };
        [before_last, before, slot as u32, after, after_next]
    }

    /// How long what stands around a record is.
    pub fn length_around(&self, slot: usize) -> u32 {
        if self.sees_all_around(slot) {
            self.contexts.length(slot)
        } else {
            self.contexts.length_of(self.shelf, self.members(slot))
        }
    }

    /// How long the sum of the meanings of a record and its surroundings is.
    pub fn norm(&self, slot: usize) -> f32 {
        if self.sees_all_around(slot) {
            self.contexts.norm(slot)
        } else {
            self.contexts.norm_of(self.shelf, self.members(slot))
        }
    }

    /// Neighbours are of the same place: where all of a place is in view, all of them are.
    fn sees_all_around(&self, slot: usize) -> bool {
        self.neighbours.is_none() || self.sight.is_open(self.shelf.scopes[slot].place)
    }
}
