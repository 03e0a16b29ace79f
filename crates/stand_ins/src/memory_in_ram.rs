//! Memory that a test holds in its hand: both ports over plain lists, found by the words that two texts share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use vocabulary::{
    CapturedTurn, Forget, Found, Gem, GemId, Kinds, PersonId, Place, Record, RecordId, Search, SessionId,
    TurnKey, WallTime,
};

use super::memory_scores::scored;
use runtime::ports::{
    Embedded, EmbedderIdentity, GemStore, Listing, MemoryFault, Page, Removed, StoreStats, WhoseTurns,
};

/// Gems, turns and what waits, until it is dropped. Cheap to clone; clones share what they hold.
#[derive(Clone, Debug, Default)]
pub struct MemoryInRam(Arc<Mutex<Held>>);

#[derive(Debug, Default)]
pub(super) struct Held {
    gems: BTreeMap<GemId, Gem>,
    pub turns: BTreeMap<TurnKey, CapturedTurn>,
    embedded: BTreeSet<RecordId>,
    embedder: Option<EmbedderIdentity>,
    pub waiting: Vec<CapturedTurn>,
    pub held: Vec<CapturedTurn>,
    store_away: bool,
    forgets_badly: bool,
    refuses_to_forget: bool,
    buffer_away: bool,
}

impl MemoryInRam {
    /// From now on nothing answers, as when a server is down; or all is well again.
    pub fn cut_off(&self, away: bool) {
        let mut held = self.lock();
        held.store_away = away;
        held.buffer_away = away;
    }

    /// The same of the store alone: what waits can still be put in.
    pub fn cut_off_store(&self, away: bool) {
        self.lock().store_away = away;
    }

    /// From now on the store forgets and says that it failed, as one whose answer is lost.
    pub fn forget_badly(&self, badly: bool) {
        self.lock().forgets_badly = badly;
    }

    /// From now on the store forgets nothing, and says so.
    pub fn refuse_to_forget(&self, refuses: bool) {
        self.lock().refuses_to_forget = refuses;
    }

    /// What waits in the buffer, oldest first.
    pub fn waiting(&self) -> Vec<CapturedTurn> {
        self.lock().waiting.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reached(&self) -> Result<MutexGuard<'_, Held>, MemoryFault> {
        let held = self.lock();
        if held.store_away { Err(away()) } else { Ok(held) }
    }

    pub(super) fn buffer_reached(&self) -> Result<MutexGuard<'_, Held>, MemoryFault> {
        let held = self.lock();
        if held.buffer_away { Err(away()) } else { Ok(held) }
    }
}

fn away() -> MemoryFault {
    MemoryFault::Unreachable {
        what: "the test's memory",
        place: "http://127.0.0.1:6333".to_owned(),
        detail: "connection refused".to_owned(),
        remedy: "Start it, or set memory.store.gems to embedded".to_owned(),
    }
}

#[async_trait]
impl GemStore for MemoryInRam {
    fn describe(&self) -> String {
        "in this test's memory".to_owned()
    }

    async fn embedder(&self) -> Result<Option<EmbedderIdentity>, MemoryFault> {
        Ok(self.reached()?.embedder.clone())
    }

    async fn set_embedder(&self, embedder: &EmbedderIdentity, anew: bool) -> Result<(), MemoryFault> {
        let mut held = self.reached()?;
        match &held.embedder {
            Some(stored) if stored != embedder && !anew => {
                return Err(MemoryFault::OtherEmbedder {
                    stored: stored.name.clone(),
                    stored_dimensions: stored.dimensions,
                    wanted: embedder.name.clone(),
                    wanted_dimensions: embedder.dimensions,
                });
            }
            _ => {}
        }
        if anew {
            held.embedded.clear();
        }
        held.embedder = Some(embedder.clone());
        Ok(())
    }

    async fn put(&self, records: Vec<Embedded>) -> Result<(), MemoryFault> {
        let mut held = self.reached()?;
        for Embedded { record, vector } in records {
            let id = record.id();
            if vector.is_empty() {
                held.embedded.remove(&id);
            } else {
                held.embedded.insert(id);
            }
            match record {
                Record::Gem(gem) => {
                    held.gems.insert(gem.gem_id.clone(), *gem);
                }
                Record::Turn(turn) => {
                    held.turns.insert(turn.id.clone(), turn);
                }
            }
        }
        Ok(())
    }

