//! A reply that cannot be paid for, or whose model rests: whoever spoke to Denizen is told so, once.

use super::telling::{ToldTroubles, notice};
use super::turn::Turn;
use super::{ReplyContext, end_silent};
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
