//! Which sockets are open, how many may be, and who has come back.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_util::sync::CancellationToken;
use vocabulary::ShareId;

/// Sockets that share a screen at once.
pub(super) const SHARING_MAX: usize = 64;
/// Sockets that have not said yet who they are: another is always let in, and the oldest goes.
pub(super) const STRANGERS_MAX: usize = 32;
/// Of those, from one address: whoever opens many pushes out their own.
pub(super) const STRANGERS_OF_ONE_ADDRESS: usize = 8;

/// The sockets of a site.
#[derive(Debug)]
pub(crate) struct Sockets {
    strangers: Arc<Strangers>,
    sharing: Arc<Semaphore>,
    seats: Arc<Mutex<Seats>>,
}

/// Sockets that have not said who they are, in the order in which they came.
#[derive(Debug)]
struct Strangers {
    waiting: Mutex<BTreeMap<u64, (IpAddr, CancellationToken)>>,
    /// With those that are told to go and are not gone.
    open: watch::Sender<u64>,
    last: AtomicU64,
}

/// Somebody who has not said yet who they are.
#[derive(Debug)]
pub(super) struct Stranger {
    number: u64,
    pushed_out: CancellationToken,
    strangers: Arc<Strangers>,
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
            strangers: Arc::new(Strangers {
                waiting: Mutex::default(),
                open: watch::Sender::new(0),
                last: AtomicU64::new(0),
            }),
            sharing: Arc::new(Semaphore::new(SHARING_MAX)),
            seats: Arc::default(),
        }
    }

    /// A place for somebody who has not said yet who they are; where there are too many, the oldest goes.
    pub(super) fn for_stranger(&self, address: IpAddr) -> Stranger {
        let number = self.strangers.last.fetch_add(1, Ordering::Relaxed);
        let pushed_out = CancellationToken::new();
        let mut waiting = self.strangers.waiting();
        let own = || waiting.iter().filter(|(_, (from, _))| *from == address);
        let oldest = match own().count() >= STRANGERS_OF_ONE_ADDRESS {
            true => own().next().map(|(number, _)| *number),
            false if waiting.len() >= STRANGERS_MAX => waiting.keys().next().copied(),
            false => None,
        };
        if let Some((_, oldest)) = oldest.and_then(|oldest| waiting.remove(&oldest)) {
            oldest.cancel();
        }
        waiting.insert(number, (address, pushed_out.clone()));
        self.strangers.open.send_modify(|open| *open += 1);
        Stranger {
            number,
            pushed_out,
            strangers: self.strangers.clone(),
        }
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
        let mut open = self.strangers.open.subscribe();
        // Who was a stranger may share by then: first these, then those.
        while *open.borrow_and_update() > 0 && open.changed().await.is_ok() {}
        let _ = self.sharing.acquire_many(SHARING_MAX as u32).await;
    }
}

impl Strangers {
    fn waiting(&self) -> MutexGuard<'_, BTreeMap<u64, (IpAddr, CancellationToken)>> {
        self.waiting.lock().expect("no holder of this lock can panic")
    }
}

impl Stranger {
    /// Resolves once others came, and this one was the oldest.
    pub async fn pushed_out(&self) {
        self.pushed_out.cancelled().await;
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.strangers.waiting().remove(&self.number);
        self.strangers.open.send_modify(|open| *open -= 1);
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
