//! A reply that cannot be paid for, or whose model rests: whoever spoke to Denizen is told so, once.

use super::telling::notice;
use super::turn::Turn;
use super::{ReplyContext, end_silent};
use crate::reply::SkipReason;
use crate::step_context::StepContext;
use crate::step_context::paying::Unaffordable;

/// Closes a turn whose question is not asked.
pub(super) fn end_unpaid(
    turn: Turn,
    why: &Unaffordable,
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    let told = match turn.forced {
        true => step.told_of(why, context.room),
        false => None,
    };
    if let Some(text) = told {
        notice(text, &turn, context, step);
    }
    let reason = match why {
        Unaffordable::Spent { .. } => SkipReason::BudgetSpent,
        Unaffordable::Resting { .. } => SkipReason::ModelResting,
    };
    let detail = why.words(step.moment());
    end_silent(turn, reason, &detail, context, step);
}
