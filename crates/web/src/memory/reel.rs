//! A list that is read page by page and can be left and taken up again in the middle of a page.

use std::collections::VecDeque;

use runtime::ports::Page;
use serde::{Deserialize, Serialize};

/// Where to go on: so many records after the start of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Spot {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    skip: usize,
}

/// The list itself, of whichever records.
pub(super) struct Reel<T> {
    start: Spot,
    next: Option<String>,
    ahead: VecDeque<T>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unread,
    Read,
    Ended,
}

impl<T> Reel<T> {
    /// Begins at a spot; none: there is nothing left.
    pub fn at(spot: Option<Spot>) -> Self {
        Self {
            state: if spot.is_some() {
                State::Unread
            } else {
                State::Ended
            },
            start: spot.unwrap_or_default(),
            next: None,
            ahead: VecDeque::new(),
        }
    }

    /// After which place to read on before anything can be said of what comes next; none where that is known.
    pub fn wants(&mut self) -> Option<Option<String>> {
        if !self.ahead.is_empty() || self.state == State::Ended {
            return None;
        }
        if self.state == State::Read {
            let Some(next) = self.next.take() else {
                self.state = State::Ended;
                return None;
            };
            self.start = Spot {
                after: Some(next),
                skip: 0,
            };
            self.state = State::Unread;
        }
        Some(self.start.after.clone())
    }

    /// The page that was wanted.
    pub fn put(&mut self, page: Page<T>) {
        self.ahead = page.items.into_iter().skip(self.start.skip).collect();
        self.next = page.next;
        self.state = State::Read;
    }

    /// The record that comes next.
    pub fn peek(&self) -> Option<&T> {
        self.ahead.front()
    }

    /// Takes the record that comes next.
    pub fn take(&mut self) -> Option<T> {
        let taken = self.ahead.pop_front()?;
        self.start.skip += 1;
        Some(taken)
    }

    /// Where to go on another time; none where nothing is left.
    pub fn spot(&self) -> Option<Spot> {
        match (self.state, self.ahead.is_empty(), &self.next) {
            (State::Ended, ..) | (State::Read, true, None) => None,
            (State::Read, true, Some(next)) => Some(Spot {
                after: Some(next.clone()),
                skip: 0,
            }),
            _ => Some(self.start.clone()),
        }
    }
}
