//! Which sockets are open, how many may be, and who has come back.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use vocabulary::ShareId;

/// Sockets that share a screen at once.
pub(super) const SHARING_MAX: usize = 64;
/// More than talk in voice rooms at once.
const TALKING_MAX: usize = 1_000;
/// Sockets that have not said yet who they are: another is always let in, and the oldest goes.
pub(super) const STRANGERS_MAX: usize = 32;
/// Of those, from one address: whoever opens many pushes out their own.
pub(super) const STRANGERS_OF_ONE_ADDRESS: usize = 8;
/// How long nobody is pushed out who has just come: pages say hello at once, so others wait for it.
pub(super) const SHIELDED_FOR: Duration = Duration::from_millis(500);
/// How long somebody waits for a place.
const PLACE_DEADLINE: Duration = Duration::from_secs(5);
/// Sockets of browsers that are let in here, which say hello like all others and are pushed out by nobody.
pub(super) const KNOWN_MAX: usize = 32;

/// The sockets of a site.
#[derive(Debug)]
pub(crate) struct Sockets {
    strangers: Arc<Strangers>,
    known: Arc<Semaphore>,
    sharing: Arc<Semaphore>,
    talking: Arc<Semaphore>,
    seats: Arc<Mutex<Seats>>,
}

/// Sockets that have not said who they are, in the order in which they came.
#[derive(Debug)]
struct Strangers {
    waiting: Mutex<BTreeMap<u64, Waiting>>,
    /// With those that are told to go and are not gone.
    open: watch::Sender<u64>,
    last: AtomicU64,
}

#[derive(Debug)]
struct Waiting {
    address: IpAddr,
    came: Instant,
    pushed_out: CancellationToken,
}

/// Somebody who has not said yet who they are.
#[derive(Debug)]
pub(super) struct Stranger {
    number: u64,
    pushed_out: CancellationToken,
    /// Held by browsers that are let in here: they are not among those who wait.
    _known: Option<OwnedSemaphorePermit>,
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
            known: Arc::new(Semaphore::new(KNOWN_MAX)),
            sharing: Arc::new(Semaphore::new(SHARING_MAX)),
            talking: Arc::new(Semaphore::new(TALKING_MAX)),
            seats: Arc::default(),
        }
    }

    /// A place for somebody who has not said yet who they are: where there are too many, the oldest goes, once it has had
    /// the time to say hello. None if that takes too long.
    pub(super) async fn for_stranger(&self, address: IpAddr) -> Option<Stranger> {
        let placed = async {
            loop {
                match self.try_for_stranger(address) {
                    Ok(stranger) => return stranger,
                    Err(shielded_for) => sleep(shielded_for).await,
                }
            }
        };
        timeout(PLACE_DEADLINE, placed).await.ok()
    }

    /// A place for a browser that is let in here; none if there are too many of them.
    pub(super) fn for_known(&self) -> Option<Stranger> {
        let place = self.known.clone().try_acquire_owned().ok()?;
        Some(self.strangers.add(None, Some(place)))
    }

    /// The same as `for_stranger` at once, or how long to wait for whoever would go.
    fn try_for_stranger(&self, address: IpAddr) -> Result<Stranger, Duration> {
        let mut waiting = self.strangers.waiting();
        let own = || waiting.iter().filter(|(_, other)| other.address == address);
        let oldest = match own().count() >= STRANGERS_OF_ONE_ADDRESS {
            true => own().next().map(|(number, _)| *number),
            false if waiting.len() >= STRANGERS_MAX => waiting.keys().next().copied(),
            false => None,
        };
        if let Some(number) = oldest
            && let Some(oldest) = waiting.get(&number)
        {
            let left = SHIELDED_FOR.saturating_sub(oldest.came.elapsed());
            if !left.is_zero() {
                return Err(left);
            }
            oldest.pushed_out.cancel();
            waiting.remove(&number);
        }
        drop(waiting);
        Ok(self.strangers.add(Some(address), None))
    }

    /// A place for somebody who shares.
    pub(super) fn for_sharing(&self) -> Option<OwnedSemaphorePermit> {
        self.sharing.clone().try_acquire_owned().ok()
    }

    /// A place for somebody who talks. Voice rooms bound how many there are; this is for whoever waits until all are closed.
    pub(crate) fn for_talking(&self) -> Option<OwnedSemaphorePermit> {
        self.talking.clone().try_acquire_owned().ok()
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
        let _ = self.talking.acquire_many(TALKING_MAX as u32).await;
    }
}

impl Strangers {
    fn waiting(&self) -> MutexGuard<'_, BTreeMap<u64, Waiting>> {
        self.waiting.lock().expect("no holder of this lock can panic")
    }

    fn add(self: &Arc<Self>, address: Option<IpAddr>, known: Option<OwnedSemaphorePermit>) -> Stranger {
        let number = self.last.fetch_add(1, Ordering::Relaxed);
        let pushed_out = CancellationToken::new();
        if let Some(address) = address {
            let one = Waiting {
                address,
                came: Instant::now(),
                pushed_out: pushed_out.clone(),
            };
            self.waiting().insert(number, one);
        }
        self.open.send_modify(|open| *open += 1);
        Stranger {
            number,
            pushed_out,
            _known: known,
            strangers: self.clone(),
        }
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
