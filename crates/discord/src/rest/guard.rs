//! The two limits that are the bot's as a whole: requests in a second, and refused requests in ten minutes.

use std::collections::VecDeque;

use vocabulary::{Moment, Span};

use super::bucket::Opening;

const SECOND: Span = Span(1_000);
/// For how long Discord remembers a refused request.
const MEMORY: Span = Span::minutes(10);
/// Refused requests are counted in slots of this length.
const SLOT: Span = Span::seconds(10);

/// At most so many requests in any second, and none while the server wants quiet.
#[derive(Clone, Debug)]
pub(super) struct GlobalLimit {
    per_second: usize,
    sent: VecDeque<Moment>,
    closed_until: Moment,
}

impl GlobalLimit {
    pub(super) fn new(per_second: usize) -> Self {
        Self {
            per_second: per_second.max(1),
            sent: VecDeque::new(),
            closed_until: Moment::default(),
        }
    }

    pub(super) fn opening(&mut self, now: Moment) -> Opening {
        while self.sent.front().is_some_and(|at| *at + SECOND <= now) {
            self.sent.pop_front();
        }
        if now < self.closed_until {
            return Opening::At(self.closed_until);
        }
        match self.sent.front() {
            Some(first) if self.sent.len() >= self.per_second => Opening::At(*first + SECOND),
            _ => Opening::Now,
        }
    }

    pub(super) fn send(&mut self, now: Moment) {
        self.sent.push_back(now);
    }

    pub(super) fn close(&mut self, now: Moment, wait: Span) {
        self.closed_until = self.closed_until.max(now + wait);
    }
}

/// Counts what was refused (401, 403, 429), since Discord bars an address from which too much of that comes.
#[derive(Clone, Debug)]
pub(super) struct RefusedCount {
    max: u32,
    /// When a slot began, and what was refused in it.
    slots: VecDeque<(Moment, u32)>,
}

impl RefusedCount {
    pub(super) fn new(max: u32) -> Self {
        Self {
            max,
            slots: VecDeque::new(),
        }
    }

    pub(super) fn add(&mut self, now: Moment) {
        match self.slots.back_mut() {
            Some((began, count)) if now < *began + SLOT => *count += 1,
            _ => self.slots.push_back((now, 1)),
        }
    }

    /// How many more may be refused, when each request that is under way is.
    pub(super) fn left(&mut self, now: Moment, under_way: usize) -> u32 {
        while self
            .slots
            .front()
            .is_some_and(|(began, _)| *began + SLOT + MEMORY <= now)
        {
            self.slots.pop_front();
        }
        let refused: u32 = self.slots.iter().map(|(_, count)| count).sum();
        let under_way = u32::try_from(under_way).unwrap_or(u32::MAX);
        self.max.saturating_sub(refused.saturating_add(under_way))
    }

    /// When there is room again, where there is none.
    pub(super) fn forgets_at(&self) -> Option<Moment> {
        self.slots.front().map(|(began, _)| *began + SLOT + MEMORY)
    }
}
