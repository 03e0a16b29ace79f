//! The records of one kind as one viewpoint sees them. Whatever is out of view is not counted, not compared and not named:
//! scores in view are those of an index that holds nothing else.

use crate::context::{self, Contexts};
use crate::intern::NONE;
use crate::neighbours::Neighbours;
use crate::scope::Sight;
use crate::shelf::{Entry, Shelf};

/// A shelf, and which of it is in view.
#[derive(Debug)]
pub struct View<'a> {
    pub shelf: &'a Shelf,
    /// By slot.
    pub sees: Vec<bool>,
    /// How many are in view.
    pub count: usize,
    conversation: Option<Conversation<'a>>,
    sight: &'a Sight,
}

/// Who stands next to whom; gems stand alone.
#[derive(Debug, Clone, Copy)]
pub struct Conversation<'a> {
    pub neighbours: &'a Neighbours,
    pub contexts: &'a Contexts,
}

impl<'a> View<'a> {
    pub fn new(
        shelf: &'a Shelf,
        conversation: Option<Conversation<'a>>,
        sight: &'a Sight,
        admits: impl Fn(&Entry) -> bool,
    ) -> View<'a> {
        let records = shelf.ids.iter().zip(&shelf.entries);
        let sees: Vec<bool> = records
            .map(|(id, entry)| id.is_some() && sight.sees(entry.place, entry.person) && admits(entry))
            .collect();
        let count = sees.iter().filter(|sees| **sees).count();
        View {
            shelf,
            sees,
            count,
            conversation,
            sight,
        }
    }

    /// The slots in view.
    pub fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        let slots = self.sees.iter().enumerate();
        slots.filter(|(_, sees)| **sees).map(|(slot, _)| slot)
    }

    /// What counts for a record, by distance, as far as it is in view.
    pub fn members(&self, slot: usize) -> [u32; 5] {
        let Some(conversation) = self.conversation else {
            return [NONE, NONE, slot as u32, NONE, NONE];
        };
        let members = context::members(slot as u32, conversation.neighbours);
        members.map(|member| match member {
            NONE => NONE,
            member if self.sees[member as usize] => member,
            _ => NONE,
        })
    }

    /// How long a record is with its surroundings, in hundredths of a word.
    pub fn length(&self, slot: usize) -> u32 {
        match self.conversation {
            // Neighbours are of the same place, so all of them are in view with it.
            Some(conversation) if self.is_open(slot) => conversation.contexts.length(slot),
            _ => context::length(self.shelf, self.members(slot)),
        }
    }

    /// How long the sum of the meanings of a record and its surroundings is.
    pub fn norm(&self, slot: usize) -> f32 {
        match self.conversation {
            Some(conversation) if self.is_open(slot) => conversation.contexts.norm(slot),
            Some(_) => context::norm(self.shelf, self.members(slot)),
            None => 1.0,
        }
    }

    fn is_open(&self, slot: usize) -> bool {
        self.sight.is_open(self.shelf.entries[slot].place)
    }
}
