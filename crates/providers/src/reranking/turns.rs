//! One search at a time has a model; whoever comes meanwhile waits a little, or not at all.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// So long a search waits for the one before it: most are through by then, and a queue would delay every reply behind it.
const TURN_MAX: Duration = Duration::from_millis(50);

/// Who has a model now.
pub(super) struct Turns {
    free: Arc<Semaphore>,
    /// Whether nobody waits any more for what was begun last.
    given_up: Mutex<Arc<AtomicBool>>,
}

impl Turns {
    pub(super) fn new() -> Self {
        Self {
            free: Arc::new(Semaphore::new(1)),
            given_up: Mutex::default(),
        }
    }

    /// A turn, and what whoever waits for its work keeps meanwhile. None where others have the model for too long: work that
    /// took too long for whoever wanted it may never end, so nobody waits behind that.
    pub(super) async fn take(&self) -> Option<(Turn, Waiting)> {
        let free = self.free.clone();
        let permit = if self.is_given_up() {
            free.try_acquire_owned().ok()?
        } else {
            timeout(TURN_MAX, free.acquire_owned()).await.ok()?.ok()?
        };
        let given_up = Arc::new(AtomicBool::new(false));
        *self.given_up.lock().unwrap_or_else(PoisonError::into_inner) = given_up.clone();
        let waiting = Waiting {
            given_up: given_up.clone(),
            is_over: false,
        };
        let turn = Turn {
            _permit: permit,
            given_up,
        };
        Some((turn, waiting))
    }

    fn is_given_up(&self) -> bool {
        let given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        given_up.load(Ordering::Relaxed)
    }
}

/// Goes with the work, and is held until that is over, even when nobody waits for it any more.
pub(super) struct Turn {
    _permit: OwnedSemaphorePermit,
    given_up: Arc<AtomicBool>,
}

impl Turn {
    /// Whether nobody waits for the work any more.
    pub(super) fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }
}

/// Stays with whoever waits for the work; dropped before the work is over, it gives it up.
pub(super) struct Waiting {
    given_up: Arc<AtomicBool>,
    is_over: bool,
}

impl Waiting {
    /// The work is over.
    pub(super) fn over(&mut self) {
        self.is_over = true;
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.is_over {
            self.given_up.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
#[path = "turns_tests.rs"]
mod tests;
