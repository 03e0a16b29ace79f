//! Removing for good.

use std::collections::BTreeSet;

use runtime::ports::{MemoryFault, Removed};
use serde_json::json;
use vocabulary::{Forget, Gem, Record, RecordId, TurnKey};

use super::filter::{self, Filter};
use super::{QdrantGems, point};

const AT_ONCE: usize = 500;

impl QdrantGems {
    pub(super) async fn remove(&self, what: &Forget) -> Result<Removed, MemoryFault> {
        let mut gems: Vec<Gem> = Vec::new();
        let mut turns: BTreeSet<TurnKey> = BTreeSet::new();
        for filter in meant(what) {
            for record in self.all(&filter).await? {
                match record {
                    Record::Gem(gem) => gems.push(*gem),
                    Record::Turn(turn) => {
                        turns.insert(turn.id);
                    }
                }
            }
        }
        if let Forget::Gems(_) = what {
            let sources: Vec<TurnKey> = gems.iter().flat_map(|gem| gem.source.turns.clone()).collect();
            turns.extend(self.those_there(&sources).await?);
        }
        // Turns that are named need not be here for their gems to go.
        let named: &[TurnKey] = match what {
            Forget::Turns(turns) => turns,
            _ => &[],
        };
        let gone: BTreeSet<TurnKey> = turns.iter().chain(named).cloned().collect();
        let citing = self.citing(&gone.iter().cloned().collect::<Vec<_>>()).await?;
        let of_nothing_else = |gem: &Gem| gem.source.turns.iter().all(|turn| gone.contains(turn));
        gems.extend(citing.into_iter().filter(of_nothing_else));
        let gems: BTreeSet<_> = gems.into_iter().map(|gem| gem.gem_id).collect();

        // Gems first: should it end in between, asking again finds the turns and removes the rest.
        let mut points: Vec<RecordId> = gems.iter().cloned().map(RecordId::Gem).collect();
        points.extend(turns.iter().cloned().map(RecordId::Turn));
        for some in points.chunks(AT_ONCE) {
            let ids: Vec<String> = some.iter().map(point::id).collect();
            self.ask(
                "forgetting records in Qdrant",
                "points/delete?wait=true",
                &json!({"points": ids}),
            )
            .await?;
        }
        Ok(Removed {
            gems: gems.into_iter().collect(),
            turns: turns.into_iter().collect(),
        })
    }

    /// Gems that cite any of these turns.
    pub(super) async fn citing(&self, turns: &[TurnKey]) -> Result<Vec<Gem>, MemoryFault> {
        let mut citing = Vec::new();
        let mut known = BTreeSet::new();
        for some in turns.chunks(AT_ONCE) {
            let any = filter::any("turns", some.iter().map(TurnKey::as_str));
            for record in self.all(&Filter::gems().and(any)).await? {
                if let Record::Gem(gem) = record
                    && known.insert(gem.gem_id.clone())
                {
                    citing.push(*gem);
                }
            }
        }
        Ok(citing)
    }

    async fn those_there(&self, turns: &[TurnKey]) -> Result<Vec<TurnKey>, MemoryFault> {
        let mut there = Vec::new();
        for some in turns.chunks(AT_ONCE) {
            let ids: Vec<RecordId> = some.iter().cloned().map(RecordId::Turn).collect();
            for record in self.all(&Filter::turns().and(filter::has_ids(&ids))).await? {
                if let Record::Turn(turn) = record {
                    there.push(turn.id);
                }
            }
        }
        Ok(there)
    }
}

/// Which points are meant in so many words.
fn meant(what: &Forget) -> Vec<Filter> {
    let named = |ids: Vec<RecordId>| -> Vec<Filter> {
        let chunks = ids.chunks(AT_ONCE);
        chunks
            .map(|some| Filter::records().and(filter::has_ids(some)))
            .collect()
    };
    match what {
        Forget::Gems(gems) => named(gems.iter().cloned().map(RecordId::Gem).collect()),
        Forget::Turns(turns) => named(turns.iter().cloned().map(RecordId::Turn).collect()),
        Forget::Session(session) => vec![Filter::records().and(filter::is("session", session.as_str()))],
        Forget::Room { community, room } => vec![
            Filter::records()
                .and(filter::is("community", community.as_str()))
                .and(filter::is("room", room.as_str())),
        ],
        Forget::Person {
            person, community, ..
        } => {
            let there = community.as_ref().map(|it| filter::is("community", it.as_str()));
            vec![
                Filter::records()
                    .and(filter::is("person", person.as_str()))
                    .and_some(there),
            ]
        }
    }
}
