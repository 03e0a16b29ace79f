//! The index: every record by its words, its meaning, and what else ranking needs to know of it.

use std::collections::BTreeMap;

use vocabulary::{CapturedTurn, Gem, GemId, PersonId, Place, Record, RecordId, SessionId, TurnKey};

use crate::RecallFault;
use crate::context::Contexts;
use crate::dates::Day;
use crate::growth::make_room;
use crate::intern::{Interner, NONE};
use crate::neighbours::Neighbours;
use crate::postings::PARTS_MAX;
use crate::scope::Scope;
use crate::shelf::{Entry, RecordScope, Shelf};
use crate::terms::{Count, Counted, PARTS_OF_ONE_MAX, counted, hash, parts};
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
    pub(crate) gem_slots: BTreeMap<GemId, u32>,
    pub(crate) turns: Shelf,
    pub(crate) gems: Shelf,
    pub(crate) neighbours: Neighbours,
    pub(crate) turn_contexts: Contexts,
    pub(crate) gem_contexts: Contexts,
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
        if shelf.parts.len() + PARTS_OF_ONE_MAX > PARTS_MAX {
            return Err(RecallFault::Full { records: shelf.live });
        }
        match record {
            Record::Gem(gem) => self.put_gem(gem, vector),
            Record::Turn(turn) => self.put_turn(turn, vector),
        }
        Ok(())
    }

    /// Takes a record out; whether it was here.
    pub fn remove(&mut self, id: &RecordId) -> bool {
        let Some(slot) = self.take_slot(id) else {
            return false;
        };
        match id {
            RecordId::Gem(_) => self.gems.remove(slot),
            RecordId::Turn(key) => {
                self.turns.remove(slot);
                let changed =
                    self.neighbours
                        .remove(slot, self.turns.standing(slot as usize), hash(key.as_str()));
                self.refresh(&changed);
            }
        }
        if self.turns.is_untidy() || self.gems.is_untidy() {
            self.tidy();
        }
        true
    }

    /// How many records are here.
    pub fn len(&self) -> usize {
        self.turns.live + self.gems.live
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        self.turn_contexts.forget_meaning();
    }

    /// About how much memory all of it takes.
    pub fn bytes(&self) -> usize {
        // Two counters before the text, and the allocator's own.
        let text = |length: usize| length + 32;
        let ids = self.turns.ids.iter().chain(&self.gems.ids).flatten();
        let ids = ids.map(|id| match id {
            RecordId::Gem(id) => text(id.as_str().len()),
            RecordId::Turn(id) => text(id.as_str().len()),
        });
        let place = |place: &Place| text(place.community.as_str().len()) + text(place.room.as_str().len());
        ids.sum::<usize>()
            + self.gem_slots.len() * (size_of::<GemId>() + size_of::<u32>()) * 4 / 3
            + self.turns.bytes()
            + self.gems.bytes()
            + self.neighbours.bytes()
            + self.turn_contexts.bytes()
            + self.gem_contexts.bytes()
            + self.turn_slots.capacity() * size_of::<u32>()
            + self.scope.places.bytes(place)
            + self.scope.people.bytes(|person| text(person.as_str().len()))
            + self.sessions.bytes(|session| text(session.as_str().len()))
            + self.names.bytes(|name| size_of_val(&**name))
            + self.days.bytes(|_| 0)
            // The text of a key is the same allocation as the id of its turn.
            + self.keys.bytes(|_| 0)
    }

    fn put_turn(&mut self, turn: &CapturedTurn, vector: Option<&[f32]>) {
        let parts = parts(&turn.text);
        let length = length(&parts);
        let scope = self.record_scope(&turn.place, Some(&turn.speaker.id), true);
        let entry = Entry {
            name: self.name(&turn.speaker.name),
            day: self.days.number(&Day::of(turn.at)),
            session: self.sessions.number(&turn.session),
            number: turn.number,
            at: turn.at,
            length,
            importance: None,
            strength: 1,
            is_ageless: false,
            is_pinned: false,
        };
        let key = self.key(&turn.id);
        let id = RecordId::Turn(turn.id.clone());
        let slot = self.turns.add(id, (scope, entry, vec![key]), &parts, vector);
        self.turn_slots[key as usize] = slot;
        self.turn_contexts.push(length);
        self.neighbours.push();
        let changed = self
            .neighbours
            .add(slot, self.turns.standing(slot as usize), hash(turn.id.as_str()));
        self.turn_contexts.refresh(slot, &self.turns, &self.neighbours);
        self.refresh(&changed);
    }

    fn put_gem(&mut self, gem: &Gem, vector: Option<&[f32]>) {
        // Nobody answers a gem: what it asks is what it states.
        let parts: Vec<Counted> = parts(&gem.content).into_iter().map(Counted::noted).collect();
        let length = length(&parts);
        let scope = self.record_scope(&gem.place, gem.person.as_ref(), gem.is_current());
        let entry = Entry {
            name: self.name(&gem.person_name),
            day: self.days.number(&Day::of(gem.valid_from)),
            session: self.sessions.number(&gem.source.session_id),
            number: 0,
            at: gem.last_seen_at,
            length,
            importance: Some(gem.importance.clamp(0.0, 1.0) as f32),
            strength: gem.strength,
            is_ageless: gem.is_ageless(),
            is_pinned: gem.pinned,
        };
        let turns = gem.source.turns.iter().map(|turn| self.key(turn)).collect();
        let id = RecordId::Gem(gem.gem_id.clone());
        let slot = self.gems.add(id, (scope, entry, turns), &parts, vector);
        self.gem_slots.insert(gem.gem_id.clone(), slot);
        self.gem_contexts.push(length);
    }

    fn record_scope(&mut self, place: &Place, person: Option<&PersonId>, is_current: bool) -> RecordScope {
        RecordScope {
            place: self.scope.places.number(place),
            person: person.map_or(NONE, |person| self.scope.people.number(person)),
            is_current,
        }
    }

    /// The number of what somebody is called; names of the same words are the same.
    fn name(&mut self, name: &str) -> u32 {
        let words: Vec<u64> = counted(name).counts.into_keys().collect();
        self.names.number(&words.into())
    }

    fn key(&mut self, turn: &TurnKey) -> u32 {
        let key = self.keys.number(turn);
        let new = self.keys.len() - self.turn_slots.len();
        make_room(&mut self.turn_slots, new);
        self.turn_slots.resize(self.keys.len(), NONE);
        key
    }

    /// The slot of a record that goes; none if it is not here.
    fn take_slot(&mut self, id: &RecordId) -> Option<u32> {
        match id {
            RecordId::Gem(id) => self.gem_slots.remove(id),
            RecordId::Turn(turn) => {
                let key = self.keys.find(turn)?;
                let slot = std::mem::replace(&mut self.turn_slots[key as usize], NONE);
                (slot != NONE).then_some(slot)
            }
        }
    }

    fn refresh(&mut self, turns: &[u32]) {
        for slot in turns {
            self.turn_contexts.refresh(*slot, &self.turns, &self.neighbours);
        }
    }
}

fn length(parts: &[Counted]) -> Count {
    parts.iter().fold(Count::default(), |sum, part| sum + part.length)
}
