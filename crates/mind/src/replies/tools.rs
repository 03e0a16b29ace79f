//! The tools of a reply: what the look-ups of one may use, and how the calls of an answer are taken up.

use settings::Settings;
use vocabulary::{MediaKind, ModelAnswer, ToolCall, ToolSpec};

use super::ReplyContext;
use super::pictures::{self, Wishes};
use super::turn::{Stage, Turn};
use crate::media::MediaUse;
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

/// What a model is offered for a reply here.
pub(super) fn reply_offer(context: &ReplyContext<'_>, step: &StepContext<'_>) -> Vec<ToolSpec> {
    let media: Vec<MediaKind> = step.media_set_up(MediaUse::Reply).collect();
    let in_view = context.watch.in_view().is_some();
    reply_tools(step.settings, in_view, &media, step.outside)
}

/// Runs what may be run, and answers the rest with why not.
pub(super) fn run_tools(
    turn: &mut Turn,
    answer: &ModelAnswer,
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    let offered = reply_offer(context, step);
    let mut wishes = Wishes::of(turn, answer, context, step);
    let place = Workplace {
        owner: Owner::Replies(context.room.clone()),
        room: context.room,
        turn: turn.id,
        scope: turn.scope(context.room),
        view: step.view(context.room, vec![turn.burst.author.clone()]),
        offered: &offered,
    };
    let mut looks = false;
    // Nothing to run: the picture of the screen goes with the next question.
    let mut inside = |call: &ToolCall| match call.name.as_str() {
        LOOK_TOOL => {
            looks = true;
            Some(Inside::Done(LOOKED.to_owned()))
        }
        _ => wishes.answer(call),
    };
    let budget = reply_budget(step.settings);
    let newest = turn.tools.take_up(answer, &place, &budget, &mut inside, step);
    turn.cause = newest.unwrap_or(turn.cause);
    turn.looks_at_screen |= looks;
    turn.stage = Stage::RunningTools {};
    if let Some(wish) = wishes.wish {
        pictures::order(turn, wish, context, step);
    }
}
