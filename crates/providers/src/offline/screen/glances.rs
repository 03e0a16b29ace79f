//! The whole text behind the latest notes: a note has room for a few lines only, and a line that it had no room for
//! must not be taken for a new one later.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use runtime::ports::ReadLine;

use super::likeness::Gist;

/// More than there are screens watched at once.
const KEPT_MAX: usize = 32;

/// What was read for each of the latest notes. Lost with the process: then the notes themselves have to do.
#[derive(Debug, Default)]
pub(crate) struct Glances(Mutex<VecDeque<(Gist, Vec<ReadLine>)>>);

impl Glances {
    pub(super) fn keep(&self, note: String, lines: Vec<ReadLine>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT_MAX {
            kept.pop_front();
        }
        kept.push_back((Gist::of(&note), lines));
    }

    /// What was read when this note was taken. It may have been tidied since.
    pub(super) fn behind(&self, note: &str) -> Option<Vec<ReadLine>> {
        let note = Gist::of(note);
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().rev().find(|(gist, _)| gist.is_like(&note));
        found.map(|(_, lines)| lines.clone())
    }
}
