//! A reply that cannot be paid for, or whose model rests: whoever spoke to Denizen is told so, once.

use super::turn::Turn;
use super::{ReplyContext, end_silent};
use crate::parcel::{Errand, Parcel};
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
        // It is no reply, and has a turn of its own.
        let (own, ask) = (step.counters.turn.take_next(), step.counters.ask);
        let mut parcel = Parcel::new(Errand::Notice, context.room, own, ask, text);
        parcel.scope.cause = Some(turn.cause);
        // A room that takes nothing more has a line of its own for that.
        let _ = context.outbox.post(parcel, step);
    }
    let reason = match why {
        Unaffordable::Spent { .. } => SkipReason::BudgetSpent,
        Unaffordable::Resting { .. } => SkipReason::ModelResting,
    };
    let detail = why.words(step.moment());
    end_silent(turn, reason, &detail, context, step);
}
