//! Who judges what was found: the cross-encoder of a folder, opened as Denizen opens it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use providers::reranking;
use recall::Hit;
use runtime::ports::Reranker;
use settings::Settings;
use vocabulary::{Found, Record, RecordId, TurnKey};

use super::conversation::Conversation;

/// Whoever judges, with the time it took.
pub struct Judge {
    reranker: Arc<dyn Reranker>,
    tokio: tokio::runtime::Runtime,
}

impl Judge {
    /// The model of a folder, run by the ONNX Runtime that `ORT_DYLIB_PATH` names or the system has.
    pub fn open(folder: Option<&Path>) -> Result<Option<Judge>> {
        let mut settings = Settings::default().reranker;
        settings.path = folder.map_or_else(String::new, |folder| folder.display().to_string());
        let tokio = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let opened = tokio
            .block_on(reranking::open(&settings))
            .map_err(|error| anyhow!("cannot judge what was found: {error}"))?;
        Ok(opened.map(|reranker| Judge { reranker, tokio }))
    }

    pub fn name(&self) -> String {
        self.reranker.name()
    }

    /// Sets how sure the finds of a search of this conversation are; how long that took.
    pub fn judge(&self, conversation: &Spoken<'_>, words: &str, hits: &mut [Hit]) -> Result<Duration> {
        let found: Vec<Found> = hits.iter().filter_map(|hit| conversation.found(hit)).collect();
        let began = Instant::now();
        let sure = self
            .tokio
            .block_on(self.reranker.judge(words, &found))
            .map_err(|error| anyhow!("what was found could not be judged: {error}"))?
            .ok_or_else(|| anyhow!("whoever judges is busy with something else"))?;
        let took = began.elapsed();
        for (hit, sure) in hits.iter_mut().zip(sure) {
            hit.scores.confidence = sure;
        }
        Ok(took)
    }
}

/// The turns of a conversation by their ids.
pub struct Spoken<'a>(BTreeMap<&'a TurnKey, &'a vocabulary::CapturedTurn>);

impl<'a> Spoken<'a> {
    pub fn of(conversation: &'a Conversation) -> Self {
        Spoken(conversation.turns.iter().map(|turn| (&turn.id, turn)).collect())
    }

    fn found(&self, hit: &Hit) -> Option<Found> {
        let RecordId::Turn(id) = &hit.id else {
            return None;
        };
        Some(Found {
            record: Record::Turn((*self.0.get(id)?).clone()),
            scores: hit.scores,
            matched: hit.matched.clone(),
            through: hit.through.clone(),
        })
    }
}
