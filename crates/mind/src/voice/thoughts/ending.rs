//! What becomes of thoughts: they are heard, the room moves on, they are over, or somebody wants them forgotten.

use vocabulary::Moment;

use super::{HeldAloud, Pass, Stage, VoiceThoughts};
use crate::journal::{JournalEvent, Scope};
use crate::parcel::ThoughtAloud;
use crate::reasons::{
    CancelReason, RoomChange, VoiceThoughtGate, VoiceThoughtLoss, VoiceThoughtOutcome, VoiceTurnOutcome,
    VoiceTurnReason,
};
use crate::step_context::StepContext;
use crate::step_context::flight::{LookUp, cancel};
use crate::voice::mouth::Said;
use crate::voice::{Voice, VoiceContext, writing};

/// Holds a thought: the one there is in its new form, or a fresh one.
pub(super) fn hold(voice: &mut Voice, pass: &Pass, text: String, reason: &str, step: &StepContext<'_>) {
    let before = voice.thoughts.held.take().filter(|_| pass.reconsiders);
    let now = step.now();
    voice.thoughts.held = Some(HeldAloud {
        text,
        reason: reason.to_owned(),
        created: before.as_ref().map_or(now.moment, |held| held.created),
        created_at: before.as_ref().map_or(now.wall, |held| held.created_at),
        looked_at: now.moment,
        looks: before.map_or(0, |held| held.looks),
        changes: Vec::new(),
    });
}

/// A look is over.
pub(super) fn end(
    voice: &mut Voice,
    pass: Pass,
    outcome: VoiceThoughtOutcome,
    detail: &str,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let now = step.moment();
    if let Some(held) = &mut voice.thoughts.held {
        // Every look counts, also one that came to nothing.
        held.looked_at = now;
        held.looks += 1;
    }
    let event = JournalEvent::VoiceThoughtEnded {
        outcome,
        detail: detail.to_owned(),
        ask: pass.ask,
        took: step.took(pass.started),
    };
    step.ledger.write(pass.scope(context.room), event);
    step.aloud.push(ThoughtAloud::CameOf {
        turn: pass.turn,
        action: outcome.action(),
    });
}

/// Something happened in the room: what is being thought is not thought to its end, what was about to be said is not
/// said, and a held thought is to be considered anew.
pub(in crate::voice) fn changed(
    voice: &mut Voice,
    change: RoomChange,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if voice.session.is_out() {
        return;
    }
    let now = step.moment();
    let thoughts = &mut voice.thoughts;
    thoughts.not_before = Moment(0);
    if change.stirs() {
        thoughts.stirred = now;
    }
    let answers = change.answers();
    if answers {
        thoughts.unanswered = false;
    }
    give_up_thinking(voice, CancelReason::RoomMovedOn, change.words(), context, step);
    if let Some(Pass {
        stage: Stage::Saying { answered, .. },
        ..
    }) = &mut voice.thoughts.pass
    {
        *answered |= answers;
        take_back(voice, context, step);
    }
    let Some(held) = &mut voice.thoughts.held else {
        return;
    };
    let is_first = held.changes.is_empty();
    if !held.changes.contains(&change) {
        held.changes.push(change);
    }
    // What is being heard goes on; it is not to be considered any more.
    if is_first && !voice.mouth.is_heard() {
        let event = JournalEvent::VoiceThoughtInvalidated {
            change,
            held_for: now.since(held.created),
        };
        step.ledger.write(Scope::room(context.room), event);
    }
}

/// Nobody who is there wants to be listened to any more: nothing is thought, and nothing thought of is said.
pub(in crate::voice) fn unwanted(
    voice: &mut Voice,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if voice.people.listened_to().next().is_some() {
        return;
    }
    let (why, detail) = (CancelReason::RoomMovedOn, VoiceThoughtGate::NotListenedTo.words());
    give_up_thinking(voice, why, detail, context, step);
    if voice.thoughts.pass.is_some() {
        take_back(voice, context, step);
    }
    let_go(voice, VoiceThoughtLoss::NotListenedTo, context, step);
}

