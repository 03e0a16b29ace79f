//! The index: every record by its words, its meaning, and what else ranking needs to know of it.

use std::collections::BTreeMap;

use vocabulary::{CapturedTurn, Gem, PersonId, Place, Record, RecordId, SessionId, TurnKey, WallTime};

use crate::RecallFault;
use crate::context::Contexts;
use crate::dates::Day;
use crate::intern::{Interner, NONE};
use crate::neighbours::{Neighbours, Standing};
use crate::postings::SLOTS_MAX;
use crate::scope::Scope;
use crate::shelf::{Entry, Shelf};
use crate::terms::{Count, counted, hash};
use crate::vectors;

/// Gems and turns that can be searched. It holds no text.
#[derive(Debug, Clone, Default)]
pub struct Index {
    pub(crate) scope: Scope,
    pub(crate) sessions: Interner<SessionId>,
    /// What people are called, as sorted hashes of the words of their names.
    pub(crate) names: Interner<Box<[u64]>>,
    pub(crate) days: Interner<Day>,
    /// Turns that are here or that gems cite.
    pub(crate) keys: Interner<TurnKey>,
    /// By key: the slot of the turn, `NONE` while it is not here.
    pub(crate) turn_slots: Vec<u32>,
    pub(crate) slots: BTreeMap<RecordId, u32>,
    pub(crate) turns: Shelf,
    pub(crate) gems: Shelf,
    pub(crate) neighbours: Neighbours,
    pub(crate) contexts: Contexts,
}

impl Index {
    pub fn new() -> Index {
        Index::default()
    }

    /// Takes a record in; one of the same id is replaced whole. Without a vector it is found by its words alone.
    pub fn put(&mut self, record: &Record, vector: Option<&[f32]>) -> Result<(), RecallFault> {
        if let Some(vector) = vector {
            vectors::check(vector, self.dimensions().unwrap_or(0))?;
        }
        self.remove(&record.id());
        let shelf = match record {
            Record::Gem(_) => &self.gems,
            Record::Turn(_) => &self.turns,
        };
        if shelf.slots() >= SLOTS_MAX {
            return Err(RecallFault::Full { records: shelf.live });
        }
        let mut words = counted(record.text());
        let entry = match record {
            Record::Gem(gem) => {
                // Nobody answers a gem: what it asks is what it states.
                words
                    .counts
                    .values_mut()
                    .for_each(|count| *count = count.as_stated());
                self.gem_entry(gem, words.length.as_stated())
            }
            Record::Turn(turn) => self.turn_entry(turn, words.length),
        };
        let slot = self
            .shelf_mut(record)
            .add(record.id(), entry, &words.counts, vector);
        self.slots.insert(record.id(), slot);
        if let Record::Turn(turn) = record {
            self.link(slot, &turn.id);
        }
        Ok(())
    }

    /// Takes a record out; whether it was here.
    pub fn remove(&mut self, id: &RecordId) -> bool {
        let Some(slot) = self.slots.remove(id) else {
            return false;
        };
        match id {
            RecordId::Gem(_) => self.gems.remove(slot),
            RecordId::Turn(key) => {
                self.unlink(slot, key);
                self.turns.remove(slot);
            }
        }
        if self.turns.is_untidy() || self.gems.is_untidy() {
            self.tidy();
        }
        true
    }

    /// How many records are here.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// How long its vectors are; none while it has none.
    pub fn dimensions(&self) -> Option<usize> {
        let dimensions = self
            .turns
            .vectors
            .dimensions()
            .max(self.gems.vectors.dimensions());
        (dimensions > 0).then_some(dimensions)
    }

    /// Forgets what texts mean, for another embedder; records are found by their words until they are put again.
    pub fn clear_vectors(&mut self) {
        self.turns.vectors.clear();
        self.gems.vectors.clear();
        self.contexts.forget_meaning();
    }

