//! What watching costs, and what happened on its time line.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::{FrameId, Moment, Now, Span};

use super::note::NoteTrigger;
use super::view::{CallsView, Mark, MarkKind};

/// Calls that are counted at once; more cannot be made in an hour with a cooldown of a second.
const CALLS_MAX: usize = 4_000;
const CALLS_KEPT: Span = Span::hours(1);
const MARKS_MAX: usize = 400;
const MARKS_KEPT: Span = Span::minutes(10);
/// Longest text of a mark.
const MARK_CHARS_MAX: usize = 400;

/// What watching a room's screens costs, and what happened on its time line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Tally {
    calls: Calls,
    marks: Marks,
}

impl Tally {
    /// Counts a call that was answered; a price of none is one that is not known.
    pub fn call_ended(&mut self, at: Moment, commentary: bool, cost_micro_dollars: Option<u64>) {
        self.calls.count(at, commentary, false, cost_micro_dollars);
    }

    /// Counts a call that was not.
    pub fn call_failed(&mut self, at: Moment, commentary: bool) {
        self.calls.count(at, commentary, true, None);
    }

    /// Something happened on the time line.
    pub fn mark(
        &mut self,
        now: Now,
        kind: MarkKind,
        frame: Option<FrameId>,
        trigger: Option<NoteTrigger>,
        text: &str,
    ) {
        let mark = Mark {
            at: now.wall,
            kind,
            frame,
            trigger,
            text: text.chars().take(MARK_CHARS_MAX).collect(),
        };
        self.marks.add(now.moment, mark);
    }

    /// A mark that is of no note.
    pub fn mark_event(&mut self, now: Now, kind: MarkKind, frame: Option<FrameId>, text: &str) {
        self.mark(now, kind, frame, None, text);
    }

    /// Lets marks go whose text is not wanted any more.
    pub fn retain_marks(&mut self, is_wanted: impl Fn(&str) -> bool) {
        self.marks.0.retain(|kept| is_wanted(&kept.mark.text));
    }

    pub fn calls(&self, now: Moment, watched_for: Option<Span>) -> CallsView {
        self.calls.view(now, watched_for)
    }

    pub fn marks(&self, now: Moment) -> Vec<Mark> {
        self.marks.view(now)
    }
}

/// Calls of the last hour.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Calls(VecDeque<Call>);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Call {
    at: Moment,
    commentary: bool,
    failed: bool,
    cost_micro_dollars: Option<u64>,
}

impl Calls {
    fn count(&mut self, at: Moment, commentary: bool, failed: bool, cost_micro_dollars: Option<u64>) {
        while self.0.len() >= CALLS_MAX || self.0.front().is_some_and(|call| at.since(call.at) > CALLS_KEPT) {
            self.0.pop_front();
        }
        self.0.push_back(Call {
            at,
            commentary,
            failed,
            cost_micro_dollars,
        });
    }

    /// The last hour, and what an hour like it costs. `watched_for` is how long there has been anything to watch.
    fn view(&self, now: Moment, watched_for: Option<Span>) -> CallsView {
        let recent: Vec<&Call> = self
            .0
            .iter()
            .filter(|call| now.since(call.at) <= CALLS_KEPT)
            .collect();
        let count = |wanted: &dyn Fn(&Call) -> bool| recent.iter().filter(|call| wanted(call)).count() as u64;
        let cost: u64 = recent.iter().filter_map(|call| call.cost_micro_dollars).sum();
        let oldest = recent.first().map_or(Span::ZERO, |call| now.since(call.at));
        // A rate of the first seconds says nothing about an hour.
        let span = watched_for.unwrap_or_default().max(oldest).min(CALLS_KEPT);
        let hours = (span.0.max(Span::minutes(1).0)) as f64 / CALLS_KEPT.0 as f64;
        CallsView {
            notes: count(&|call| !call.commentary),
            commentary: count(&|call| call.commentary),
            failed: count(&|call| call.failed),
            cost_micro_dollars: cost,
            unpriced: count(&|call| !call.failed && call.cost_micro_dollars.is_none()),
            calls_per_hour: recent.len() as f64 / hours,
            cost_per_hour_micro_dollars: cost as f64 / hours,
        }
    }
}

/// What happened in the last minutes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Marks(VecDeque<KeptMark>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptMark {
    moment: Moment,
    #[serde(flatten)]
    mark: Mark,
}

impl Marks {
    fn add(&mut self, moment: Moment, mark: Mark) {
        let is_old = |kept: &KeptMark| moment.since(kept.moment) > MARKS_KEPT;
        while self.0.len() >= MARKS_MAX || self.0.front().is_some_and(is_old) {
            self.0.pop_front();
        }
        self.0.push_back(KeptMark { moment, mark });
    }

    fn view(&self, now: Moment) -> Vec<Mark> {
        let recent = self.0.iter().filter(|kept| now.since(kept.moment) <= MARKS_KEPT);
        recent.map(|kept| kept.mark.clone()).collect()
    }
}
