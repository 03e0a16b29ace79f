//! The last lines of a room: who said them, to whom, when, and whether they asked something.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::{PersonId, WallTime};

use super::look::Look;
use super::slots::Slots;

/// Further back nothing tells whom a line is for.
const LINES_KEPT: usize = 40;
const MILLISECONDS_A_MINUTE: i64 = 60_000;

/// What is known of the last lines, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Trace {
    lines: VecDeque<Traced>,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Traced {
    pub(super) by: PersonId,
    /// Nobody: it was said to the room.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) to: Vec<PersonId>,
    /// Whole minutes: rooms that were learnt from know no seconds.
    pub(super) minute: i64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) asks: bool,
    /// Whom it calls or names outright.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) calls: Vec<PersonId>,
    #[serde(default, skip_serializing_if = "is_plain")]
    pub(super) look: Look,
    #[serde(default, skip_serializing_if = "Slots::is_empty")]
    pub(super) words: Slots,
}

impl Trace {
    /// Takes a line in.
    pub(super) fn observe(&mut self, line: Traced) {
        if self.lines.len() == LINES_KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    /// Lets go of somebody's lines, and of what was said to them.
    pub(super) fn forget(&mut self, person: &PersonId) {
        self.lines.retain(|line| line.by != *person);
        for line in &mut self.lines {
            line.to.retain(|to| to != person);
            line.calls.retain(|called| called != person);
        }
    }

    /// The lines, newest first.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = &Traced> {
        self.lines.iter().rev()
    }
}

fn is_plain(look: &Look) -> bool {
    *look == Look::default()
}

/// The minute in which something was said.
pub(super) fn minute_of(at: WallTime) -> i64 {
    at.0.div_euclid(MILLISECONDS_A_MINUTE)
}

#[cfg(test)]
#[path = "trace_tests.rs"]
mod tests;
