//! When heartbeats are due, and how long to wait before connecting again.

use vocabulary::{Moment, Span};

/// What is used where a server's own interval makes no sense.
const USUAL: u64 = 13_750;
const SHORTEST: u64 = 1_000;
const LONGEST: u64 = 60_000;
const FIRST_WAIT: u64 = 500;
const LONGEST_WAIT: u64 = 30_000;
/// A connection that lasted this long was a good one.
const LASTED: Span = Span::seconds(30);

/// Heartbeats of one connection.
#[derive(Clone, Debug)]
pub(crate) struct VoiceHeart {
    interval: Span,
    next: Moment,
    /// When the one was sent that is not answered yet.
    unanswered: Option<Moment>,
}

/// What a due heartbeat comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VoiceBeat {
    Due,
    /// The last one was never answered: the other side is gone, though nobody closed anything.
    Dead,
}

impl VoiceHeart {
    pub fn new(now: Moment, interval: Option<u64>, part: f64) -> Self {
        let interval = interval.filter(|interval| *interval > 0).unwrap_or(USUAL);
        let interval = interval.clamp(SHORTEST, LONGEST);
        Self {
            interval: Span(interval),
            next: now + Span((interval as f64 * part.clamp(0.0, 1.0)) as u64),
            unanswered: None,
        }
    }

    pub fn next(&self) -> Moment {
        self.next
    }

    /// None: it is not time yet.
    pub fn beat(&mut self, now: Moment) -> Option<VoiceBeat> {
        if now < self.next {
            return None;
        }
        if self.unanswered.is_some() {
            return Some(VoiceBeat::Dead);
        }
        self.unanswered = Some(now);
        self.next = now + self.interval;
        Some(VoiceBeat::Due)
    }

    /// How long the answer took, where one was awaited.
    pub fn answered(&mut self, now: Moment) -> Option<Span> {
        self.unanswered.take().map(|sent| now.since(sent))
    }
}

/// Waits between connections: half of each is chance.
#[derive(Clone, Debug, Default)]
pub(crate) struct VoiceWaits {
    failures: u32,
    live_since: Option<Moment>,
}

impl VoiceWaits {
    pub fn live(&mut self, now: Moment) {
        self.live_since = Some(now);
    }

    /// The connection is lost. `part` of the wait is chance.
    pub fn lost(&mut self, now: Moment, part: f64) -> Span {
        let since = self.live_since.take();
        if since.is_some_and(|since| now.since(since) >= LASTED) {
            self.failures = 0;
        } else {
            self.failures = self.failures.saturating_add(1);
        }
        let wait = (FIRST_WAIT << self.failures.min(10)).min(LONGEST_WAIT);
        Span(wait / 2 + (wait as f64 / 2.0 * part.clamp(0.0, 1.0)) as u64)
    }

    /// How many connections in a row came to nothing, or did not last.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// Another server: what happened with the last one does not count.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beat_that_is_not_answered_before_the_next_means_a_dead_connection() {
        let mut heart = VoiceHeart::new(Moment(0), Some(10_000), 0.5);
        assert_eq!(heart.beat(Moment(4_999)), None);
        assert_eq!(heart.beat(Moment(5_000)), Some(VoiceBeat::Due));
        assert_eq!(heart.answered(Moment(5_080)), Some(Span(80)));
        assert_eq!(heart.answered(Moment(5_090)), None);
        assert_eq!(heart.beat(Moment(15_000)), Some(VoiceBeat::Due));
        assert_eq!(heart.beat(Moment(25_000)), Some(VoiceBeat::Dead));
    }

    #[test]
    fn waits_grow_until_a_connection_lasts() {
        let mut waits = VoiceWaits::default();
        let grown: Vec<u64> = (0..8).map(|_| waits.lost(Moment(0), 1.0).0).collect();
        assert_eq!(
            grown,
            [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]
        );
        assert_eq!(waits.failures(), 8);
        waits.live(Moment(0));
        assert_eq!(
            waits.lost(Moment(29_999), 0.0).0,
            15_000,
            "a short one counts as a failure"
        );
        waits.live(Moment(0));
        assert_eq!(waits.lost(Moment(30_000), 0.0).0, 250);
        assert_eq!(waits.failures(), 0);
    }
}
