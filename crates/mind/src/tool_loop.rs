//! The bounded loop in which a model uses tools, shared by replies and thoughts: so many rounds, so many calls, so much
//! time. Every call gets exactly one result; then the model is asked for its answer without tools.

use serde::{Deserialize, Serialize};
use vocabulary::{
    ChatTurn, JournalSeq, ModelAnswer, Moment, RoomId, Span, ToolCall, ToolResult, ToolRunId, ToolSpec,
    TurnId, Viewpoint,
};

use crate::desk::Desk;
use crate::effect::Wake;
use crate::journal::Scope;

/// What one loop may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ToolBudget {
    pub steps: u64,
    pub calls: u64,
    /// From the first call on.
    pub time: Span,
}

/// Where a loop runs, and for whom it looks things up.
#[derive(Debug)]
pub(crate) struct Workplace<'a> {
    pub room: &'a RoomId,
    pub turn: TurnId,
    pub scope: Scope,
    pub view: Viewpoint,
    /// What the model was offered; nothing else is run.
    pub offered: &'a [ToolSpec],
}

/// What the mind itself answers to a call, without anybody outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    Done(String),
    Refused(String),
}

/// One loop, from the first call to the last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ToolLoop {
    pub steps: u64,
    pub calls: u64,
    /// When the first call was taken up.
    pub began: Option<Moment>,
    /// The rounds that are finished, as the model sees them.
    pub turns: Vec<ChatTurn>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    round: Option<Round>,
}

/// A round under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Round {
    runs: Vec<OpenRun>,
    started: Moment,
    deadline: Moment,
}

/// A call that has, or waits for, its one result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OpenRun {
    /// None where nobody outside runs it.
    run: Option<ToolRunId>,
    call: ToolCall,
    result: Option<ToolResult>,
}

impl ToolLoop {
    /// Whether the model may be offered tools (once more).
    pub fn may_go_on(&self, budget: &ToolBudget, now: Moment) -> bool {
        let _ = now;
        self.steps < budget.steps && self.calls < budget.calls
    }

    /// Takes up the calls of an answer: each is run outside, answered by `inside`, or refused. Says the newest line of
    /// the journal.
    pub fn take_up(
        &mut self,
        answer: &ModelAnswer,
        place: &Workplace<'_>,
        budget: &ToolBudget,
        inside: &mut dyn FnMut(&ToolCall) -> Option<Inside>,
        desk: &mut Desk<'_>,
    ) -> Option<JournalSeq> {
        let _ = (answer, place, budget, inside, desk);
        None
    }

    /// Whether it waits for this run.
    pub fn waits_for(&self, run: ToolRunId) -> bool {
        let mut runs = self.round.iter().flat_map(|round| &round.runs);
        runs.any(|open| open.run == Some(run) && open.result.is_none())
    }

    /// A tool it waits for has ended.
    pub fn tool_ended(
        &mut self,
        run: ToolRunId,
        result: &ToolResult,
        place: &Workplace<'_>,
        desk: &mut Desk<'_>,
    ) -> Option<JournalSeq> {
        let _ = (run, result, place, desk);
        None
    }

    /// The round has had its time: calls without a result are answered with that.
    pub fn time_out(&mut self) {}

    /// No result will come any more, because the process ended: what is open is answered at once.
    pub fn interrupted(&mut self) {}

    /// Closes the round once every call is answered; whether it did (or none is open).
    pub fn close_round(&mut self) -> bool {
        true
    }

    /// When the round has had its time.
    pub fn next_wake(&self) -> Option<Wake> {
        None
    }
}
