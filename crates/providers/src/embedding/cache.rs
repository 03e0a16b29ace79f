//! Queries that were embedded lately: what is looked for while somebody types or speaks is often the same twice.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use runtime::ports::{EmbedRole, Embedder, EmbedderIdentity, MemoryFault};
use tokio::sync::OnceCell;

/// Longer texts are hardly asked for twice, and would make the cache large.
const CACHED_BYTES_MAX: usize = 2_000;

/// An embedder that remembers its latest queries; passages pass through.
pub struct CachedQueries {
    inner: Arc<dyn Embedder>,
    kept: Mutex<Kept>,
}

/// A vector that is there, or that somebody is fetching.
type Cell = Arc<OnceCell<Vec<f32>>>;

struct Kept {
    capacity: usize,
    clock: u64,
    cells: BTreeMap<String, (u64, Cell)>,
}

impl CachedQueries {
    /// Keeps at most so many queries, the latest used.
    pub fn new(inner: Arc<dyn Embedder>, capacity: usize) -> Self {
        let kept = Kept {
            capacity: capacity.max(1),
            clock: 0,
            cells: BTreeMap::new(),
        };
        Self {
            inner,
            kept: Mutex::new(kept),
        }
    }

    async fn one(&self, text: &str) -> Result<Vec<f32>, MemoryFault> {
        let fetch = || async {
            let vectors = self.inner.embed(&[text.to_owned()], EmbedRole::Query).await?;
            vectors.into_iter().next().ok_or_else(|| MemoryFault::Failed {
                doing: "embedding texts",
                detail: format!("{} gave no vector", self.inner.identity().name),
            })
        };
        if text.len() > CACHED_BYTES_MAX {
            return fetch().await;
        }
        let cell = self
            .kept
            .lock()
            .expect("no holder of this lock can panic")
            .cell(text);
        // Of two who ask at once, one asks; a failure is not kept.
        cell.get_or_try_init(fetch).await.cloned()
    }
}

impl Kept {
    fn cell(&mut self, text: &str) -> Cell {
        self.clock += 1;
        if let Some((used, cell)) = self.cells.get_mut(text) {
            *used = self.clock;
            return cell.clone();
        }
        if self.cells.len() >= self.capacity {
            let oldest = self.cells.iter().min_by_key(|(_, (used, _))| *used);
            if let Some(text) = oldest.map(|(text, _)| text.clone()) {
                self.cells.remove(&text);
            }
        }
        let cell = Cell::default();
        self.cells.insert(text.to_owned(), (self.clock, cell.clone()));
        cell
    }
}

#[async_trait]
impl Embedder for CachedQueries {
    fn identity(&self) -> EmbedderIdentity {
        self.inner.identity()
    }

    async fn embed(&self, texts: &[String], role: EmbedRole) -> Result<Vec<Vec<f32>>, MemoryFault> {
        match (role, texts) {
            (EmbedRole::Query, [text]) => Ok(vec![self.one(text).await?]),
            // Many at once are no one's typing: one request for all is better than one each.
            _ => self.inner.embed(texts, role).await,
        }
    }
}

/// Says how many queries are kept, never which.
impl fmt::Debug for CachedQueries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept.lock().map_or(0, |kept| kept.cells.len());
        f.debug_struct("CachedQueries")
            .field("embedder", &self.inner.identity().name)
            .field("kept", &kept)
            .finish()
    }
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
