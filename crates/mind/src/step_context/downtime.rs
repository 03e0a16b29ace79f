//! When the process was not there: what something took does not include that.

use serde::{Deserialize, Serialize};
use vocabulary::{Moment, Now, Span};

use crate::input::{Input, ShellEvent};

/// Nothing that is under way lives through more restarts.
const KEPT: usize = 4;

/// The last times that it was away: until when, and for how long.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Downtimes(Vec<(Moment, Span)>);

impl Downtimes {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn learn(&mut self, now: Now, input: &Input) {
        if let Input::Shell(ShellEvent::Restarted { down_for }) = input {
            self.0.push((now.moment, *down_for));
            let more = self.0.len().saturating_sub(KEPT);
            self.0.drain(..more);
        }
    }

    /// How long it was there between two moments.
    pub fn there(&self, since: Moment, now: Moment) -> Span {
        let away = self.0.iter().filter(|(back, _)| since < *back);
        let away: u64 = away.map(|(back, away)| away.0.min(back.since(since).0)).sum();
        Span(now.since(since).0.saturating_sub(away))
    }
}
