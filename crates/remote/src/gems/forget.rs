//! Removing for good.

use std::collections::BTreeSet;

use runtime::ports::{MemoryFault, Removed};
use serde_json::json;
use vocabulary::{CommunityId, Forget, Gem, GemId, Record, RecordId, TurnKey};

use super::filter::{self, Filter};
use super::{QdrantGems, point};

const AT_ONCE: usize = 500;

impl QdrantGems {
    /// Whenever turns go, gems that came from nothing else go with them, and others cite only the turns that stay.
    pub(super) async fn remove(&self, what: &Forget) -> Result<Removed, MemoryFault> {
        let (gems, going) = self.meant(what).await?;
        let (mut orphans, mut changed) = (BTreeSet::new(), Vec::new());
        for mut gem in self.citing(&going.iter().cloned().collect::<Vec<_>>()).await? {
            gem.source.turns.retain(|turn| !going.contains(turn));
            if gem.source.turns.is_empty() {
                orphans.insert(gem.gem_id);
            } else if !gems.contains(&gem.gem_id) {
                changed.push(gem);
            }
        }
        for gem in &changed {
            self.cite_less(gem).await?;
        }
        let turns = self
            .those_there(going.iter().cloned().map(RecordId::Turn).collect())
            .await?;
        // What is found only by way of others goes before them: should this end midway, asking again finds the rest.
        let orphans = orphans.into_iter().map(RecordId::Gem).collect::<BTreeSet<_>>();
        self.delete(&orphans).await?;
        self.delete(&turns).await?;
        let gems = gems.into_iter().map(RecordId::Gem).collect::<BTreeSet<_>>();
        self.delete(&gems).await?;
        let mut removed = Removed::default();
        for id in gems.union(&orphans).chain(&turns).cloned() {
            match id {
                RecordId::Gem(gem) => removed.gems.push(gem),
                RecordId::Turn(turn) => removed.turns.push(turn),
            }
        }
        Ok(removed)
    }

    /// The gems that a wish names, and the turns, of which some may not be here.
    async fn meant(&self, what: &Forget) -> Result<(BTreeSet<GemId>, BTreeSet<TurnKey>), MemoryFault> {
        let (mut gems, mut turns) = (BTreeSet::new(), BTreeSet::new());
        for filter in filters(what) {
            for record in self.collection.all(&filter).await? {
                match record {
                    Record::Gem(gem) => {
                        if let Forget::Gems(_) = what {
                            turns.extend(gem.source.turns.iter().cloned());
                        }
                        gems.insert(gem.gem_id);
                    }
                    Record::Turn(turn) => {
                        turns.insert(turn.id);
                    }
                }
            }
        }
        match what {
            Forget::Turns(named) => turns.extend(named.iter().cloned()),
            Forget::Person { name, community, .. } => {
                gems.extend(self.about_somebody_called(name, community.as_ref()).await?);
            }
            _ => {}
        }
        Ok((gems, turns))
    }

    /// Gems about somebody who is known by name alone.
    async fn about_somebody_called(
        &self,
        name: &str,
        community: Option<&CommunityId>,
    ) -> Result<Vec<GemId>, MemoryFault> {
        let name = name.trim().to_lowercase();
        if name.is_empty() {
            return Ok(Vec::new());
        }
        let filter = Filter::gems()
            .and(filter::is_empty("person"))
            .and_some(community.map(|it| filter::is("community", it.as_str())));
        let nameless = self.collection.all(&filter).await?.into_iter();
        let called = nameless.filter_map(|record| match record {
            Record::Gem(gem) if gem.person_name.trim().to_lowercase() == name => Some(gem.gem_id),
            _ => None,
        });
        Ok(called.collect())
    }

    /// Writes down which turns a gem still cites; its vectors stay.
    async fn cite_less(&self, gem: &Gem) -> Result<(), MemoryFault> {
        let body = json!({
            "points": [point::id(&RecordId::Gem(gem.gem_id.clone()))],
            "payload": {"source": gem.source, "turns": gem.source.turns},
        });
        self.collection
            .ask("changing a gem in Qdrant", "points/payload?wait=true", &body)
            .await?;
        Ok(())
    }

    async fn delete(&self, records: &BTreeSet<RecordId>) -> Result<(), MemoryFault> {
        let ids: Vec<String> = records.iter().map(point::id).collect();
        for some in ids.chunks(AT_ONCE) {
            let body = json!({"points": some});
            self.collection
                .ask("forgetting records in Qdrant", "points/delete?wait=true", &body)
                .await?;
        }
        Ok(())
    }

    /// Gems that cite any of these turns.
    pub(super) async fn citing(&self, turns: &[TurnKey]) -> Result<Vec<Gem>, MemoryFault> {
        let mut citing = Vec::new();
        let mut known = BTreeSet::new();
        for some in turns.chunks(AT_ONCE) {
            let any = filter::any("turns", some.iter().map(TurnKey::as_str));
            for record in self.collection.all(&Filter::gems().and(any)).await? {
                if let Record::Gem(gem) = record
                    && known.insert(gem.gem_id.clone())
                {
                    citing.push(*gem);
                }
            }
        }
        Ok(citing)
    }

    async fn those_there(&self, records: Vec<RecordId>) -> Result<BTreeSet<RecordId>, MemoryFault> {
        let mut there = BTreeSet::new();
        for some in records.chunks(AT_ONCE) {
            let found = self
                .collection
                .all(&Filter::records().and(filter::has_ids(some)))
                .await?;
            there.extend(found.iter().map(Record::id));
        }
        Ok(there)
    }
}

/// Which points are meant in so many words.
fn filters(what: &Forget) -> Vec<Filter> {
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
        Forget::Community(community) => {
            vec![Filter::records().and(filter::is("community", community.as_str()))]
        }
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
