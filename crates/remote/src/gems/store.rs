//! What the runtime asks of a store of gems.

use std::collections::BTreeMap;

use async_trait::async_trait;
use runtime::ports::{
    Embedded, EmbedderIdentity, GemStore, Listing, MemoryFault, Page, Removed, StoreStats, WhoseTurns,
};
use serde_json::json;
use vocabulary::{CapturedTurn, Forget, Found, Gem, Record, RecordId, Search, SessionId, TurnKey};

use super::collection::Meta;
use super::filter::{self, Filter};
use super::{QdrantGems, point};

const READ_AT_ONCE: usize = 500;
const HISTORY_AT_ONCE: usize = 100;
const UNEMBEDDED_MAX: usize = 1_000;

#[async_trait]
impl GemStore for QdrantGems {
    fn describe(&self) -> String {
        format!(
            "Qdrant at {}, collection {}",
            self.collection.client.place(),
            self.collection.name
        )
    }

    async fn embedder(&self) -> Result<Option<EmbedderIdentity>, MemoryFault> {
        let Some(meta) = self.collection.meta().await? else {
            return Ok(None);
        };
        Ok(self.collection.has_vectors().await?.then(|| meta.identity()))
    }

    async fn set_embedder(&self, embedder: &EmbedderIdentity, anew: bool) -> Result<(), MemoryFault> {
        if embedder.dimensions == 0 {
            return Err(MemoryFault::Refused(format!(
                "the embedder {} makes vectors of no dimensions. Correct memory.embedding",
                embedder.name
            )));
        }
        self.collection.declare(embedder, anew).await
    }

    async fn put(&self, records: Vec<Embedded>) -> Result<(), MemoryFault> {
        if records.is_empty() {
            return Ok(());
        }
        let Some(meta) = self.collection.meta_or_new(&records).await? else {
            return Err(MemoryFault::Refused(format!(
                "the collection {} does not know whose vectors it is to hold: an embedder is declared first",
                self.collection.name
            )));
        };
        if let Some(new) = meta.moving_to {
            return Err(MemoryFault::Unreachable {
                what: "Qdrant",
                place: self.collection.client.place().to_owned(),
                detail: format!(
                    "the records of {} are being copied to {new} for another embedder",
                    self.collection.name
                ),
                remedy: "Wait until that is done, or run `denizen memory reembed` again if it was cut short"
                    .to_owned(),
            });
        }
        let unfit = records
            .iter()
            .find(|it| !it.vector.is_empty() && it.vector.len() != meta.dimensions);
        if let Some(unfit) = unfit {
            return Err(wrong_length(&meta, unfit.vector.len(), &told(&unfit.record.id())));
        }
        // The last of several of one id counts.
        let records: BTreeMap<RecordId, Embedded> =
            records.into_iter().map(|it| (it.record.id(), it)).collect();
        let records: Vec<Embedded> = records.into_values().collect();
        self.collection.write(&self.collection.name, &records).await
    }

    async fn get(&self, ids: &[RecordId]) -> Result<Vec<Record>, MemoryFault> {
        let mut found: BTreeMap<RecordId, Record> = BTreeMap::new();
        for some in ids.chunks(READ_AT_ONCE) {
            let points: Vec<String> = some.iter().map(point::id).collect();
            let body = json!({"ids": points, "with_payload": true});
            let answer = self
                .collection
                .ask("reading records from Qdrant", "points", &body)
                .await?;
            for point in answer.iter().flat_map(point::points) {
                let record = point::record(point)?;
                found.insert(record.id(), record);
            }
        }
        Ok(ids.iter().filter_map(|id| found.get(id).cloned()).collect())
    }

    async fn search(&self, search: &Search) -> Result<Vec<Found>, MemoryFault> {
        let Some(meta) = self.collection.meta().await? else {
            return Ok(Vec::new());
        };
        match &search.vector {
            Some(vector) if !vector.is_empty() && vector.len() != meta.dimensions => {
                Err(wrong_length(&meta, vector.len(), "the search"))
            }
            _ => self.find(search).await,
        }
    }

