//! When a shard may begin a session: Discord wants five seconds between two of one bucket, and only so many a day.

use std::collections::{BTreeMap, VecDeque};

use vocabulary::{Moment, Span};

use super::StartLimit;

/// Five seconds, and a little for clocks that differ.
const SPACING: Span = Span(5_250);

/// Hands out turns, in the order they were asked for.
#[derive(Clone, Debug)]
pub struct IdentifyTurns {
    limit: StartLimit,
    left: u64,
    /// When the count begins anew.
    resets_at: Moment,
    waiting: VecDeque<u32>,
    /// When a bucket may have its next turn.
    next: BTreeMap<u32, Moment>,
}

impl IdentifyTurns {
    pub fn new(limit: StartLimit, now: Moment) -> Self {
        Self {
            left: limit.remaining,
            resets_at: now + limit.resets_in,
            limit,
            waiting: VecDeque::new(),
            next: BTreeMap::new(),
        }
    }

    pub fn ask(&mut self, shard: u32) {
        if !self.waiting.contains(&shard) {
            self.waiting.push_back(shard);
        }
    }

    /// The shard has lost its connection, and asks again when it has one.
    pub fn withdraw(&mut self, shard: u32) {
        self.waiting.retain(|waiting| *waiting != shard);
    }

    /// Who may begin now.
    pub fn grant(&mut self, now: Moment) -> Vec<u32> {
        if now >= self.resets_at {
            self.left = self.limit.total;
            self.resets_at = now + StartLimit::DAY;
        }
        let mut granted = Vec::new();
        let mut still = VecDeque::new();
        while let Some(shard) = self.waiting.pop_front() {
            let bucket = self.bucket(shard);
            if self.left == 0 || self.next.get(&bucket).is_some_and(|next| *next > now) {
                still.push_back(shard);
                continue;
            }
            self.left -= 1;
            self.next.insert(bucket, now + SPACING);
            granted.push(shard);
        }
        self.waiting = still;
        granted
    }

    /// When somebody may have a turn; none: nobody waits.
    pub fn wake(&self) -> Option<Moment> {
        let next = |shard: &u32| self.next.get(&self.bucket(*shard)).copied().unwrap_or_default();
        let soonest = self.waiting.iter().map(next).min()?;
        let is_spent = self.left == 0;
        Some(if is_spent {
            self.resets_at.max(soonest)
        } else {
            soonest
        })
    }

    /// How many sessions may begin before the count does anew.
    pub fn left(&self) -> u64 {
        self.left
    }

    fn bucket(&self, shard: u32) -> u32 {
        shard % self.limit.at_once.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(remaining: u64, at_once: u32) -> IdentifyTurns {
        let limit = StartLimit {
            total: 1_000,
            remaining,
            resets_in: Span::hours(1),
            at_once,
        };
        IdentifyTurns::new(limit, Moment(0))
    }

    #[test]
    fn turns_of_a_bucket_keep_their_distance_and_buckets_do_not_wait_for_each_other() {
        let mut turns = turns(100, 2);
        for shard in 0..4 {
            turns.ask(shard);
        }
        assert_eq!(turns.grant(Moment(0)), [0, 1]);
        assert_eq!(turns.wake(), Some(Moment(0) + SPACING));
        assert!(turns.grant(Moment(5_000)).is_empty());
        assert_eq!(turns.grant(Moment(0) + SPACING), [2, 3]);
        assert_eq!(turns.wake(), None);
    }

    #[test]
    fn when_the_day_is_spent_it_waits_for_the_next() {
        let mut turns = turns(1, 16);
        turns.ask(0);
        turns.ask(1);
        turns.ask(1);
        assert_eq!(turns.grant(Moment(0)), [0]);
        assert_eq!(turns.left(), 0);
        let next_day = Moment(0) + Span::hours(1);
        assert_eq!(turns.wake(), Some(next_day));
        assert_eq!(turns.grant(next_day), [1]);
        assert_eq!(turns.left(), 999);
    }

    #[test]
    fn whoever_lost_the_connection_takes_no_turn() {
        let mut turns = turns(5, 1);
        turns.ask(3);
        turns.withdraw(3);
        assert!(turns.grant(Moment(0)).is_empty());
        assert_eq!(turns.left(), 5);
    }
}
