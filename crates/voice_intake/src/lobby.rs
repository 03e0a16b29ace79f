//! What the voice rooms of all communities share: where browsers reach this process, and how many people it has room for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reach::Reach;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Stays in voice rooms at a time, of all communities together.
pub const STAYS_MAX: usize = 200;
/// A browser that is not heard for so long is gone: it asks for consent every few seconds.
const SILENCE_MAX: Duration = Duration::from_secs(10);
/// Offers that are answered at a time.
const ANSWERED_AT_ONCE: usize = 4;

/// What a process has once for all voice rooms. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Lobby {
    taken: Arc<AtomicUsize>,
    reach: Arc<OnceLock<Reach>>,
    answering: Arc<Semaphore>,
    silence_max: Duration,
}

/// A right to stay somewhere, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Place(Arc<AtomicUsize>);

impl Lobby {
    /// Which browsers cannot reach yet.
    pub fn new() -> Self {
        Self {
            taken: Arc::default(),
            reach: Arc::default(),
            answering: Arc::new(Semaphore::new(ANSWERED_AT_ONCE)),
            silence_max: SILENCE_MAX,
        }
    }

    /// With another limit than 10 seconds on how long nothing may come from a browser until it is taken for gone.
    pub fn with_silence_max(mut self, silence_max: Duration) -> Self {
        self.silence_max = silence_max;
        self
    }

    pub(crate) fn silence_max(&self) -> Duration {
        self.silence_max
    }

    /// From now on browsers reach it here; the first word counts.
    pub fn is_reached_at(&self, reach: Reach) {
        let _ = self.reach.set(reach);
    }

    /// Where browsers reach it, once that is known.
    pub fn reach(&self) -> Option<&Reach> {
        self.reach.get()
    }

    /// A turn to answer an offer.
    pub(crate) async fn answering(&self) -> Option<SemaphorePermit<'_>> {
        self.answering.acquire().await.ok()
    }

    /// A place for one more, unless there is none.
    pub(crate) fn place(&self) -> Option<Place> {
        let more = |taken: usize| (taken < STAYS_MAX).then_some(taken + 1);
        let taken = self.taken.fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        taken.ok().map(|_| Place(self.taken.clone()))
    }
}

impl Default for Lobby {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
