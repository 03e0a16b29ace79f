//! The whole text behind the latest notes: a note has room for a few lines only, and a line that it had no room for
//! must not be taken for a new one later.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use runtime::ports::ReadLine;
use vocabulary::CommunityId;

use super::likeness::Gist;

/// Of each community: more than it has screens watched at once.
const KEPT_MAX: usize = 32;
/// Of all together; those that were kept longest go.
const KEPT_IN_ALL_MAX: usize = 512;

/// What was read for each of the latest notes. Lost with the process: then the notes themselves have to do.
#[derive(Debug, Default)]
pub(crate) struct Glances(Mutex<VecDeque<Glance>>);

#[derive(Debug)]
struct Glance {
    /// None: whoever asks outside of any.
    community: Option<CommunityId>,
    note: Gist,
    lines: Vec<ReadLine>,
}

impl Glances {
    pub(super) fn keep(&self, whose: Option<&CommunityId>, note: String, lines: Vec<ReadLine>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = |glance: &Glance| glance.community.as_ref() == whose;
        if kept.iter().filter(|glance| own(glance)).count() >= KEPT_MAX {
            let oldest = kept.iter().position(own);
            oldest.and_then(|oldest| kept.remove(oldest));
        } else if kept.len() >= KEPT_IN_ALL_MAX {
            kept.pop_front();
        }
        kept.push_back(Glance {
            community: whose.cloned(),
            note: Gist::of(&note),
            lines,
        });
    }

    /// What was read in this community when this note was taken. It may have been tidied since.
    pub(super) fn behind(&self, whose: Option<&CommunityId>, note: &str) -> Option<Vec<ReadLine>> {
        let note = Gist::of(note);
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = kept
            .iter()
            .rev()
            .filter(|glance| glance.community.as_ref() == whose);
        let mut like = own.filter(|glance| glance.note.is_like(&note));
        like.next().map(|glance| glance.lines.clone())
    }
}
