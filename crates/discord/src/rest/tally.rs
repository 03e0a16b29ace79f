//! How many requests went out, waited and were refused, in figures.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Whoever is sent on at once waits a little, too.
const WAIT_COUNTS_FROM: Duration = Duration::from_millis(10);

/// Requests of a client since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RestCounts {
    /// Those that went out, every try counted.
    pub sent: u64,
    /// Those that were answered by a limit.
    pub limited: u64,
    /// Those that were refused otherwise, or got no answer.
    pub failed: u64,
    /// Those that waited for a limit before they went.
    pub waited: u64,
    pub waited_ms: u64,
}

#[derive(Debug, Default)]
pub(super) struct RestTally {
    sent: AtomicU64,
    limited: AtomicU64,
    failed: AtomicU64,
    waited: AtomicU64,
    waited_ms: AtomicU64,
}

impl RestTally {
    pub(super) fn waited(&self, span: Duration) {
        if span >= WAIT_COUNTS_FROM {
            self.waited.fetch_add(1, Ordering::Relaxed);
            let span = u64::try_from(span.as_millis()).unwrap_or(u64::MAX);
            self.waited_ms.fetch_add(span, Ordering::Relaxed);
        }
    }

    /// A request that was sent came back, with a status or without an answer.
    pub(super) fn came_back(&self, status: Option<u16>) {
        self.sent.fetch_add(1, Ordering::Relaxed);
        match status {
            Some(429) => self.limited.fetch_add(1, Ordering::Relaxed),
            Some(200..=399) => 0,
            _ => self.failed.fetch_add(1, Ordering::Relaxed),
        };
    }

    pub(super) fn counts(&self) -> RestCounts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        RestCounts {
            sent: read(&self.sent),
            limited: read(&self.limited),
            failed: read(&self.failed),
            waited: read(&self.waited),
            waited_ms: read(&self.waited_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_faults_and_waits_are_told_apart() {
        let tally = RestTally::default();
        for status in [Some(200), Some(204), Some(429), Some(403), Some(502), None] {
            tally.came_back(status);
        }
        tally.waited(Duration::from_millis(3));
        tally.waited(Duration::from_millis(300));
        let counts = RestCounts {
            sent: 6,
            limited: 1,
            failed: 3,
            waited: 1,
            waited_ms: 300,
        };
        assert_eq!(tally.counts(), counts);
    }
}
