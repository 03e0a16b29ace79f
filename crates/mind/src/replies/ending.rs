//! The end of a turn, and why there is no reply.

use vocabulary::{AskFailureKind, Finish, JournalSeq, ModelAnswer};

use super::ReplyContext;
use super::burst::Burst;
use super::plainly::is_plain;
use super::telling::ToldTroubles;
use super::turn::Turn;
use crate::journal::{JournalEvent, Scope};
use crate::media::MediaUse;
use crate::prompt::PLAIN_REPLY_TOKENS_MAX;
use crate::reasons::TurnOutcome;
use crate::reply::SkipReason;
use crate::step_context::StepContext;

/// Closes a turn and hands its burst back.
pub(super) fn end(
    mut turn: Turn,
    outcome: TurnOutcome,
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) -> Burst {
    context.outbox.show_typing(context.room, false, step);
    if outcome != TurnOutcome::Sent {
        turn.take_draft_back(context.room, step);
    }
    if let Some(making) = turn.making.take() {
        let why = "the reply it was for is not made any more";
        turn.cause = making.given_up(why, MediaUse::Reply, turn.scope(context.room), step);
    }
    let took = step.took(turn.opened_at);
    let event = JournalEvent::TurnEnded {
        outcome,
        took,
        llm1_ms: turn.first_answer.map(|span| span.0),
        followup_ms: turn.followups.map(|span| span.0),
    };
    step.ledger.write(turn.scope(context.room), event);
    turn.burst
}

/// Closes a turn without a message, and says why.
pub(super) fn end_silent(
    mut turn: Turn,
    reason: SkipReason,
    detail: &str,
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    turn.cause = skip(turn.scope(context.room), reason, detail, step);
    let outcome = match reason {
        SkipReason::ModelFailed | SkipReason::SendFailed => TurnOutcome::Failed,
        _ => TurnOutcome::Skipped,
    };
    end(turn, outcome, context, step);
}

/// Closes a turn whose answer was cut or stopped before a sentence was whole; to ask the same again would not help.
pub(super) fn end_cut(
    told: &mut ToldTroubles,
    turn: Turn,
    answer: &ModelAnswer,
    context: &mut ReplyContext<'_>,
    step: &mut StepContext<'_>,
) {
    let kind = match answer.finish {
        Finish::Refused => AskFailureKind::Refused,
        _ => AskFailureKind::OutOfRoom,
    };
    told.tell(kind, &turn, context, step);
    let cap = answer.cap.map_or_else(
        || "all its tokens".to_owned(),
        |cap| format!("its cap of {cap} tokens"),
    );
    let remedy = remedy(step);
    let (reason, detail) = match (answer.finish, answer.text.trim().is_empty()) {
        (Finish::Refused, true) => (SkipReason::Refused, "the model declined to answer".to_owned()),
        (Finish::Refused, false) => (
            SkipReason::Refused,
            "the model was stopped before a sentence was whole".to_owned(),
        ),
        (_, true) => (
            SkipReason::EmptyReply,
            format!(
                "the model spent {cap} on thinking and said nothing: {remedy}, or lower llm.effort.reply (now {})",
                step.settings.effort.reply.name()
            ),
        ),
        (_, false) => (
            SkipReason::EmptyReply,
            format!("the answer had used {cap} before a sentence was whole: {remedy}"),
        ),
    };
    end_silent(turn, reason, &detail, context, step);
}

/// What gives an answer more room.
fn remedy(step: &StepContext<'_>) -> String {
    let set = step.settings.llm.max_output_tokens;
    match is_plain(step) && set > PLAIN_REPLY_TOKENS_MAX {
        true => {
            format!(
                "set llm.profile to full, since the plain one allows an answer {PLAIN_REPLY_TOKENS_MAX} tokens"
            )
        }
        false => format!("raise llm.maxOutputTokens (now {set})"),
    }
}

/// Says why there is no reply.
pub(crate) fn skip(scope: Scope, reason: SkipReason, detail: &str, step: &mut StepContext<'_>) -> JournalSeq {
    let detail = detail.to_owned();
    step.ledger
        .write(scope, JournalEvent::ReplySkipped { reason, detail })
}
