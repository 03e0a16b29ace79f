//! What was read a moment ago, so that reading on does not fetch it again.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

const KEPT_FOR: Duration = Duration::from_secs(600);
const KEPT_MAX: usize = 6;

/// The last few pages by what they were asked for.
#[derive(Debug)]
pub(crate) struct Shelf<T>(Mutex<Vec<(String, Instant, T)>>);

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Shelf<T> {
    pub(crate) fn find(&self, key: &str) -> Option<T> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept
            .iter()
            .find(|(known, since, _)| known == key && since.elapsed() < KEPT_FOR);
        found.map(|(_, _, page)| page.clone())
    }

    pub(crate) fn keep(&self, key: &str, page: T) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, since, _)| known != key && since.elapsed() < KEPT_FOR);
        if kept.len() >= KEPT_MAX {
            kept.remove(0);
        }
        kept.push((key.to_owned(), Instant::now(), page));
    }
}
