//! The records of one kind, by slot: what ranking needs to know of each, its words, and what it means.
//! What every search reads of every record stands in lists of its own, since reading is most of what a search does.

use vocabulary::{RecordId, WallTime};

use crate::citations::Citations;
use crate::growth::push;
use crate::intern::NONE;
use crate::neighbours::Standing;
use crate::parts::Parts;
use crate::postings::Postings;
use crate::terms::{Count, Counted};
use crate::vectors::Vectors;
use crate::weights::FIRST_PERSON_WORD;

/// Records of one kind. A slot whose record went has no id, until the shelf is tidied.
#[derive(Debug, Clone, Default)]
pub struct Shelf {
    pub ids: Vec<Option<RecordId>>,
    pub scopes: Vec<RecordScope>,
    pub entries: Vec<Entry>,
    /// Of a turn, itself; of a gem, the turns it came from.
    pub turns: Citations,
    pub parts: Parts,
    pub postings: Postings,
    pub vectors: Vectors,
    pub live: usize,
}

/// Whether a record is in view depends on this alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordScope {
    pub place: u32,
    /// By whom or about whom; `NONE` for nobody.
    pub person: u32,
    /// Whether it still holds.
    pub is_current: bool,
}

/// What else is kept of a record; never its text. Names, days and sessions are numbers of an `Interner`.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What the person is called.
    pub name: u32,
    /// The day on which it was said.
    pub day: u32,
    pub session: u32,
    /// Its place in the session.
    pub number: u64,
    /// When it was said last.
    pub at: WallTime,
    /// In words.
    pub length: Count,
    /// 0 to 1; of gems only.
    pub importance: Option<f32>,
    /// How often it was said.
    pub strength: u32,
    pub is_ageless: bool,
    pub is_pinned: bool,
}

impl Shelf {
    pub fn slots(&self) -> usize {
        self.ids.len()
    }

    /// Where a record stands in its conversation.
    pub fn standing(&self, slot: usize) -> Standing {
        Standing {
            session: self.entries[slot].session,
            place: self.scopes[slot].place,
            number: self.entries[slot].number,
        }
    }

    /// Takes a record in at the next slot.
    pub fn add(
        &mut self,
        id: RecordId,
        (scope, entry, turns): (RecordScope, Entry, Vec<u32>),
        parts: &[Counted],
        vector: Option<&[f32]>,
    ) -> u32 {
        let slot = self.slots() as u32;
        push(&mut self.ids, Some(id));
        push(&mut self.scopes, scope);
        push(&mut self.entries, entry);
        self.turns.push(&turns);
        for (part, words) in (self.parts.len() as u32..).zip(parts) {
            self.postings.add(part, &words.counts);
            let first_person = (words.first_person > 0).then(|| {
                let count = Count {
                    stated: words.first_person,
                    asked: 0,
                };
                (FIRST_PERSON_WORD, count)
            });
            self.postings.add(part, &first_person.into_iter().collect());
        }
        self.parts.push(parts.iter().map(|words| words.length));
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
        self.ids = kept.iter().map(|slot| self.ids[*slot as usize].take()).collect();
        self.scopes = kept.iter().map(|slot| self.scopes[*slot as usize]).collect();
        self.entries = kept
            .iter()
            .map(|slot| self.entries[*slot as usize].clone())
            .collect();
        self.turns.keep(&kept);
        let parts = self.parts.keep(&kept);
        self.postings.renumber(&parts);
        self.vectors.keep(&kept);
        (kept, renumbered)
    }

    pub fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<Option<RecordId>>()
            + self.scopes.capacity() * size_of::<RecordScope>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.turns.bytes()
            + self.parts.bytes()
            + self.postings.bytes()
            + self.vectors.bytes()
    }
}
