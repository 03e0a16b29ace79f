//! A run follows the model through its look-ups: every call is answered, then it is asked again.

use vocabulary::{ModelAnswer, RoomId, ToolResult, ToolRunId, ToolSpec};

use super::run::{Run, Stage};
use super::thinking::{screen_in_view, viewpoint};
use super::{Ambient, Around};
use crate::prompt::thought_tools;
use crate::step_context::StepContext;
use crate::tool_loop::{ToolBudget, Workplace};

impl Ambient {
    pub(super) fn use_tools(
        &mut self,
        mut run: Run,
        answer: &ModelAnswer,
        budget: &ToolBudget,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let (settings, wall) = (step.settings, step.now().wall);
        let screen = screen_in_view(&run.pool, around).is_some();
        let offered = thought_tools(settings, screen, step.outside);
        for call in &answer.tool_calls {
            run.step(wall, "tool", format!("{} {}", call.name, call.arguments), None);
        }
        let room = run.home();
        let place = workplace(&run, &room, &offered, step);
        let mut curation = self.curation(run.trial);
        let cause = run.tools.take_up(
            answer,
            &place,
            budget,
            &mut |call| curation.answer(call, settings),
            step,
        );
        run.cause = cause.unwrap_or(run.cause);
        run.looks_at_screen |= curation.looked;
        run.adding.append(&mut curation.adding);
        let done = curation.done;
        self.curated(done, &run, step);
        run.stage = Stage::UsingTools;
        self.go_on_when_answered(run, around, step);
    }

    pub fn tool_ended(
        &mut self,
        id: ToolRunId,
        result: &ToolResult,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some(mut run) = self.run.take_if(|run| run.tools.waits_for(id)) else {
            return;
        };
        let room = run.home();
        let place = workplace(&run, &room, &[], step);
        let cause = run.tools.tool_ended(id, result, &place, step);
        run.cause = cause.unwrap_or(run.cause);
        let words = format!(
            "{} {}",
            result.name,
            match result.failed {
                true => format!("failed: {}", result.text.chars().take(200).collect::<String>()),
                false => format!("gave {} characters", result.text.chars().count()),
            }
        );
        run.step(step.now().wall, "tool", words, None);
        self.checked(&mut run, result, step);
        self.go_on_when_answered(run, around, step);
    }

    pub(super) fn go_on_when_answered(
        &mut self,
        mut run: Run,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        if run.tools.close_round() {
            self.ask(run, around, step);
        } else {
            self.run = Some(run);
        }
    }
}

fn workplace<'a>(
    run: &Run,
    room: &'a RoomId,
    offered: &'a [ToolSpec],
    step: &StepContext<'_>,
) -> Workplace<'a> {
    Workplace {
        room,
        turn: run.turn,
        scope: run.scope(),
        view: viewpoint(run, step),
        offered,
    }
}
