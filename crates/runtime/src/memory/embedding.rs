//! Vectors of what is remembered: whose they are, which text has none yet, and making them anew after a change.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use serde::Serialize;
use vocabulary::{Record, RecordId};

use super::changing::Changing;
use crate::ports::{EmbedRole, Embedded, Embedder, GemStore, MemoryFault, WhoseTurns};

/// Texts that are embedded in one call.
pub(super) const EMBED_BATCH: usize = 64;
/// How often to look for what could not be embedded when it was stored.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// How long to wait after an embedder failed.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// What to do when the store holds another embedder's vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnOtherEmbedder {
    /// Say so; nothing is touched.
    Refuse,
    /// Let them go, and make new ones in the background.
    Reembed,
}

/// How far the vectors have been made anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Reembedding {
    pub done: usize,
    pub total: usize,
    /// Why it stands still, when it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// The vectors of memory: the store that holds them and whoever makes them. Cheap to clone.
#[derive(Clone)]
pub struct MemoryVectors {
    gems: Arc<dyn GemStore>,
    /// None while it could not be opened: everything is found by its words alone.
    embedder: Arc<RwLock<Option<Arc<dyn Embedder>>>>,
    /// Whether the store is known to hold this embedder's vectors; until then it is given none.
    agreed: Arc<AtomicBool>,
    changing: Arc<Changing>,
    reembedding: Arc<Mutex<Option<Reembedding>>>,
}

impl std::fmt::Debug for MemoryVectors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryVectors")
            .field("progress", &self.progress())
            .finish_non_exhaustive()
    }
}

impl MemoryVectors {
    pub(super) fn new(
        gems: Arc<dyn GemStore>,
        embedder: Option<Arc<dyn Embedder>>,
        changing: Arc<Changing>,
    ) -> Self {
        Self {
            gems,
            embedder: Arc::new(RwLock::new(embedder)),
            agreed: Arc::default(),
            changing,
            reembedding: Arc::default(),
        }
    }