    async fn gems(&self, listing: &Listing) -> Result<Page<Gem>, MemoryFault> {
        let page = self.collection.list(Filter::gems(), listing).await?;
        Ok(Page {
            items: page.items.into_iter().filter_map(as_gem).collect(),
            next: page.next,
        })
    }

    async fn turns(&self, listing: &Listing) -> Result<Page<CapturedTurn>, MemoryFault> {
        let page = self.collection.list(Filter::turns(), listing).await?;
        Ok(Page {
            items: page.items.into_iter().filter_map(as_turn).collect(),
            next: page.next,
        })
    }

    async fn history(
        &self,
        session: &SessionId,
        before: u64,
        max_chars: usize,
    ) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let filter = Filter::turns()
            .and(filter::is("session", session.as_str()))
            .and(json!({"key": "number", "range": {"lt": before}}));
        let mut history = Vec::new();
        let mut chars = 0;
        let mut after = None;
        'pages: loop {
            let (page, next) = self
                .collection
                .ordered(&filter, "number", after.as_ref(), HISTORY_AT_ONCE)
                .await?;
            for turn in page.into_iter().filter_map(as_turn) {
                chars += turn.text.chars().count();
                if chars > max_chars {
                    break 'pages;
                }
                history.push(turn);
            }
            match next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        history.reverse();
        Ok(history)
    }

    async fn last_number(&self, session: &SessionId) -> Result<u64, MemoryFault> {
        let filter = Filter::turns().and(filter::is("session", session.as_str()));
        let (newest, _) = self.collection.ordered(&filter, "number", None, 1).await?;
        Ok(newest.into_iter().find_map(as_turn).map_or(0, |turn| turn.number))
    }

    async fn gems_of(&self, turns: &[TurnKey]) -> Result<Vec<Gem>, MemoryFault> {
        self.citing(turns).await
    }

    async fn unembedded(&self, limit: usize) -> Result<Vec<Record>, MemoryFault> {
        let filter = Filter::records().but_not(filter::has_meaning());
        let body = json!({
            "filter": filter.json(), "limit": limit.clamp(1, UNEMBEDDED_MAX), "with_payload": true,
        });
        let answer = self
            .collection
            .ask(
                "looking for records without vectors in Qdrant",
                "points/scroll",
                &body,
            )
            .await?;
        let points = answer.iter().flat_map(point::points);
        points.take(limit).map(point::record).collect()
    }

    async fn forget(&self, what: &Forget) -> Result<Removed, MemoryFault> {
        self.remove(what).await
    }

    async fn stats(&self, whose: &WhoseTurns) -> Result<StoreStats, MemoryFault> {
        let gems = Filter::gems().of(whose);
        Ok(StoreStats {
            gems: self.collection.count(gems.clone()).await?,
            superseded: self
                .collection
                .count(gems.and(filter::is("current", false)))
                .await?,
            turns: self.collection.count(Filter::turns().of(whose)).await?,
            disk_bytes: None,
            memory_bytes: None,
        })
    }
}

fn wrong_length(meta: &Meta, length: usize, whose: &str) -> MemoryFault {
    MemoryFault::Refused(format!(
        "the vector of {whose} has {length} dimensions, and those of {} have {}. Embed it with that one, or run `denizen memory reembed`",
        meta.embedder, meta.dimensions
    ))
}

fn told(id: &RecordId) -> String {
    match id {
        RecordId::Gem(gem) => format!("gem {gem}"),
        RecordId::Turn(turn) => format!("turn {turn}"),
    }
}

fn as_gem(record: Record) -> Option<Gem> {
    match record {
        Record::Gem(gem) => Some(*gem),
        Record::Turn(_) => None,
    }
}

fn as_turn(record: Record) -> Option<CapturedTurn> {
    match record {
        Record::Turn(turn) => Some(turn),
        Record::Gem(_) => None,
    }
}
