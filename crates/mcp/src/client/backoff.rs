//! How long to wait before a server is tried again.

use std::time::Duration;

/// A server that has stood for so long is taken for a healthy one that was lost, and is tried again at once.
pub(crate) const HEALTHY_AFTER: Duration = Duration::from_secs(60);

/// Waits double from the first to the longest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backoff {
    first: Duration,
    longest: Duration,
    /// Waits since the server was healthy last.
    waits: u32,
    lost_before: bool,
}

impl Backoff {
    pub(crate) fn new(first: Duration, longest: Duration) -> Self {
        Self {
            first,
            longest,
            waits: 0,
            lost_before: false,
        }
    }

    /// The wait after an attempt that did not lead to a connection.
    pub(crate) fn after_failure(&mut self) -> Duration {
        let doublings = self.waits.min(20);
        self.waits = self.waits.saturating_add(1);
        self.first.saturating_mul(1 << doublings).min(self.longest)
    }

    /// The wait after a connection was lost that had stood for a while. A server that keeps falling over is not
    /// started again and again without a pause.
    pub(crate) fn after_loss(&mut self, stood: Duration) -> Duration {
        if stood >= HEALTHY_AFTER {
            self.waits = 0;
            self.lost_before = false;
        }
        if !self.lost_before {
            self.lost_before = true;
            return Duration::ZERO;
        }
        self.after_failure()
    }

    /// Attempts in a row that came to nothing.
    pub(crate) fn failures(&self) -> u32 {
        self.waits
    }
}

#[cfg(test)]
#[path = "backoff_tests.rs"]
mod tests;