    /// About how much memory all of it takes.
    pub fn bytes(&self) -> usize {
        // Two counters before the text, and the allocator's own.
        let text = |length: usize| length + 32;
        let ids = self.slots.keys().map(|id| match id {
            RecordId::Gem(id) => text(id.as_str().len()),
            RecordId::Turn(id) => text(id.as_str().len()),
        });
        let place = |place: &Place| text(place.community.as_str().len()) + text(place.room.as_str().len());
        ids.sum::<usize>()
            + self.slots.len() * (size_of::<RecordId>() + size_of::<u32>()) * 4 / 3
            + self.turns.bytes()
            + self.gems.bytes()
            + self.neighbours.bytes()
            + self.contexts.bytes()
            + self.turn_slots.capacity() * size_of::<u32>()
            + self.scope.places.bytes(place)
            + self.scope.people.bytes(|person| text(person.as_str().len()))
            + self.sessions.bytes(|session| text(session.as_str().len()))
            + self.names.bytes(|name| size_of_val(&**name))
            + self.days.bytes(|_| 0)
            // The text of a key is the same allocation as the id of its turn.
            + self.keys.bytes(|_| 0)
    }

    fn shelf_mut(&mut self, record: &Record) -> &mut Shelf {
        match record {
            Record::Gem(_) => &mut self.gems,
            Record::Turn(_) => &mut self.turns,
        }
    }

    fn turn_entry(&mut self, turn: &CapturedTurn, length: Count) -> Entry {
        Entry {
            session: self.sessions.number(&turn.session),
            number: turn.number,
            turns: Box::new([self.key(&turn.id)]),
            ..self.entry(
                &turn.place,
                Some(&turn.speaker.id),
                &turn.speaker.name,
                turn.at,
                length,
            )
        }
    }

    fn gem_entry(&mut self, gem: &Gem, length: Count) -> Entry {
        let turns = gem.source.turns.iter().map(|turn| self.key(turn)).collect();
        Entry {
            session: self.sessions.number(&gem.source.session_id),
            at: gem.last_seen_at,
            importance: gem.importance.clamp(0.0, 1.0) as f32,
            is_current: gem.is_current(),
            is_ageless: gem.is_ageless(),
            is_pinned: gem.pinned,
            strength: gem.strength,
            turns,
            ..self.entry(
                &gem.place,
                gem.person.as_ref(),
                &gem.person_name,
                gem.valid_from,
                length,
            )
        }
    }

    /// What turns and gems have alike.
    fn entry(
        &mut self,
        place: &Place,
        person: Option<&PersonId>,
        name: &str,
        said: WallTime,
        length: Count,
    ) -> Entry {
        let mut name: Vec<u64> = counted(name).counts.into_keys().collect();
        name.sort_unstable();
        Entry {
            place: self.scope.places.number(place),
            person: person.map_or(NONE, |person| self.scope.people.number(person)),
            name: self.names.number(&name.into()),
            day: self.days.number(&Day::of(said)),
            session: NONE,
            number: 0,
            at: said,
            length,
            importance: 0.0,
            is_current: true,
            is_ageless: false,
            is_pinned: false,
            strength: 1,
            turns: Box::default(),
        }
    }

    fn key(&mut self, turn: &TurnKey) -> u32 {
        let key = self.keys.number(turn);
        self.turn_slots.resize(self.keys.len(), NONE);
        key
    }

    fn link(&mut self, slot: u32, id: &TurnKey) {
        let entry = &self.turns.entries[slot as usize];
        self.turn_slots[entry.turns[0] as usize] = slot;
        self.neighbours.push();
        self.contexts.push();
        let changed = self.neighbours.add(slot, standing(entry), hash(id.as_str()));
        self.contexts.refresh(slot, &self.turns, &self.neighbours);
        for slot in changed {
            self.contexts.refresh(slot, &self.turns, &self.neighbours);
        }
    }

    fn unlink(&mut self, slot: u32, id: &TurnKey) {
        let entry = &self.turns.entries[slot as usize];
        self.turn_slots[entry.turns[0] as usize] = NONE;
        let changed = self.neighbours.remove(slot, standing(entry), hash(id.as_str()));
        for slot in changed {
            self.contexts.refresh(slot, &self.turns, &self.neighbours);
        }
    }
}

fn standing(entry: &Entry) -> Standing {
    Standing {
        session: entry.session,
        place: entry.place,
        number: entry.number,
    }
}
