//! Refused frames of one share, folded: a sender that is refused twice a second is told each time, the mind now and then.

use std::collections::BTreeMap;
use std::time::Duration;

use mind::watch::intake::RefusedFrame;
use tokio::time::Instant;
use vocabulary::FrameRefusal;

/// The mind is told of one refusal for the same reason in this time, at most.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// There are only so many reasons, so this is bounded.
#[derive(Default)]
pub(super) struct Refusals {
    by_reason: BTreeMap<FrameRefusal, Folded>,
}

struct Folded {
    told_at: Instant,
    /// Refusals since then.
    untold: u64,
    detail: String,
}

/// What the mind is to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Telling {
    pub refused: RefusedFrame,
    /// How many more there were before it.
    pub folded: u64,
}

impl Refusals {
    /// Counts a refusal; says what to tell, if it is time for it.
    pub fn note(&mut self, now: Instant, refused: &RefusedFrame) -> Option<Telling> {
        let mut folded = 0;
        if let Some(before) = self.by_reason.get_mut(&refused.reason) {
            if now.duration_since(before.told_at) < TOLD_EVERY {
                before.untold += 1;
                before.detail.clone_from(&refused.detail);
                return None;
            }
            folded = before.untold;
        }
        let noted = Folded {
            told_at: now,
            untold: 0,
            detail: refused.detail.clone(),
        };
        self.by_reason.insert(refused.reason, noted);
        Some(Telling {
            refused: refused.clone(),
            folded,
        })
    }

    /// What could not be told after all is told with the next one.
    pub fn not_told(&mut self, telling: &Telling) {
        if let Some(folded) = self.by_reason.get_mut(&telling.refused.reason) {
            folded.untold += telling.folded + 1;
        }
    }

    /// Refusals that nothing followed: it is time to tell of them too.
    pub fn due(&mut self, now: Instant) -> Vec<Telling> {
        self.tell(|folded| now.duration_since(folded.told_at) >= TOLD_EVERY, now)
    }

    /// All that was not told, because the share is over.
    pub fn rest(&mut self, now: Instant) -> Vec<Telling> {
        self.tell(|_| true, now)
    }

    fn tell(&mut self, is_time: impl Fn(&Folded) -> bool, now: Instant) -> Vec<Telling> {
        let mut tellings = Vec::new();
        for (reason, folded) in &mut self.by_reason {
            if folded.untold > 0 && is_time(folded) {
                tellings.push(Telling {
                    refused: RefusedFrame {
                        reason: *reason,
                        detail: folded.detail.clone(),
                    },
                    folded: folded.untold - 1,
                });
                folded.untold = 0;
                folded.told_at = now;
            }
        }
        tellings
    }
}

#[cfg(test)]
#[path = "refusals_tests.rs"]
mod tests;
