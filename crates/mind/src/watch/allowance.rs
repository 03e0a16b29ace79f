//! What watching may cost: so many calls an hour. A quarter of them may come at once, the rest are spread evenly, so that
//! a screen is never left alone for the rest of an hour.

use serde::{Deserialize, Serialize};
use settings::StreamWatchSettings;
use vocabulary::{Moment, Span};

/// A moment that never comes.
pub const NEVER: Moment = Moment(u64::MAX);

const HOUR: Span = Span::hours(1);
/// So large a part of an hour's calls may come at once.
const AT_ONCE: u64 = 4;
/// So large a part of them is for comments; the rest is for notes.
const COMMENTS: u64 = 3;

/// Calls that are kept apart, so that neither kind takes the other's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    Note,
    Comment,
}

/// What of an hour's calls of one kind is spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Allowance {
    /// When all of it is there again.
    whole_at: Moment,
}

impl Allowance {
    /// The first moment for another call; `NEVER` where none is allowed.
    pub fn next(&self, kind: CallKind, settings: &StreamWatchSettings) -> Moment {
        match pace(kind, settings) {
            Some((at_once, every)) => self.whole_at - Span(every.0 * (at_once - 1)),
            None => NEVER,
        }
    }

    /// A call is made.
    pub fn spend(&mut self, now: Moment, kind: CallKind, settings: &StreamWatchSettings) {
        if let Some((_, every)) = pace(kind, settings) {
            self.whole_at = self.whole_at.max(now) + every;
        }
    }
}

/// How many may come at once, and how long one takes to come back; none where none is allowed.
fn pace(kind: CallKind, settings: &StreamWatchSettings) -> Option<(u64, Span)> {
    let all = settings.max_calls_per_hour;
    let comments = all / COMMENTS;
    let calls = match kind {
        CallKind::Note => all - comments,
        CallKind::Comment => comments,
    };
    let at_once = (calls / AT_ONCE).max(1);
    let every = Span(HOUR.0.div_ceil((calls - at_once.min(calls)).max(1)));
    (calls > 0).then_some((at_once, every))
}

#[cfg(test)]
#[path = "allowance_tests.rs"]
mod allowance_tests;
