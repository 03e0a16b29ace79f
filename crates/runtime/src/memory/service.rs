//! Memory as a whole: records, their vectors, what comes in and what is forgotten, each a part with its own state.

use std::sync::Arc;

use serde::Serialize;

use super::changing::Changing;
use super::embedding::{MemoryVectors, OnOtherEmbedder, Reembedding};
use super::forgetting::MemoryForgetting;
use super::intake::MemoryIntake;
use super::judging::Judging;
use super::records::MemoryRecords;
use crate::ports::{
    BufferCount, Embedder, EmbedderIdentity, GemStore, MemoryFault, Reranker, StoreStats, TurnBuffer,
    WhoseTurns,
};

/// How memory is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MemoryStatus {
    pub store: String,
    pub buffer: String,
    pub embedder: Option<EmbedderIdentity>,
    pub stats: StoreStats,
    pub waiting: BufferCount,
    pub reembedding: Option<Reembedding>,
    /// What does not work right now, for a person.
    pub trouble: Option<String>,
}

/// Memory, for the mind, the pages, other agents and the command line. Cheap to clone.
#[derive(Clone, Debug)]
pub struct MemoryService {
    records: MemoryRecords,
    vectors: MemoryVectors,
    intake: MemoryIntake,
    forgetting: MemoryForgetting,
}

impl MemoryService {
    /// Opens memory, and sees to it that store and embedder agree.
    pub async fn open(
        gems: Arc<dyn GemStore>,
        buffer: Arc<dyn TurnBuffer>,
        embedder: Option<Arc<dyn Embedder>>,
        on_other: OnOtherEmbedder,
    ) -> Result<Self, MemoryFault> {
        let changing: Arc<Changing> = Arc::default();
        let vectors = MemoryVectors::new(gems.clone(), embedder, Arc::clone(&changing));
        let records = MemoryRecords::new(gems, vectors.clone(), Arc::clone(&changing));
        match vectors.agree(on_other).await {
            Err(fault @ MemoryFault::Unreachable { .. }) if on_other == OnOtherEmbedder::Reembed => {
                tracing::warn!(%fault, "memory waits for its store; turns are kept until it is there");
            }
            agreed => agreed?,
        }
        let forgetting = MemoryForgetting::new(records.clone(), buffer.clone(), Arc::clone(&changing));
        Ok(Self {
            intake: MemoryIntake::new(records.clone(), buffer, changing, forgetting.clone()),
            forgetting,
            records,
            vectors,
        })
    }

    /// A store that was moved away from and still holds a copy: whatever is forgotten, edited or taken back is gone from
    /// there too.
    #[must_use]
    pub fn with_left_behind(mut self, store: Arc<dyn GemStore>) -> Self {
        self.intake.forgetting.leave_behind(store.clone());
        self.forgetting.leave_behind(store);
        self
    }

    /// Somebody judges how sure finds are.
    #[must_use]
    pub fn with_reranker(mut self, reranker: Arc<dyn Reranker>) -> Self {
        self.records.judged_by(Judging::new(reranker));
        self
    }

    /// Somebody should judge how sure finds are, and could not be opened: the status says why.
    #[must_use]
    pub fn with_unopened_reranker(mut self, fault: &MemoryFault) -> Self {
        self.records.judged_by(Judging::unopened(fault));
        self
    }

    /// What is remembered.
    pub fn records(&self) -> &MemoryRecords {
        &self.records
    }

    /// The vectors that records are found by.
    pub fn vectors(&self) -> &MemoryVectors {
        &self.vectors
    }

    /// What comes in.
    pub fn intake(&self) -> &MemoryIntake {
        &self.intake
    }

    /// Forgetting.
    pub fn forgetting(&self) -> &MemoryForgetting {
        &self.forgetting
    }

    /// How it is, with what it holds of these communities.
    pub async fn status(&self, whose: &WhoseTurns) -> MemoryStatus {
        let stats = self.records.gems.stats(whose).await;
        let waiting = self.intake.buffer.count(whose).await;
        let reembedding = self.vectors.progress();
        let trouble = [
            stats.as_ref().err().map(ToString::to_string),
            waiting.as_ref().err().map(ToString::to_string),
            self.intake.buffer.trouble(),
            reembedding.as_ref().and_then(|progress| progress.trouble.clone()),
            self.records.trouble(),
        ];
        let trouble: Vec<String> = trouble.into_iter().flatten().collect();
        MemoryStatus {
            store: self.records.gems.describe(),
            buffer: self.intake.buffer.describe(),
            embedder: self.vectors.embedder().map(|embedder| embedder.identity()),
            stats: stats.unwrap_or_default(),
            waiting: waiting.unwrap_or_default(),
            reembedding,
            trouble: (!trouble.is_empty()).then(|| trouble.join(" ")),
        }
    }
}