    async fn get(&self, ids: &[RecordId]) -> Result<Vec<Record>, MemoryFault> {
        let held = self.reached()?;
        let found = ids.iter().filter_map(|id| match id {
            RecordId::Gem(id) => held.gems.get(id).map(|gem| Record::Gem(Box::new(gem.clone()))),
            RecordId::Turn(id) => held.turns.get(id).map(|turn| Record::Turn(turn.clone())),
        });
        Ok(found.collect())
    }

    async fn search(&self, search: &Search) -> Result<Vec<Found>, MemoryFault> {
        let held = self.reached()?;
        let gems = held.gems.values().filter(|gem| {
            search.kinds != Kinds::Turns
                && (search.superseded || gem.is_current())
                && search.view.sees(&gem.place, gem.person.as_ref())
                && (search.person.is_none() || gem.person == search.person)
        });
        let turns = held.turns.values().filter(|turn| {
            search.kinds != Kinds::Gems
                && !search.exclude.contains(&turn.id)
                && search.view.sees(&turn.place, Some(&turn.speaker.id))
                && search
                    .person
                    .as_ref()
                    .is_none_or(|person| turn.speaker.id == *person)
        });
        let gems = gems.map(|gem| Record::Gem(Box::new(gem.clone())));
        let records = gems.chain(turns.map(|turn| Record::Turn(turn.clone())));
        let mut found: Vec<Found> = records
            .filter_map(|record| scored(record, &search.words))
            .collect();
        found.sort_by(|a, b| b.scores.total.total_cmp(&a.scores.total));
        found.truncate(search.limit);
        Ok(found)
    }

    async fn gems(&self, listing: &Listing) -> Result<Page<Gem>, MemoryFault> {
        let held = self.reached()?;
        let fits = |gem: &&Gem| {
            is_listed(listing, &gem.place, &gem.source.session_id, gem.person.as_ref())
                && (!listing.current_only || gem.is_current())
                && (!listing.ageless_only || gem.is_ageless())
        };
        let gems = held.gems.values().filter(fits).cloned();
        Ok(page(gems, listing, |gem| {
            (gem.created_at, gem.gem_id.to_string())
        }))
    }

    async fn turns(&self, listing: &Listing) -> Result<Page<CapturedTurn>, MemoryFault> {
        let held = self.reached()?;
        let fits =
            |turn: &&CapturedTurn| is_listed(listing, &turn.place, &turn.session, Some(&turn.speaker.id));
        let turns = held.turns.values().filter(fits).cloned();
        Ok(page(turns, listing, |turn| (turn.at, turn.id.to_string())))
    }

    async fn history(
        &self,
        session: &SessionId,
        before: u64,
        max_chars: usize,
    ) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let held = self.reached()?;
        let of_session = held.turns.values().filter(|turn| turn.session == *session);
        let mut turns: Vec<CapturedTurn> = of_session.filter(|turn| turn.number < before).cloned().collect();
        turns.sort_by_key(|turn| turn.number);
        let mut chars: usize = turns.iter().map(|turn| turn.text.chars().count()).sum();
        while chars > max_chars && !turns.is_empty() {
            chars -= turns.remove(0).text.chars().count();
        }
        Ok(turns)
    }

    async fn last_number(&self, session: &SessionId) -> Result<u64, MemoryFault> {
        let held = self.reached()?;
        let of_session = held.turns.values().filter(|turn| turn.session == *session);
        Ok(of_session.map(|turn| turn.number).max().unwrap_or(0))
    }

    async fn gems_of(&self, turns: &[TurnKey]) -> Result<Vec<Gem>, MemoryFault> {
        let held = self.reached()?;
        let cites = |gem: &&Gem| gem.source.turns.iter().any(|turn| turns.contains(turn));
        Ok(held.gems.values().filter(cites).cloned().collect())
    }

    async fn unembedded(&self, limit: usize) -> Result<Vec<Record>, MemoryFault> {
        let held = self.reached()?;
        let gems = held.gems.values().map(|gem| Record::Gem(Box::new(gem.clone())));
        let all = gems.chain(held.turns.values().cloned().map(Record::Turn));
        Ok(all
            .filter(|record| !held.embedded.contains(&record.id()))
            .take(limit)
            .collect())
    }

    async fn forget(&self, what: &Forget) -> Result<Removed, MemoryFault> {
        let mut held = self.reached()?;
        if held.refuses_to_forget {
            return Err(away());
        }
        let turns: BTreeSet<TurnKey> = held.turns_to_forget(what);
        let gems: Vec<GemId> = held.gems_to_forget(what, &turns);
        for turn in &turns {
            held.turns.remove(turn);
        }
        for gem in &gems {
            held.gems.remove(gem);
        }
        if held.forgets_badly {
            return Err(away());
        }
        Ok(Removed {
            gems,
            turns: turns.into_iter().collect(),
        })
    }

    async fn stats(&self, whose: &WhoseTurns) -> Result<StoreStats, MemoryFault> {
        let held = self.reached()?;
        let theirs = |place: &Place| whose.covers(&place.community);
        let gems = || held.gems.values().filter(|gem| theirs(&gem.place));
        Ok(StoreStats {
            gems: gems().count(),
            superseded: gems().filter(|gem| !gem.is_current()).count(),
            turns: held.turns.values().filter(|turn| theirs(&turn.place)).count(),
            disk_bytes: None,
            memory_bytes: None,
        })
    }
}

