//! How calls are taken up: each leaves its lines in the journal, one because of the other.

use vocabulary::{JournalSeq, Span, ToolCall, ToolRunId};

use super::Workplace;
use super::round::OpenRun;
use crate::effect::{Effect, ToolRun};
use crate::journal::{JournalEvent, Scope};
use crate::prompt::shown_result;
use crate::step_context::StepContext;

/// Lines of the journal, each because of the one before it.
pub(super) struct Chain {
    scope: Scope,
    pub newest: Option<JournalSeq>,
}

impl Chain {
    pub fn of(place: &Workplace<'_>) -> Self {
        Self {
            scope: place.scope.clone(),
            newest: None,
        }
    }

    fn note(&mut self, event: JournalEvent, step: &mut StepContext<'_>) {
        let seq = step.ledger.write(self.scope.clone(), event);
        self.scope.cause = Some(seq);
        self.newest = Some(seq);
    }

    /// Wants it run out there.
    pub fn start(
        &mut self,
        call: &ToolCall,
        deadline: Span,
        place: &Workplace<'_>,
        step: &mut StepContext<'_>,
    ) -> OpenRun {
        let run = self.begin(call, step);
        step.ledger.want(Effect::RunTool(Box::new(ToolRun {
            run,
            room: place.room.clone(),
            turn: place.turn,
            call: call.clone(),
            view: place.view.clone(),
            deadline,
        })));
        OpenRun::waiting(Some(run), call)
    }

    /// Its result is brought by whoever uses the loop.
    pub fn wait(&mut self, call: &ToolCall, step: &mut StepContext<'_>) -> OpenRun {
        let run = self.begin(call, step);
        OpenRun {
            later: true,
            ..OpenRun::waiting(Some(run), call)
        }
    }

    /// The mind itself has answered it.
    pub fn complete(&mut self, call: &ToolCall, text: &str, step: &mut StepContext<'_>) -> OpenRun {
        let run = self.begin(call, step);
        let text = shown_result(&call.name, text);
        let event = JournalEvent::ToolCompleted {
            run,
            tool: call.name.clone(),
            failed: false,
            characters: text.chars().count(),
            took: Span::ZERO,
        };
        self.note(event, step);
        OpenRun::answered(call, text, false)
    }

    pub fn refuse(&mut self, call: &ToolCall, why: String, step: &mut StepContext<'_>) -> OpenRun {
        let event = JournalEvent::ToolRefused {
            tool: call.name.clone(),
            why: why.clone(),
        };
        self.note(event, step);
        OpenRun::answered(call, why, true)
    }

    fn begin(&mut self, call: &ToolCall, step: &mut StepContext<'_>) -> ToolRunId {
        let run = step.counters.tool_run.take_next();
        let tool = call.name.clone();
        self.note(JournalEvent::ToolStarted { run, tool }, step);
        run
    }
}
