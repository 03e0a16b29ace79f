//! What was found is judged once more, where there is somebody who can: how sure it is, not in which order it stands.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use vocabulary::Found;

use crate::ports::{MemoryFault, Reranker};

/// A reply waits a second for memory unless told otherwise, and what was found must reach it even if nobody could judge it.
const JUDGING_MAX: Duration = Duration::from_millis(400);

/// Whoever judges, and why they could not the last time.
pub(super) struct Judging {
    reranker: Arc<dyn Reranker>,
    trouble: Mutex<Option<String>>,
}

impl Judging {
    pub(super) fn new(reranker: Arc<dyn Reranker>) -> Self {
        Self {
            reranker,
            trouble: Mutex::default(),
        }
    }

    /// Sets how sure each find is. Where that fails they stay as sure as words and meaning make them.
    pub(super) async fn judge(&self, words: &str, found: &mut [Found]) {
        if found.is_empty() || words.trim().is_empty() {
            return;
        }
        let judging = tokio::time::timeout(JUDGING_MAX, self.reranker.judge(words, found));
        let judged = judging.await.unwrap_or_else(|_| Err(failed("it took too long")));
        let judged = judged.and_then(|sure| match sure.len() == found.len() {
            true => Ok(sure),
            false => Err(failed("it left some out")),
        });
        match judged {
            Ok(sure) => {
                let found = found.iter_mut().zip(sure);
                found.for_each(|(found, sure)| found.scores.confidence = sure);
                self.tell(None);
            }
            Err(fault) => self.tell(Some(fault.to_string())),
        }
    }

    /// Why it could not judge the last time.
    pub(super) fn trouble(&self) -> Option<String> {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble
            .as_ref()
            .map(|why| format!("What is found is not judged by {}: {why}.", self.reranker.name()))
    }

    /// Said once, not at every search, and again when it is over.
    fn tell(&self, now: Option<String>) {
        let mut known = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*known, &now) {
            (None, Some(why)) => {
                tracing::warn!(%why, "memory goes on without judging what it finds");
            }
            (Some(_), None) => tracing::info!("what memory finds is judged again"),
            _ => {}
        }
        *known = now;
    }
}

fn failed(detail: &str) -> MemoryFault {
    MemoryFault::Failed {
        doing: "judging what was found",
        detail: detail.to_owned(),
    }
}

impl fmt::Debug for Judging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Judging").field(&self.reranker.name()).finish()
    }
}

#[cfg(test)]
#[path = "judging_tests.rs"]
mod tests;