/// Does not say what nobody has heard anything of.
fn take_back(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let Some(turn) = &voice.turn else { return };
    let (given, id) = (turn.given, turn.id);
    let unheard = |saying: &crate::voice::saying::Saying| saying.turn == id && saying.heard.is_none();
    if !given {
        let (outcome, reason) = (VoiceTurnOutcome::Superseded, VoiceTurnReason::SpokenOver);
        writing::drop_turn(voice, outcome, reason, CancelReason::RoomMovedOn, context, step);
    } else if voice.mouth.saying().is_some_and(unheard) {
        voice.mouth.stop(context.room, step);
    }
}

/// What is being thought is given up.
fn give_up_thinking(
    voice: &mut Voice,
    why: CancelReason,
    detail: &str,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let Some(mut pass) = voice.thoughts.pass.take_if(|pass| !pass.is_saying()) else {
        return;
    };
    match pass.stage {
        Stage::Recalling { recall } => {
            step.flights.found(LookUp::Recall(recall));
        }
        Stage::Asking { ask } => {
            pass.cause = cancel(ask, why, pass.scope(context.room), step).unwrap_or(pass.cause);
        }
        Stage::Saying { .. } => {}
    }
    let outcome = match why {
        CancelReason::RoomMovedOn => VoiceThoughtOutcome::Invalidated,
        _ => VoiceThoughtOutcome::Interrupted,
    };
    end(voice, pass, outcome, detail, context, step);
}

/// What was being said is over.
pub(in crate::voice) fn said(thoughts: &mut VoiceThoughts, said: &Said) {
    if let Some(pass) = thoughts.pass.as_mut().filter(|pass| pass.turn == said.turn)
        && let Stage::Saying { heard, failure, .. } = &mut pass.stage
    {
        *heard = Some(said.heard.clone());
        failure.clone_from(&said.failure);
    }
}

/// The turn that said it is over, however that came: so is the look.
pub(in crate::voice) fn settle(
    voice: &mut Voice,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    // A state that was not read whole may have lost the question.
    let stranded = |pass: &mut Pass| {
        pass.open_ask()
            .is_some_and(|ask| step.flights.owner(ask).is_none())
    };
    if let Some(pass) = voice.thoughts.pass.take_if(stranded) {
        let outcome = VoiceThoughtOutcome::Interrupted;
        return end(voice, pass, outcome, "its question is lost", context, step);
    }
    let turn = voice.turn.as_ref().map(|turn| turn.id);
    let over = |pass: &mut Pass| pass.is_saying() && turn != Some(pass.turn);
    let Some(pass) = voice.thoughts.pass.take_if(over) else {
        return;
    };
    let Stage::Saying {
        heard,
        failure,
        answered,
    } = pass.stage.clone()
    else {
        return;
    };
    let heard = heard.unwrap_or_default();
    let (outcome, detail) = match failure {
        _ if !heard.is_empty() => (VoiceThoughtOutcome::Spoken, String::new()),
        Some(failure) => (VoiceThoughtOutcome::Failed, failure),
        None if voice.session.is_in() => {
            let changes = voice.thoughts.held.iter().flat_map(|held| &held.changes);
            let changes: Vec<&str> = changes.map(|change| change.words()).collect();
            (VoiceThoughtOutcome::Invalidated, changes.join(", "))
        }
        None => (VoiceThoughtOutcome::Interrupted, "it left the voice".to_owned()),
    };
    match outcome {
        VoiceThoughtOutcome::Spoken => {
            voice.thoughts.held = None;
            voice.thoughts.said += 1;
            voice.thoughts.unanswered = !answered;
            step.aloud.push(ThoughtAloud::Said {
                turn: pass.turn,
                room: context.room.clone(),
                text: heard,
            });
        }
        VoiceThoughtOutcome::Failed => voice.thoughts.failures += 1,
        _ => {}
    }
    end(voice, pass, outcome, &detail, context, step);
}

