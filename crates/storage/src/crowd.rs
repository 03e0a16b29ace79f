//! Whether many communities write at once. Then those who come within a moment share a wait for the disk; where few do,
//! nobody waits for others.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use vocabulary::CommunityId;

/// So many communities are a crowd, if each wrote within this time.
const CROWD: usize = 16;
const LATELY: Duration = Duration::from_millis(20);
/// In a crowd, what is waited for is written this long after the last time.
const APART: Duration = Duration::from_millis(3);
/// Writes that are remembered.
const REMEMBERED: usize = 128;

/// Who wrote lately, of those who wait until it is on the disk.
#[derive(Debug, Default)]
pub(crate) struct Crowd {
    lately: VecDeque<(Instant, CommunityId)>,
    last: Option<Instant>,
}

impl Crowd {
    pub fn note(&mut self, community: &CommunityId, now: Instant) {
        if self.lately.len() == REMEMBERED {
            self.lately.pop_front();
        }
        self.lately.push_back((now, community.clone()));
    }

    /// What was waited for is on the disk.
    pub fn is_written(&mut self, now: Instant) {
        self.last = Some(now);
    }

    /// Until when others are waited for, if they are.
    pub fn gathers_until(&mut self, now: Instant) -> Option<Instant> {
        while self.lately.front().is_some_and(|(at, _)| *at + LATELY < now) {
            self.lately.pop_front();
        }
        let until = self.last.map(|last| last + APART).filter(|until| now < *until)?;
        let communities: BTreeSet<&CommunityId> = self.lately.iter().map(|(_, its)| its).collect();
        (communities.len() >= CROWD).then_some(until)
    }
}

#[cfg(test)]
#[path = "crowd_tests.rs"]
mod crowd_tests;