    /// Whoever tells what texts mean, where there is somebody.
    pub fn embedder(&self) -> Option<Arc<dyn Embedder>> {
        self.embedder
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Takes an embedder that could not be opened at the start; what was stored meanwhile is embedded in the background.
    pub async fn take_embedder(&self, embedder: Arc<dyn Embedder>) -> Result<(), MemoryFault> {
        *self.embedder.write().unwrap_or_else(PoisonError::into_inner) = Some(embedder);
        self.agree(OnOtherEmbedder::Reembed).await
    }

    /// The embedder, once the store is known to hold its vectors.
    fn agreed_embedder(&self) -> Option<Arc<dyn Embedder>> {
        self.embedder().filter(|_| self.agreed.load(Ordering::Acquire))
    }

    /// Vectors of texts that are stored; empty ones where there can be none now.
    pub(super) async fn of_passages(&self, texts: &[String]) -> Vec<Vec<f32>> {
        let vectors = match self.agreed_embedder() {
            Some(embedder) => embedder.embed(texts, EmbedRole::Passage).await,
            None => Ok(vec![Vec::new(); texts.len()]),
        };
        vectors.unwrap_or_else(|fault| {
            tracing::warn!(%fault, "some memories are found by their words alone until they can be embedded");
            vec![Vec::new(); texts.len()]
        })
    }

    /// What the words mean; none without an embedder, and why not when it failed.
    pub(super) async fn meaning(&self, words: &str) -> Result<Option<Vec<f32>>, String> {
        let Some(embedder) = self.agreed_embedder() else {
            return Err("there is no embedder yet, or the store has not agreed with it".to_owned());
        };
        let texts = [words.to_owned()];
        match embedder.embed(&texts, EmbedRole::Query).await {
            Ok(mut vectors) => Ok(vectors.pop().filter(|vector| !vector.is_empty())),
            Err(fault) => Err(fault.to_string()),
        }
    }

    /// How far vectors have been made anew; none when there is nothing to do.
    pub fn progress(&self) -> Option<Reembedding> {
        self.reembedding
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Declares whose vectors the store holds, or lets another's go.
    pub async fn agree(&self, on_other: OnOtherEmbedder) -> Result<(), MemoryFault> {
        let Some(embedder) = self.embedder() else {
            return Ok(());
        };
        let wanted = embedder.identity();
        match self.gems.embedder().await? {
            Some(stored) if stored == wanted => {}
            None => self.gems.set_embedder(&wanted, false).await?,
            Some(stored) if on_other == OnOtherEmbedder::Refuse => {
                return Err(MemoryFault::OtherEmbedder {
                    stored: stored.name,
                    stored_dimensions: stored.dimensions,
                    wanted: wanted.name,
                    wanted_dimensions: wanted.dimensions,
                });
            }
            Some(stored) => {
                tracing::info!(from = %stored.name, to = %wanted.name, "the embedder changed: memories are embedded anew in the background, and found by their words meanwhile");
                self.gems.set_embedder(&wanted, true).await?;
            }
        }
        self.agreed.store(true, Ordering::Release);
        Ok(())
    }

    /// Sees to it, for as long as the community runs, that everything gets a vector in the end.
    pub(crate) async fn keep_embedding(self) {
        loop {
            let agreed = match self.agreed.load(Ordering::Acquire) {
                true => Ok(()),
                false => self.agree(OnOtherEmbedder::Reembed).await,
            };
            if agreed.is_ok()
                && let Err(fault) = self.embed_the_rest().await
            {
                tracing::warn!(%fault, "memories without a vector could not be looked for");
            }
            tokio::time::sleep(if agreed.is_ok() { LOOK_EVERY } else { RETRY_AFTER }).await;
        }
    }

    /// Embeds whatever has no vector, until nothing is left. Waits and tries again where the embedder fails.
    pub async fn embed_the_rest(&self) -> Result<(), MemoryFault> {
        let Some(embedder) = self.agreed_embedder() else {
            return Ok(());
        };
        let mut done = 0;
        loop {
            let records = self.gems.unembedded(EMBED_BATCH).await?;
            if records.is_empty() {
                break;
            }
            let stats = self.gems.stats(&WhoseTurns::All).await?;
            let total = (stats.gems + stats.turns).max(done + records.len());
            self.note_progress(Some(Reembedding {
                done,
                total,
                trouble: None,
            }));
            let texts: Vec<String> = records.iter().map(embedded_text).collect();
            match embedder.embed(&texts, EmbedRole::Passage).await {
                Ok(vectors) => {
                    done += records.len();
                    let embedded = records.into_iter().zip(vectors);
                    let embedded = embedded.map(|(record, vector)| Embedded {
                        record,
                        // A text that means nothing to the embedder has a vector too, or it would be tried for ever.
                        vector: Some(vector)
                            .filter(|vector| !vector.is_empty())
                            .unwrap_or_else(|| vec![0.0; embedder.identity().dimensions]),
                    });
                    self.put_as_they_stand(embedded.collect()).await?;
                }
                Err(fault) => {
                    self.note_progress(Some(Reembedding {
                        done,
                        total,
                        trouble: Some(fault.to_string()),
                    }));
                    tokio::time::sleep(RETRY_AFTER).await;
                }
            }
        }
        if done > 0 {
            tracing::info!(records = done, "memories were embedded anew");
        }
        self.note_progress(None);
        Ok(())
    }

    /// Stores vectors of records that still read as they did: what was forgotten or changed while they were made stays so,
    /// and whatever has no vector then is looked for again.
    async fn put_as_they_stand(&self, embedded: Vec<Embedded>) -> Result<(), MemoryFault> {
        let _quiet = self.changing.quiet(None).await;
        let ids: Vec<RecordId> = embedded.iter().map(|one| one.record.id()).collect();
        let standing = self.gems.get(&ids).await?;
        let mut embedded = embedded;
        embedded.retain(|one| standing.contains(&one.record));
        self.gems.put(embedded).await
    }

    fn note_progress(&self, progress: Option<Reembedding>) {
        *self.reembedding.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }
}

/// What of a record is embedded: whose words they are helps to find them.
pub(super) fn embedded_text(record: &Record) -> String {
    match record {
        Record::Gem(gem) => gem.content.clone(),
        Record::Turn(turn) => format!("{}: {}", turn.speaker.name, turn.text),
    }
}
