//! Who may be connected at once, and who goes when others come.
//!
//! Strangers, who have shown no credential yet, share fewer places than there are, and no address has them all. A
//! stranger who comes is always let in: of those who would be too many the one goes that has waited longest without
//! asking anything, then one that was answered, then the oldest. Who has shown a credential goes only when every place
//! is taken, and never while being answered.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

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
}

impl Limits {
    /// Well below what a process may have open by default, which is 1024 files.
    pub fn usual() -> Self {
        Self {
            everybody: 512,
            strangers: 384,
            from_one_address: 64,
            from_this_machine: 256,
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

    /// A place for whoever comes from an address; none if all are taken by those who are being answered.
    pub fn take(places: &Arc<Self>, address: IpAddr) -> Option<Arc<Seat>> {
        let address = neighbourhood(address);
        let mut taken = places.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let Limits {
            everybody,
            strangers,
            from_one_address,
            from_this_machine,
        } = places.limits;
        let here = if address.is_loopback() {
            from_this_machine
        } else {
            from_one_address
        };
        taken.bound_strangers(here, |seat| seat.address == address);
        taken.bound_strangers(strangers, |_| true);
        if taken.seats.len() >= everybody {
            let leaving = taken.next_stranger(|_| true).or_else(|| taken.longest_idle());
            taken.let_go(leaving?);
        }
        let number = taken.next;
        taken.next += 1;
        let seat = Arc::new(Seat::new(number, address, Arc::downgrade(places)));
        taken.seats.insert(number, seat.clone());
        Some(seat)
    }

    /// A connection is closed.
    pub fn leave(&self, number: u64) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.seats.remove(&number);
    }
}

impl Taken {
    /// Makes room for one more stranger of a kind.
    fn bound_strangers(&mut self, most: usize, of_kind: impl Fn(&Seat) -> bool) {
        let strangers = |seat: &&Arc<Seat>| !seat.is_admitted() && of_kind(seat);
        if self.seats.values().filter(strangers).count() >= most
            && let Some(leaving) = self.next_stranger(&of_kind)
        {
            self.let_go(leaving);
        }
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
