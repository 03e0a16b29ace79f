//! The records of one kind, by slot: what ranking needs to know of each, its words, and what it means.

use std::collections::BTreeMap;

use vocabulary::{RecordId, WallTime};

use crate::intern::NONE;
use crate::postings::Postings;
use crate::terms::Count;
use crate::vectors::Vectors;

/// What is kept of a record; never its text. Names, places and so on are numbers of an `Interner`.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub place: u32,
    /// By whom or about whom; `NONE` for nobody.
    pub person: u32,
    /// What that person is called.
    pub name: u32,
    /// The day on which it was said.
    pub day: u32,
    pub session: u32,
    pub number: u64,
    /// When it was said last.
    pub at: WallTime,
    /// In words.
    pub length: Count,
    pub importance: f32,
    pub is_current: bool,
    pub is_ageless: bool,
    pub is_pinned: bool,
    pub strength: u32,
    /// Of a turn, its own; of a gem, those it came from.
    pub turns: Box<[u32]>,
}

/// Records of one kind. A slot whose record went has no id, until the shelf is tidied.
#[derive(Debug, Clone, Default)]
pub struct Shelf {
    pub ids: Vec<Option<RecordId>>,
    pub entries: Vec<Entry>,
    pub postings: Postings,
    pub vectors: Vectors,
    pub live: usize,
}

impl Shelf {
    pub fn slots(&self) -> usize {
        self.ids.len()
    }

    /// Takes a record in at the next slot.
    pub fn add(
        &mut self,
        id: RecordId,
        entry: Entry,
        words: &BTreeMap<u64, Count>,
        vector: Option<&[f32]>,
    ) -> u32 {
        let slot = self.slots() as u32;
        self.ids.push(Some(id));
        self.entries.push(entry);
        self.postings.add(slot, words);
        self.vectors.push(vector);
        self.live += 1;
        slot
    }

    /// Takes a record out: what it means goes at once, its words when the shelf is tidied.
    pub fn remove(&mut self, slot: u32) {
        self.ids[slot as usize] = None;
        self.vectors.wipe(slot as usize);
        self.live -= 1;
    }

    /// Whether so many slots are empty that tidying pays.
    pub fn is_untidy(&self) -> bool {
        let empty = self.slots() - self.live;
        empty > 256 && empty * 3 > self.slots()
    }

    /// Closes the gaps; tells which slots were kept, and the new slot of each old one.
    pub fn tidy(&mut self) -> (Vec<u32>, Vec<u32>) {
        let mut kept = Vec::with_capacity(self.live);
        let mut renumbered = vec![NONE; self.slots()];
        for (slot, _) in self.ids.iter().enumerate().filter(|(_, id)| id.is_some()) {
            renumbered[slot] = kept.len() as u32;
            kept.push(slot as u32);
        }
        let mut slots = self.ids.iter().map(Option::is_some);
        self.entries.retain(|_| slots.next().unwrap_or(false));
        self.entries.shrink_to_fit();
        self.ids.retain(Option::is_some);
        self.ids.shrink_to_fit();
        self.postings.renumber(&renumbered);
        self.vectors.keep(&kept);
        (kept, renumbered)
    }

    pub fn bytes(&self) -> usize {
        let turns = self
            .entries
            .iter()
            .map(|entry| entry.turns.len() * size_of::<u32>());
        self.ids.capacity() * size_of::<Option<RecordId>>()
            + self.entries.capacity() * size_of::<Entry>()
            + turns.sum::<usize>()
            + self.postings.bytes()
            + self.vectors.bytes()
    }
}
