//! The store of gems and turns in the embedded database.
//!
//! The tables are the truth; what is searched is an index of them in memory, exact and complete, which is built when
//! the store is opened and follows every change. There is no full-text table beside it: the index knows words as well
//! as meanings, and what is nowhere else in the file need not be forgotten there.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use async_trait::async_trait;
use recall::Index;
use runtime::ports::{
    Embedded, EmbedderIdentity, GemStore, Listing, MemoryFault, Page, Removed, StoreStats, WhoseTurns,
};
use rusqlite::Connection;
use vocabulary::{CapturedTurn, Forget, Found, Gem, Record, RecordId, Search, SessionId, TurnKey};

use super::fault::told;
use super::listing::{self, PagePosition};
use super::{changes, embedder, index, records};
use crate::fault::Fault;
use crate::sqlite::Sqlite;

const READING: &str = "reading memory";
/// Records that one search finds at most.
const FOUND_MAX: usize = 1_000;

/// Gems and turns in the embedded store.
#[derive(Clone, Debug)]
pub struct SqliteGems {
    pub(super) shared: Arc<Shared>,
}

/// What all handles of one store share.
#[derive(Debug)]
pub(super) struct Shared {
    pub sqlite: Arc<Sqlite>,
    index: RwLock<Index>,
    /// Held while something changes, so that the index takes changes in the order the tables did.
    pub changing: tokio::sync::Mutex<()>,
}

impl Shared {
    pub fn index(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn index_mut(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SqliteGems {
    /// Opens the store of an open database, and builds the index of what is in it. One that was opened for reading
    /// alone can be searched as well.
    pub async fn open(sqlite: Arc<Sqlite>) -> Result<Self, MemoryFault> {
        let index = sqlite
            .read("building the index of memory", index::build)
            .await
            .map_err(told)?;
        Ok(Self {
            shared: Arc::new(Shared {
                sqlite,
                index: RwLock::new(index),
                changing: tokio::sync::Mutex::default(),
            }),
        })
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, MemoryFault> {
        self.shared.sqlite.read_at_once(READING, work).await.map_err(told)
    }

    /// Reads a page that goes on where the one before ended.
    async fn page<T: Send + 'static>(
        &self,
        listing: &Listing,
        read: impl FnOnce(&Connection, &Listing, Option<PagePosition>) -> Result<Page<T>, Fault> + Send + 'static,
    ) -> Result<Page<T>, MemoryFault> {
        let after = match listing.after.as_deref() {
            None => None,
            Some(after) => Some(PagePosition::read(after).ok_or_else(|| {
                MemoryFault::Refused(format!(
                    "{after:?} is no place in a listing. Give what the page before gave as its next, or nothing"
                ))
            })?),
        };
        let listing = listing.clone();
        self.read(move |connection| read(connection, &listing, after))
            .await
    }
}

#[async_trait]
impl GemStore for SqliteGems {
    fn describe(&self) -> String {
        format!("the embedded store in {}", self.shared.sqlite.path().display())
    }

    async fn embedder(&self) -> Result<Option<EmbedderIdentity>, MemoryFault> {
        Ok(self.read(embedder::declared).await?.in_use())
    }

    async fn set_embedder(&self, embedder: &EmbedderIdentity, anew: bool) -> Result<(), MemoryFault> {
        let embedder = embedder.clone();
        self.change(move |shared| async move { changes::set_embedder(&shared, embedder, anew).await })
            .await
    }

    async fn put(&self, records: Vec<Embedded>) -> Result<(), MemoryFault> {
        self.change(move |shared| async move { changes::put(&shared, records).await })
            .await
    }

    async fn get(&self, ids: &[RecordId]) -> Result<Vec<Record>, MemoryFault> {
        let ids = ids.to_vec();
        self.read(move |connection| records::get(connection, &ids)).await
    }

    async fn search(&self, search: &Search) -> Result<Vec<Found>, MemoryFault> {
        let mut search = search.clone();
        search.limit = search.limit.min(FOUND_MAX);
        let shared = self.shared.clone();
        let looking = tokio::task::spawn_blocking(move || {
            let hits = shared.index().search(&search);
            hits.map(|hits| (search, hits))
                .map_err(|error| MemoryFault::Refused(format!("this cannot be looked for: {error}")))
        });
        let (search, hits) = looking.await.map_err(|error| MemoryFault::Failed {
            doing: "searching memory",
            detail: format!("it broke off: {error}. Search for something else, or start Denizen again"),
        })??;
        self.read(move |connection| index::read(connection, &search, hits))
            .await
    }

    async fn gems(&self, listing: &Listing) -> Result<Page<Gem>, MemoryFault> {
        self.page(listing, listing::gems).await
    }

    async fn turns(&self, listing: &Listing) -> Result<Page<CapturedTurn>, MemoryFault> {
        self.page(listing, listing::turns).await
    }

    async fn history(
        &self,
        session: &SessionId,
        before: u64,
        max_chars: usize,
    ) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let session = session.clone();
        self.read(move |connection| records::history(connection, &session, before, max_chars))
            .await
    }

    async fn last_number(&self, session: &SessionId) -> Result<u64, MemoryFault> {
        let session = session.clone();
        self.read(move |connection| records::last_number(connection, &session))
            .await
    }

    async fn gems_of(&self, turns: &[TurnKey]) -> Result<Vec<Gem>, MemoryFault> {
        let turns = turns.to_vec();
        self.read(move |connection| records::gems_of(connection, &turns))
            .await
    }

    async fn unembedded(&self, limit: usize) -> Result<Vec<Record>, MemoryFault> {
        self.read(move |connection| records::unembedded(connection, limit))
            .await
    }

    async fn forget(&self, what: &Forget) -> Result<Removed, MemoryFault> {
        let what = what.clone();
        self.change(move |shared| async move { changes::forget(&shared, what).await })
            .await
    }

    async fn stats(&self, whose: &WhoseTurns) -> Result<StoreStats, MemoryFault> {
        let whose = whose.clone();
        let counted = self
            .read(move |connection| records::count(connection, &whose))
            .await?;
        Ok(StoreStats {
            disk_bytes: self.shared.sqlite.disk_bytes(),
            memory_bytes: Some(self.shared.index().bytes() as u64),
            ..counted
        })
    }
}
