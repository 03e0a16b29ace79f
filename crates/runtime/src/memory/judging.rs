//! What was found is judged once more, where there is somebody who can: how sure it is, not in which order it stands.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, timeout};
use vocabulary::Found;

use crate::ports::{MemoryFault, Reranker};

/// A reply waits a second for memory unless told otherwise, and what was found must reach it even if nobody could judge it.
const JUDGING_MAX: Duration = Duration::from_millis(400);
/// It is said to work again once it has not failed for so long: one that fails now and then would fill the log.
const CALM: Duration = Duration::from_secs(60);

/// Whoever judges, and how that goes.
pub(super) struct Judging {
    /// None where it could not be opened.
    reranker: Option<Arc<dyn Reranker>>,
    standing: Mutex<Standing>,
}

#[derive(Default)]
struct Standing {
    /// Why nobody judges now; what is merely busy is no trouble.
    trouble: Option<String>,
    /// When it failed last, from the warning until it is said to work again.
    failed_at: Option<Instant>,
}

impl Judging {
    pub(super) fn new(reranker: Arc<dyn Reranker>) -> Self {
        Self {
            reranker: Some(reranker),
            standing: Mutex::default(),
        }
    }

    /// Somebody should judge, and cannot until the next start.
    pub(super) fn unopened(fault: &MemoryFault) -> Self {
        let standing = Standing {
            trouble: Some(fault.to_string()),
            failed_at: None,
        };
        Self {
            reranker: None,
            standing: Mutex::new(standing),
        }
    }

    /// Sets how sure each find is. Where that fails, or others are being judged, they stay as sure as words and meaning make them.
    pub(super) async fn judge(&self, words: &str, found: &mut [Found]) {
        let Some(reranker) = &self.reranker else {
            return;
        };
        if found.is_empty() || words.trim().is_empty() {
            return;
        }
        let judging = timeout(JUDGING_MAX, reranker.judge(words, found));
        let judged = judging.await.unwrap_or_else(|_| Err(failed("it took too long")));
        match judged {
            Ok(None) => tracing::debug!("others are being judged: what was found stays as sure as it was"),
            Ok(Some(sure)) if sure.len() == found.len() => {
                let found = found.iter_mut().zip(sure);
                found.for_each(|(found, sure)| found.scores.confidence = sure);
                self.works();
            }
            Ok(Some(_)) => self.fails(&failed("it left some out")),
            Err(fault) => self.fails(&fault),
        }
    }

    /// Why it could not judge the last time.
    pub(super) fn trouble(&self) -> Option<String> {
        let standing = self.standing();
        let why = standing.trouble.as_ref()?.trim_end_matches('.');
        Some(match &self.reranker {
            Some(reranker) => format!("What is found is not judged by {}: {why}.", reranker.name()),
            None => format!("What is found is not judged: {why}."),
        })
    }

    fn works(&self) {
        let mut standing = self.standing();
        standing.trouble = None;
        let is_calm = standing.failed_at.is_some_and(|failed| failed.elapsed() >= CALM);
        if is_calm {
            standing.failed_at = None;
            tracing::info!("what memory finds is judged again");
        }
    }

    /// Warns once, not at every search.
    fn fails(&self, fault: &MemoryFault) {
        let mut standing = self.standing();
        if standing.failed_at.replace(Instant::now()).is_none() {
            tracing::warn!(%fault, "memory goes on without judging what it finds");
        }
        standing.trouble = Some(fault.to_string());
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
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
        let name = self.reranker.as_ref().map(|reranker| reranker.name());
        f.debug_tuple("Judging").field(&name).finish()
    }
}

#[cfg(test)]
#[path = "judging_tests.rs"]
mod tests;
