//! An engine that fails is left alone for a while: each clip would cost time, and money where it is paid for.

use std::time::Duration;

use tokio::time::Instant;
use vocabulary::UnheardReason;

use crate::trouble::Trouble;

/// One failure is a hiccup; after the second in a row it rests so long, then twice as long each time.
const PASSING: Duration = Duration::from_secs(2);
const PASSING_MAX: Duration = Duration::from_secs(60);
/// Where somebody has to do something about it, it rests from the first time on.
const LASTING: Duration = Duration::from_secs(60);
const LASTING_MAX: Duration = Duration::from_secs(600);

/// How an engine has fared lately.
#[derive(Debug, Default)]
pub(crate) struct Rest {
    /// Failures in a row.
    failures: u32,
    until: Option<Instant>,
    why: String,
}

impl Rest {
    /// Why it is not asked now, where it is not.
    pub(crate) fn refusal(&self, engine: &str, now: Instant) -> Option<Trouble> {
        let why = &self.why;
        (!self.is_over(now)).then(|| {
            Trouble::passing(format!(
                "{engine} has failed and is left alone for a while: {why}"
            ))
        })
    }

    pub(crate) fn is_over(&self, now: Instant) -> bool {
        self.until.is_none_or(|until| until <= now)
    }

    /// Takes in how it went. One that is busy with others is not one that fails.
    pub(crate) fn went(&mut self, trouble: Option<&Trouble>, now: Instant) {
        let Some(trouble) = trouble else {
            *self = Self::default();
            return;
        };
        if trouble.reason == UnheardReason::TimedOut {
            return;
        }
        self.failures = self.failures.saturating_add(1);
        let (first, most, after) = match trouble.retryable {
            true => (PASSING, PASSING_MAX, 2),
            false => (LASTING, LASTING_MAX, 1),
        };
        if self.failures >= after {
            let times = 1 << (self.failures - after).min(10);
            self.until = Some(now + (first * times).min(most));
            self.why.clone_from(&trouble.detail);
        }
    }
}
