//! How long to wait before connecting again, and how much may be said in a minute.

use std::collections::VecDeque;

use vocabulary::{Moment, Span};

/// A connection that lasted this long was a good one.
const LASTED: Span = Span::seconds(30);
const FIRST_WAIT: u64 = 1_000;
const LONGEST_WAIT: u64 = 60_000;
/// A server that lets nobody in is not asked often: sessions are counted by the day.
const REFUSED_WAIT: u64 = 300_000;
/// So many refused logins in a row are a pattern.
const REFUSALS: u32 = 5;

/// 120 in a minute is what Discord allows; heartbeats and logins have the rest.
const SAID_MAX: usize = 110;
const MINUTE: Span = Span::minutes(1);

/// Waits between connections.
#[derive(Clone, Debug, Default)]
pub struct ReconnectWaits {
    failures: u32,
    refusals: u32,
    live_since: Option<Moment>,
}

impl ReconnectWaits {
    pub fn live(&mut self, now: Moment) {
        self.live_since = Some(now);
        self.refusals = 0;
    }

    /// A login was answered by closing the connection.
    pub fn refused(&mut self) {
        self.refusals = self.refusals.saturating_add(1);
    }

    /// Whether the server seems to let nobody in, though it never says why.
    pub fn is_refused(&self) -> bool {
        self.refusals >= REFUSALS
    }

    /// The connection is lost. `part` of the wait is chance.
    pub fn lost(&mut self, now: Moment, part: f64) -> Span {
        let lasted = self
            .live_since
            .take()
            .is_some_and(|since| now.since(since) >= LASTED);
        let wait = if lasted {
            self.failures = 0;
            FIRST_WAIT
        } else {
            self.failures = self.failures.saturating_add(1);
            (FIRST_WAIT << self.failures.min(10)).min(LONGEST_WAIT)
        };
        let wait = if self.is_refused() { REFUSED_WAIT } else { wait };
        Span(wait / 2 + (wait as f64 / 2.0 * part.clamp(0.0, 1.0)) as u64)
    }

    /// How many connections in a row came to nothing.
    pub fn failures(&self) -> u32 {
        self.failures
    }
}

/// What was said in the last minute on one connection.
#[derive(Clone, Debug, Default)]
pub struct MinuteWindow(VecDeque<Moment>);

impl MinuteWindow {
    /// Whether something more may be said now; if so, it is counted.
    pub fn take(&mut self, now: Moment) -> bool {
        while self.0.front().is_some_and(|said| now.since(*said) >= MINUTE) {
            self.0.pop_front();
        }
        let free = self.0.len() < SAID_MAX;
        if free {
            self.0.push_back(now);
        }
        free
    }

    /// When there is room again.
    pub fn free_at(&self) -> Moment {
        match self.0.front() {
            Some(first) if self.0.len() >= SAID_MAX => *first + MINUTE,
            _ => Moment::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_while_nothing_lasts_and_are_short_after_what_did() {
        let mut waits = ReconnectWaits::default();
        let grown: Vec<u64> = (0..8).map(|_| waits.lost(Moment(0), 1.0).0).collect();
        assert_eq!(
            grown,
            [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]
        );
        waits.live(Moment(0));
        assert_eq!(waits.lost(Moment(29_000), 0.0), Span(30_000));
        waits.live(Moment(40_000));
        assert_eq!(waits.lost(Moment(70_000), 0.0), Span(500));
    }

    #[test]
    fn a_server_that_lets_nobody_in_is_asked_seldom() {
        let mut waits = ReconnectWaits::default();
        for _ in 0..REFUSALS {
            assert!(!waits.is_refused());
            waits.refused();
        }
        assert!(waits.lost(Moment(0), 0.0) >= Span(150_000));
        waits.live(Moment(0));
        assert!(!waits.is_refused());
    }

    #[test]
    fn a_minute_has_room_for_so_much() {
        let mut window = MinuteWindow::default();
        assert!((0..SAID_MAX).all(|_| window.take(Moment(5))));
        assert!(!window.take(Moment(59_999)));
        assert_eq!(window.free_at(), Moment(60_005));
        assert!(window.take(Moment(60_005)));
    }
}
