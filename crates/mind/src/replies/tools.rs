//! The tools of a reply: what the look-ups of one may use, and how the calls of an answer are taken up.

use settings::Settings;
use vocabulary::{ModelAnswer, ToolCall};

use super::ReplyContext;
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

/// Runs what may be run, and answers the rest with why not.
pub(super) fn run_tools(
    turn: &mut Turn,
    answer: &ModelAnswer,
    context: &ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    let offered = reply_tools(step.settings, context.watch.in_view().is_some(), step.outside);
    let place = Workplace {
        owner: Owner::Replies(context.room.clone()),
        room: context.room,
        turn: turn.id,
        scope: turn.scope(context.room),
        view: step.view(context.room, vec![turn.burst.author.clone()]),
        offered: &offered,
    };
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
}
