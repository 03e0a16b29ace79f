//! One round of the loop: the calls of one answer, each with the result it has or waits for.

use serde::{Deserialize, Serialize};
use vocabulary::{Moment, ToolCall, ToolResult, ToolRunId};

/// A round under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Round {
    /// In the order of the calls, so that two with the same id keep apart.
    pub runs: Vec<OpenRun>,
    pub started: Moment,
    /// When the last of its calls has had its time.
    pub deadline: Moment,
}

/// A call that has, or waits for, its one result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OpenRun {
    /// None where nobody outside runs it.
    pub run: Option<ToolRunId>,
    pub call: ToolCall,
    pub result: Option<ToolResult>,
    /// Whoever uses the loop brings its result, and no tool outside.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub later: bool,
}

impl Round {
    pub fn begun(started: Moment) -> Self {
        Self {
            runs: Vec::new(),
            started,
            deadline: started,
        }
    }

    pub fn waits_for(&self, run: ToolRunId) -> bool {
        self.runs.iter().any(|open| open.is_open(run))
    }

    /// The runs of tools outside that have no result yet.
    pub fn open_runs(&self) -> impl Iterator<Item = ToolRunId> {
        let open = self.runs.iter().filter(|open| open.result.is_none());
        open.filter(|open| !open.later).filter_map(|open| open.run)
    }

    /// The run without a result that no tool outside brings.
    pub fn brought_later(&self) -> Option<ToolRunId> {
        let mut open = self.runs.iter().filter(|open| open.result.is_none());
        open.find(|open| open.later)?.run
    }

    pub fn open_mut(&mut self, run: ToolRunId) -> Option<&mut OpenRun> {
        self.runs.iter_mut().find(|open| open.is_open(run))
    }
}

impl OpenRun {
    pub fn waiting(run: Option<ToolRunId>, call: &ToolCall) -> Self {
        Self {
            run,
            call: call.clone(),
            result: None,
            later: false,
        }
    }

    pub fn answered(call: &ToolCall, text: String, failed: bool) -> Self {
        let mut open = Self::waiting(None, call);
        open.answer(text, failed);
        open
    }

    /// Gives the call its result, under the id the provider knows it by.
    pub fn answer(&mut self, text: String, failed: bool) {
        self.result = Some(ToolResult {
            call_id: self.call.id.clone(),
            name: self.call.name.clone(),
            text,
            failed,
        });
    }

    fn is_open(&self, run: ToolRunId) -> bool {
        self.run == Some(run) && self.result.is_none()
    }
}
