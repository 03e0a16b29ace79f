//! The model asked for tools while it writes a reply: the loop runs them, then the model is asked again.

use settings::Settings;
use vocabulary::{ModelAnswer, ToolCall, ToolResult, ToolRunId, ToolSpec};

use super::room::TextRoom;
use super::turn::{Stage, Turn};
use crate::prompt::{LOOK_TOOL, reply_tools};
use crate::step_context::StepContext;
use crate::step_context::flight::Owner;
use crate::tool_loop::{Inside, TOOL_WALL_TIME, ToolBudget, Workplace};

const LOOKED: &str = "The current picture of the screen is attached to the message you answer.";

/// What the look-ups of one reply may use.
pub(super) fn reply_budget(settings: &Settings) -> ToolBudget {
    ToolBudget {
        steps: settings.reply_followup.max_tool_steps,
        calls: settings.reply_followup.max_tool_calls,
        time: TOOL_WALL_TIME,
    }
}

impl TextRoom {
    /// The tools there are for a reply here and now.
    pub(super) fn tools_at_hand(&self, step: &StepContext<'_>) -> Vec<ToolSpec> {
        reply_tools(step.settings, self.watch.in_view().is_some(), step.outside)
    }

    /// Runs what may be run, and answers the rest with why not.
    pub(super) fn run_tools(&mut self, mut turn: Turn, answer: &ModelAnswer, step: &mut StepContext<'_>) {
        let offered = self.tools_at_hand(step);
        let place = self.workplace(&turn, &offered, step);
        let mut looks = false;
        // Nothing to run: the picture goes with the next question.
        let mut inside = |call: &ToolCall| {
            (call.name == LOOK_TOOL).then(|| {
                looks = true;
                Inside::Done(LOOKED.to_owned())
            })
        };
        let budget = reply_budget(step.settings);
        let newest = turn.tools.take_up(answer, &place, &budget, &mut inside, step);
        turn.cause = newest.unwrap_or(turn.cause);
        turn.looks_at_screen |= looks;
        turn.stage = Stage::RunningTools {};
        self.go_on_when_answered(turn, step);
    }

    pub fn tool_ended(&mut self, run: ToolRunId, result: &ToolResult, step: &mut StepContext<'_>) {
        let waits = |turn: &mut Turn| turn.tools.waits_for(run);
        let Some(mut turn) = self.turn.take_if(waits) else {
            return;
        };
        let newest = turn.tools.tool_ended(run, result, turn.scope(&self.id), step);
        turn.cause = newest.unwrap_or(turn.cause);
        self.go_on_when_answered(turn, step);
    }

    pub(super) fn tools_timed_out(&mut self, mut turn: Turn, step: &mut StepContext<'_>) {
        turn.tools.time_out();
        self.go_on_when_answered(turn, step);
    }

    /// The process ended meanwhile: no result will come any more.
    pub(super) fn tools_interrupted(&mut self, mut turn: Turn, step: &mut StepContext<'_>) {
        turn.tools.interrupted();
        self.go_on_when_answered(turn, step);
    }

    fn go_on_when_answered(&mut self, mut turn: Turn, step: &mut StepContext<'_>) {
        if turn.tools.close_round() {
            self.generate(turn, step);
        } else {
            self.turn = Some(turn);
        }
    }

    fn workplace<'a>(
        &'a self,
        turn: &Turn,
        offered: &'a [ToolSpec],
        step: &StepContext<'_>,
    ) -> Workplace<'a> {
        Workplace {
            owner: Owner::Replies(self.id.clone()),
            room: &self.id,
            turn: turn.id,
            scope: turn.scope(&self.id),
            view: step.view(&self.id, vec![turn.burst.author.clone()]),
            offered,
        }
    }
}
