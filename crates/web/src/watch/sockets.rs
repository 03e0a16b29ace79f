//! Which sockets are open, how many may be, and who has come back.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use vocabulary::ShareId;

/// Sockets that share a screen at once.
pub(super) const SHARING_MAX: usize = 64;
/// Sockets that have not said yet who they are; strangers fill up these, and not the others.
const UNKNOWN_MAX: usize = 16;

/// The sockets of a site.
#[derive(Debug)]
pub(crate) struct Sockets {
    unknown: Arc<Semaphore>,
    sharing: Arc<Semaphore>,
    seats: Arc<Mutex<Seats>>,
}

/// One for each share that a socket is or was lately open for: there are no more than links.
#[derive(Debug, Default)]
struct Seats {
    last: u64,
    taken: BTreeMap<ShareId, (u64, CancellationToken)>,
}

/// A share's seat: whoever comes later with the same token takes it over.
#[derive(Debug)]
pub(super) struct Seat {
    share: ShareId,
    number: u64,
    taken_over: CancellationToken,
    seats: Arc<Mutex<Seats>>,
}

impl Sockets {
    pub fn new() -> Self {
        Self {
            unknown: Arc::new(Semaphore::new(UNKNOWN_MAX)),
            sharing: Arc::new(Semaphore::new(SHARING_MAX)),
            seats: Arc::default(),
        }
    }

    /// A place for somebody who has not said yet who they are.
    pub(super) fn for_unknown(&self) -> Option<OwnedSemaphorePermit> {
        self.unknown.clone().try_acquire_owned().ok()
    }

    /// A place for somebody who shares.
    pub(super) fn for_sharing(&self) -> Option<OwnedSemaphorePermit> {
        self.sharing.clone().try_acquire_owned().ok()
    }

    /// Takes the seat of a share, from an older socket if need be.
    pub(super) fn sit(&self, share: ShareId) -> Seat {
        let mut seats = lock(&self.seats);
        seats.last += 1;
        let number = seats.last;
        let taken_over = CancellationToken::new();
        let before = seats.taken.insert(share.clone(), (number, taken_over.clone()));
        if let Some((_, older)) = before {
            older.cancel();
        }
        Seat {
            share,
            number,
            taken_over,
            seats: self.seats.clone(),
        }
    }

    /// Resolves once no socket is open any more.
    pub async fn closed(&self) {
        let all_unknown = self.unknown.acquire_many(UNKNOWN_MAX as u32);
        let all_sharing = self.sharing.acquire_many(SHARING_MAX as u32);
        let _ = tokio::join!(all_unknown, all_sharing);
    }
}

impl Seat {
    /// Resolves once somebody came with the same token.
    pub async fn taken_over(&self) {
        self.taken_over.cancelled().await;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut seats = lock(&self.seats);
        let is_ours = seats
            .taken
            .get(&self.share)
            .is_some_and(|(number, _)| *number == self.number);
        if is_ours {
            seats.taken.remove(&self.share);
        }
    }
}

fn lock(seats: &Mutex<Seats>) -> MutexGuard<'_, Seats> {
    seats.lock().expect("no holder of this lock can panic")
}

#[cfg(test)]
#[path = "sockets_tests.rs"]
mod sockets_tests;
