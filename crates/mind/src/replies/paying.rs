//! What a reply takes: of its window, and where it cannot be paid for or its model rests, whoever spoke to Denizen is
//! told so, once.

use vocabulary::{AskPurpose, ModelAnswer};

use super::telling::{ToldTroubles, notice};
use super::turn::Turn;
use super::{ReplyContext, end_silent};
use crate::memory::triggers::ContextUse;
use crate::prompt::CHARS_PER_TOKEN;
use crate::reply::SkipReason;
use crate::step_context::StepContext;
use crate::step_context::paying::Unaffordable;

/// Closes a turn whose question is not asked.
pub(super) fn end_unpaid(
    told: &mut ToldTroubles,
    turn: Turn,
    why: &Unaffordable,
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    let reason = match why {
        Unaffordable::Spent { refusal, .. } => {
            if turn.forced && step.spending.is_to_be_told(context.room) {
                notice(refusal.told_in_room(), &turn, context, step);
            }
            SkipReason::BudgetSpent
        }
        Unaffordable::Resting { until, cause } => {
            told.tell_resting(*cause, *until, &turn, context, step);
            SkipReason::ModelResting
        }
    };
    let detail = why.words(step.moment());
    end_silent(turn, reason, &detail, context, step);
}

/// How much of its window a reply took: as the provider counted, or as its characters tell where it does not.
pub(super) fn context_use(turn: &Turn, answer: &ModelAnswer, step: &StepContext<'_>) -> ContextUse {
    let counted = answer.usage.input_tokens + answer.usage.output_tokens;
    let characters = turn.prompt_chars + answer.text.chars().count();
    ContextUse {
        tokens: if counted > 0 {
            counted
        } else {
            (characters / CHARS_PER_TOKEN) as u64
        },
        window: step.prompt_tokens(AskPurpose::TextReply, 0),
    }
}