/// A held thought has had its time, or none is to be had any more.
pub(super) fn expire(voice: &mut Voice, context: &VoiceContext<'_>, step: &mut StepContext<'_>) {
    if voice.thoughts.pass.is_some() {
        return;
    }
    let now = step.moment();
    let Some(held) = &voice.thoughts.held else { return };
    if held.expires() <= now {
        let_go(voice, VoiceThoughtLoss::Expired, context, step);
    } else if !step.settings.voice_thoughts.enabled {
        let_go(voice, VoiceThoughtLoss::SwitchedOff, context, step);
    }
}

/// The held thought is gone.
fn let_go(
    voice: &mut Voice,
    reason: VoiceThoughtLoss,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let Some(held) = voice.thoughts.held.take() else {
        return;
    };
    let event = JournalEvent::VoiceThoughtLetGo {
        reason,
        held_for: step.moment().since(held.created),
        looks: held.looks,
    };
    step.ledger.write(Scope::room(context.room), event);
}

/// It leaves the voice of the room: nothing is thought any more.
pub(in crate::voice) fn stopped(voice: &mut Voice, context: &VoiceContext<'_>, step: &mut StepContext<'_>) {
    give_up_thinking(
        voice,
        CancelReason::VoiceEnded,
        "it left the voice",
        context,
        step,
    );
    if voice.thoughts.pass.is_none() {
        let_go(voice, VoiceThoughtLoss::SessionEnded, context, step);
    }
}

/// The session is over: the next one begins without a thought. One that waits for a model ends when that question does.
pub(in crate::voice) fn session_over(
    voice: &mut Voice,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let pass = voice.thoughts.pass.take_if(|pass| pass.open_ask().is_none());
    if let Some(pass) = pass {
        let outcome = VoiceThoughtOutcome::Interrupted;
        end(voice, pass, outcome, "the session is over", context, step);
    }
    let_go(voice, VoiceThoughtLoss::SessionEnded, context, step);
    voice.thoughts = VoiceThoughts {
        pass: voice.thoughts.pass.take(),
        // Whoever comes and goes does not make it think more often.
        considered: voice.thoughts.considered,
        failures: voice.thoughts.failures,
        ..VoiceThoughts::default()
    };
}

/// A new conversation begins: what was thought of the last one is gone, unless it is being heard.
pub(in crate::voice) fn conversation_ended(
    voice: &mut Voice,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let (why, detail) = (CancelReason::RoomMovedOn, "a new conversation begins");
    give_up_thinking(voice, why, detail, context, step);
    if voice.thoughts.pass.is_some() {
        take_back(voice, context, step);
    }
    if voice.thoughts.pass.is_none() || !voice.mouth.is_heard() {
        let_go(voice, VoiceThoughtLoss::ConversationEnded, context, step);
    }
}

/// The process is back: whatever was held or looked up is gone, and what was heard was heard.
pub(in crate::voice) fn restarted(
    voice: &mut Voice,
    heard: Option<&Said>,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if let Some(heard) = heard {
        said(&mut voice.thoughts, heard);
    }
    settle(voice, context, step);
    if let Some(pass) = voice.thoughts.pass.take_if(|pass| pass.open_ask().is_none()) {
        let outcome = VoiceThoughtOutcome::Interrupted;
        end(voice, pass, outcome, "the process ended", context, step);
    }
    let_go(voice, VoiceThoughtLoss::Restarted, context, step);
}

/// A message was taken back: what is being thought may be based on it.
pub(in crate::voice) fn message_deleted(
    voice: &mut Voice,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if voice.thoughts.is_thinking() || voice.thoughts.held.is_some() {
        changed(voice, RoomChange::TakenBack, context, step);
    }
}

/// Something is forgotten: what may be based on it is given up, and what retells it is gone.
pub(in crate::voice) fn forget(
    voice: &mut Voice,
    retells: &dyn Fn(&str) -> bool,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let why = CancelReason::Forgotten;
    give_up_thinking(voice, why, why.words(), context, step);
    let held = voice.thoughts.held.as_ref();
    if held.is_some_and(|held| retells(&held.text) || retells(&held.reason)) {
        let_go(voice, VoiceThoughtLoss::Forgotten, context, step);
    }
}
