//! Heartbeats of one connection: when the next is due, and whether the last was answered.

use vocabulary::{Moment, Span};

/// What is used where a server's own interval makes no sense.
const USUAL: u64 = 41_250;
const SHORTEST: u64 = 1_000;
const LONGEST: u64 = 600_000;

#[derive(Clone, Debug)]
pub struct Heart {
    interval: Span,
    next: Moment,
    /// When the one was sent that is not answered yet.
    unanswered: Option<Moment>,
}

/// What a due heartbeat comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    Due,
    /// The last one was never answered: the other side is gone, though nobody closed anything.
    Dead,
}

impl Heart {
    /// The first beat comes after a part of the interval, so that many shards do not beat as one.
    pub fn new(now: Moment, interval: Option<u64>, part: f64) -> Self {
        let interval = interval.filter(|interval| *interval > 0).unwrap_or(USUAL);
        let interval = interval.clamp(SHORTEST, LONGEST);
        let first = (interval as f64 * part.clamp(0.0, 1.0)) as u64;
        Self {
            interval: Span(interval),
            next: now + Span(first),
            unanswered: None,
        }
    }

    pub fn next(&self) -> Moment {
        self.next
    }

    /// None: it is not time yet.
    pub fn beat(&mut self, now: Moment) -> Option<Beat> {
        if now < self.next {
            return None;
        }
        if self.unanswered.is_some() {
            return Some(Beat::Dead);
        }
        self.unanswered = Some(now);
        self.next = now + self.interval;
        Some(Beat::Due)
    }

    /// How long the answer took, where one was awaited.
    pub fn answered(&mut self, now: Moment) -> Option<Span> {
        self.unanswered.take().map(|sent| now.since(sent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beat_that_is_not_answered_before_the_next_means_a_dead_connection() {
        let mut heart = Heart::new(Moment(0), Some(10_000), 0.5);
        assert_eq!(heart.beat(Moment(4_999)), None);
        assert_eq!(heart.beat(Moment(5_000)), Some(Beat::Due));
        assert_eq!(heart.answered(Moment(5_080)), Some(Span(80)));
        assert_eq!(heart.answered(Moment(5_090)), None);
        assert_eq!(heart.beat(Moment(15_000)), Some(Beat::Due));
        assert_eq!(heart.beat(Moment(20_000)), None);
        assert_eq!(heart.beat(Moment(25_000)), Some(Beat::Dead));
    }

    #[test]
    fn an_interval_that_makes_no_sense_is_not_kept() {
        for (told, kept) in [
            (None, 41_250),
            (Some(0), 41_250),
            (Some(1), 1_000),
            (Some(u64::MAX), 600_000),
        ] {
            let mut heart = Heart::new(Moment(0), told, 0.0);
            heart.beat(Moment(0));
            assert_eq!(heart.next(), Moment(kept), "{told:?}");
        }
    }
}
