//! Store and embedder must agree: declaring whose vectors are kept, and making them anew after a change.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::service::{EMBED_BATCH, MemoryService, OnOtherEmbedder, Reembedding, embedded_text};
use crate::ports::{EmbedRole, Embedded, MemoryFault};

/// How often to look for what could not be embedded when it was stored.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// How long to wait after an embedder failed.
const RETRY_AFTER: Duration = Duration::from_secs(5);

impl MemoryService {
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
        let Some(embedder) = self.embedder().filter(|_| self.agreed.load(Ordering::Acquire)) else {
            return Ok(());
        };
        let mut done = 0;
        loop {
            let records = self.gems.unembedded(EMBED_BATCH).await?;
            if records.is_empty() {
                break;
            }
            let stats = self.gems.stats().await?;
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
                    self.gems.put(embedded.collect()).await?;
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

    fn note_progress(&self, progress: Option<Reembedding>) {
        *self.reembedding.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }
}
