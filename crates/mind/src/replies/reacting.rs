//! An emoji as the whole answer: where it is open, how it gets under the message, and what came of it.

use vocabulary::{AskId, MessageId, RoomId, Span};

use super::turn::{Stage, Turn};
use super::{Replies, ReplyContext, end, end_silent};
use crate::effect::{Effect, RoomWish};
use crate::journal::JournalEvent;
use crate::reasons::TurnOutcome;
use crate::reply::SkipReason;
use crate::step_context::StepContext;

/// A room has so long to say whether a reaction is there.
const CONFIRMED_WITHIN: Span = Span::seconds(30);

/// Whether a reaction can be an answer in a room at all.
pub(super) fn reacts(context: &ReplyContext<'_>, step: &StepContext<'_>) -> bool {
    let refused = context.facts.is_some_and(|facts| facts.no_reactions);
    !refused && step.settings.activity.max_reactions_per_hour > 0
}

/// Why a reaction is not open to an answer that owes no words; none: it is.
pub(super) fn not_open(
    replies: &Replies,
    context: &ReplyContext<'_>,
    step: &StepContext<'_>,
) -> Option<String> {
    if !reacts(context, step) {
        return Some("it may not react in this room".to_owned());
    }
    let most = step.settings.activity.max_reactions_per_hour;
    let full = replies.reacted.within_the_hour(step.moment()) as u64 >= most;
    full.then(|| format!("{most} reactions an hour are allowed here (activity.maxReactionsPerHour)"))
}

/// A model's whole answer is this emoji, for this reason.
pub(super) fn react(
    replies: &mut Replies,
    mut turn: Turn,
    ask: AskId,
    (emoji, why): (String, String),
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    if let Some(closed) = not_open(replies, context, step) {
        let detail = format!("{emoji}: {closed}");
        return end_silent(turn, SkipReason::ReactionNotOpen, &detail, context, step);
    }
    let target = turn.burst.target(context.log.log());
    let Some(message) = target.map(|message| message.id.clone()) else {
        let detail = "every message of it was taken back";
        return end_silent(turn, SkipReason::MessageDeleted, detail, context, step);
    };
    turn.stage = Stage::Reacting {
        ask,
        message,
        emoji,
        why,
        until: step.moment() + CONFIRMED_WITHIN,
    };
    want(&turn, context.room, step);
    replies.turn = Some(turn);
}

fn want(turn: &Turn, room: &RoomId, step: &mut StepContext<'_>) {
    if let Stage::Reacting { message, emoji, .. } = &turn.stage {
        let wish = RoomWish::React {
            message: message.clone(),
            emoji: emoji.clone(),
        };
        step.ledger.want(Effect::Room(room.clone(), wish));
    }
}

/// The process is back: whether the reaction is there is not known, and to put it there twice is to put it there once.
pub(super) fn again(
    replies: &mut Replies,
    mut turn: Turn,
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    if let Stage::Reacting { until, .. } = &mut turn.stage {
        *until = step.moment() + CONFIRMED_WITHIN;
    }
    want(&turn, context.room, step);
    replies.turn = Some(turn);
}

/// A reaction of Denizen's is under a message; or, where there is a detail, it is not.
pub(crate) fn reacted(
    replies: &mut Replies,
    (on, with): (&MessageId, &str),
    failed: Option<&str>,
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    let waits = |turn: &mut Turn| match &turn.stage {
        Stage::Reacting { message, emoji, .. } => message == on && emoji == with,
        _ => false,
    };
    let Some(mut turn) = replies.turn.take_if(waits) else {
        return;
    };
    if let Some(detail) = failed {
        return end_silent(turn, SkipReason::SendFailed, detail, context, step);
    }
    let Stage::Reacting {
        ask,
        message,
        emoji,
        why,
        ..
    } = turn.stage.clone()
    else {
        return;
    };
    let event = JournalEvent::ReactionSent {
        ask,
        message,
        emoji,
        why,
    };
    turn.cause = step.ledger.write(turn.scope(context.room), event);
    replies.reacted.sent(step.moment());
    let burst = end(turn, TurnOutcome::Reacted, context, step);
    replies.settled.add(&burst.message_ids());
}