impl Held {
    fn turns_to_forget(&self, what: &Forget) -> BTreeSet<TurnKey> {
        let keys = |fits: &dyn Fn(&CapturedTurn) -> bool| {
            let fitting = self.turns.values().filter(|turn| fits(turn));
            fitting.map(|turn| turn.id.clone()).collect()
        };
        match what {
            Forget::Gems(gems) => {
                let of = gems.iter().filter_map(|gem| self.gems.get(gem));
                of.flat_map(|gem| gem.source.turns.iter().cloned()).collect()
            }
            Forget::Turns(turns) => keys(&|turn| turns.contains(&turn.id)),
            other => keys(&|turn| is_to_forget(other, turn)),
        }
    }

    fn gems_to_forget(&self, what: &Forget, turns: &BTreeSet<TurnKey>) -> Vec<GemId> {
        let goes = |gem: &&Gem| {
            let only_from_these =
                !gem.source.turns.is_empty() && gem.source.turns.iter().all(|turn| turns.contains(turn));
            only_from_these
                || match what {
                    Forget::Gems(gems) => gems.contains(&gem.gem_id),
                    Forget::Turns(_) => false,
                    Forget::Session(session) => gem.source.session_id == *session,
                    Forget::Community(community) => gem.place.community == *community,
                    Forget::Room { community, room } => {
                        gem.place.community == *community && gem.place.room == *room
                    }
                    Forget::Person {
                        person, community, ..
                    } => {
                        gem.person.as_ref() == Some(person)
                            && community
                                .as_ref()
                                .is_none_or(|community| gem.place.community == *community)
                    }
                }
        };
        self.gems
            .values()
            .filter(goes)
            .map(|gem| gem.gem_id.clone())
            .collect()
    }
}

pub(super) fn is_to_forget(what: &Forget, turn: &CapturedTurn) -> bool {
    match what {
        Forget::Person {
            person, community, ..
        } => {
            turn.speaker.id == *person
                && community
                    .as_ref()
                    .is_none_or(|community| turn.place.community == *community)
        }
        Forget::Gems(_) => false,
        Forget::Turns(turns) => turns.contains(&turn.id),
        Forget::Session(session) => turn.session == *session,
        Forget::Community(community) => turn.place.community == *community,
        Forget::Room { community, room } => turn.place.community == *community && turn.place.room == *room,
    }
}

fn is_listed(listing: &Listing, place: &Place, session: &SessionId, person: Option<&PersonId>) -> bool {
    listing
        .community
        .as_ref()
        .is_none_or(|wanted| place.community == *wanted)
        && listing.room.as_ref().is_none_or(|wanted| place.room == *wanted)
        && listing.session.as_ref().is_none_or(|wanted| session == wanted)
        && listing
            .person
            .as_ref()
            .is_none_or(|wanted| person == Some(wanted))
}

/// Newest first, from behind the last record of the page before.
fn page<T>(
    items: impl Iterator<Item = T>,
    listing: &Listing,
    place: impl Fn(&T) -> (WallTime, String),
) -> Page<T> {
    let cursor = |item: &T| {
        let (at, id) = place(item);
        format!("{:020}:{id}", at.0)
    };
    let mut items: Vec<T> = items
        .filter(|item| listing.after.as_ref().is_none_or(|after| cursor(item) < *after))
        .collect();
    items.sort_by_key(|item| std::cmp::Reverse(cursor(item)));
    let more = items.len() > listing.limit;
    items.truncate(listing.limit);
    let next = items.last().filter(|_| more).map(cursor);
    Page { items, next }
}
