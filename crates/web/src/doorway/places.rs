//! Who may be connected at once, and who goes when others come.
//!
//! Strangers, who have shown no credential yet, share fewer places than there are, and no address has them all. A
//! stranger who comes is always let in: of those who would be too many the one goes that has waited longest without
//! asking anything, then one that was answered, then the oldest. Who has shown a credential goes only when every place
//! is taken, and never while being answered.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::line::{Seat, SeatState};

/// How many may be connected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub everybody: usize,
    /// Who has shown no credential.
    pub strangers: usize,
    /// Strangers from one address.
    pub from_one_address: usize,
    /// Strangers from this machine: many programs may run here, and a proxy.
    pub from_this_machine: usize,
    /// How long somebody who came may take to ask before another is let in instead.
    pub patience: Duration,
}

/// What becomes of somebody who comes.
#[derive(Debug)]
pub(super) enum Place {
    Yours(Arc<Seat>),
    /// Those who would go came only now; in a moment one of them has asked, or goes.
    InAMoment,
    /// Everybody is being answered.
    None,
}

impl Limits {
    /// Well below what a process may have open by default, which is 1024 files.
    pub fn usual() -> Self {
        Self {
            everybody: 512,
            strangers: 384,
            from_one_address: 64,
            from_this_machine: 256,
            patience: Duration::from_millis(200),
        }
    }
}

/// Everybody who is connected.
#[derive(Debug)]
pub(super) struct Places {
    limits: Limits,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    next: u64,
    /// By the order in which they came.
    seats: BTreeMap<u64, Arc<Seat>>,
}

impl Places {
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            taken: Mutex::default(),
        }
    }

    /// A place for whoever comes from an address.
    pub fn take(places: &Arc<Self>, address: IpAddr) -> Place {
        let address = neighbourhood(address);
        let mut taken = places.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let limits = places.limits;
        let here = if address.is_loopback() {
            limits.from_this_machine
        } else {
            limits.from_one_address
        };
        let of_here = |seat: &Seat| seat.address == address;
        let full = taken.seats.len() >= limits.everybody;
        let leaving = if taken.strangers(of_here) >= here {
            taken.next_stranger(of_here)
        } else if taken.strangers(|_| true) >= limits.strangers {
            taken.next_stranger(|_| true)
        } else if full {
            taken.next_stranger(|_| true).or_else(|| taken.longest_idle())
        } else {
            None
        };
        match leaving {
            Some(leaving) if taken.came_only_now(leaving, limits.patience) => return Place::InAMoment,
            Some(leaving) => taken.let_go(leaving),
            None if full => return Place::None,
            None => {}
        }
        let number = taken.next;
        taken.next += 1;
        let seat = Arc::new(Seat::new(number, address, Arc::downgrade(places)));
        taken.seats.insert(number, seat.clone());
        Place::Yours(seat)
    }

    /// A connection is closed.
    pub fn leave(&self, number: u64) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.seats.remove(&number);
    }
}

impl Taken {
    fn strangers(&self, of_kind: impl Fn(&Seat) -> bool) -> usize {
        let strangers = self.seats.values().filter(|seat| !seat.is_admitted());
        strangers.filter(|seat| of_kind(seat)).count()
    }

    fn came_only_now(&self, number: u64, patience: Duration) -> bool {
        let seat = self.seats.get(&number);
        seat.is_some_and(|seat| seat.state() == SeatState::Silent && seat.came.elapsed() < patience)
    }

    fn next_stranger(&self, of_kind: impl Fn(&Seat) -> bool) -> Option<u64> {
        let strangers = self
            .seats
            .iter()
            .filter(|(_, seat)| !seat.is_admitted() && of_kind(seat));
        strangers
            .min_by_key(|(number, seat)| (seat.state(), **number))
            .map(|(number, _)| *number)
    }

    fn longest_idle(&self) -> Option<u64> {
        let mut idle = self
            .seats
            .iter()
            .filter(|(_, seat)| seat.state() != SeatState::Answered);
        idle.next().map(|(number, _)| *number)
    }

    /// The place is free at once, the connection a moment later.
    fn let_go(&mut self, number: u64) {
        if let Some(seat) = self.seats.remove(&number) {
            tracing::debug!(number, "a connection was let go, because others came");
            seat.ask_to_leave();
        }
    }
}

/// What counts as one address: networks of IPv6 are given out by their first half.
fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        other => other,
    }
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod places_tests;
