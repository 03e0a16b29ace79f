//! What the voice rooms of all communities share: where browsers reach this process, and how many people it has room for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use reach::Reach;

/// Stays in voice rooms at a time, of all communities together.
pub const STAYS_MAX: usize = 200;

/// What a process has once for all voice rooms. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Lobby {
    taken: Arc<AtomicUsize>,
    reach: Arc<OnceLock<Reach>>,
}

/// A right to stay somewhere, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Place(Arc<AtomicUsize>);

impl Lobby {
    /// Which browsers cannot reach yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on browsers reach it here; the first word counts.
    pub fn is_reached_at(&self, reach: Reach) {
        let _ = self.reach.set(reach);
    }

    /// Where browsers reach it, once that is known.
    pub fn reach(&self) -> Option<&Reach> {
        self.reach.get()
    }

    /// A place for one more, unless there is none.
    pub(crate) fn place(&self) -> Option<Place> {
        let more = |taken: usize| (taken < STAYS_MAX).then_some(taken + 1);
        let taken = self.taken.fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        taken.ok().map(|_| Place(self.taken.clone()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
