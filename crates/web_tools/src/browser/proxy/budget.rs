//! What one browse may use of the network, and what it was refused.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

/// Hosts that were refused; a page that tries more is not remembered longer.
const REFUSALS_MAX: usize = 64;

/// How much one browse may use.
#[derive(Clone, Copy, Debug)]
pub(in crate::browser) struct Limits {
    /// In both directions together.
    pub bytes_max: u64,
    pub connections_max: u64,
    pub open_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes_max: 20_000_000,
            connections_max: 400,
            open_max: 64,
        }
    }
}

/// What is used of it.
#[derive(Debug)]
pub(in crate::browser) struct Budget {
    pub limits: Limits,
    bytes: AtomicU64,
    connections: AtomicU64,
    spent: watch::Sender<bool>,
    refusals: Mutex<Vec<(String, String)>>,
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            bytes: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            spent: watch::Sender::new(false),
            refusals: Mutex::default(),
        }
    }

    pub(super) fn take_connection(&self) -> bool {
        let taken = self.connections.fetch_add(1, Ordering::Relaxed);
        taken < self.limits.connections_max && !self.is_spent()
    }

    /// Counts bytes; an error ends the connection that wants more than there is.
    pub(super) fn spend(&self, bytes: usize) -> io::Result<()> {
        let before = self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        if before + bytes as u64 <= self.limits.bytes_max {
            return Ok(());
        }
        self.spent.send_replace(true);
        Err(io::Error::other("the page has had all the bytes it may have"))
    }

    pub(in crate::browser) fn is_spent(&self) -> bool {
        *self.spent.borrow()
    }

    /// Bytes that went through so far.
    pub(in crate::browser) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Ends when nothing is left.
    pub(in crate::browser) async fn spent(&self) {
        let mut spent = self.spent.subscribe();
        let _ = spent.wait_for(|spent| *spent).await;
    }

    pub(super) fn refuse(&self, host: &str, why: &str) {
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        if refusals.len() < REFUSALS_MAX && !refusals.iter().any(|(known, _)| known == host) {
            refusals.push((host.to_owned(), crate::plain::line(why, 300)));
        }
    }

    /// Why a host was not reached.
    pub(in crate::browser) fn refusal_of(&self, host: &str) -> Option<String> {
        let refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        let known = refusals
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(host));
        known.map(|(_, why)| why.clone())
    }
}
