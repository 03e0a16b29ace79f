//! What is heard of Denizen: from when, how much, and whether it stands in the room.

use vocabulary::{DeliveryId, Moment, PersonId};

use super::mouth::{Said, WrittenDown};
use super::saying::Saying;
use super::turn::VoiceStage;
use super::{Voice, VoiceContext, VoiceTurnKind, answering, native_answer, native_words, thoughts, want};
use crate::effect::RoomWish;
use crate::journal::JournalEvent;
use crate::reasons::{CancelReason, VoiceTurnOutcome, VoiceTurnReason};
use crate::step_context::StepContext;
use crate::step_context::flight::LookUp;

/// It is heard.
pub(crate) fn started(
    voice: &mut Voice,
    delivery: &DeliveryId,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    native_words::begins(voice, delivery, context, step);
    if !voice.mouth.started(delivery, step) {
        return;
    }
    let now = step.moment();
    if voice.mouth.saying().is_some_and(|saying| !saying.sign) {
        voice.session.heard_something(now);
    }
    let Some(turn) = voice.turn.as_mut().filter(|turn| !turn.kind.is_remark()) else {
        return;
    };
    let since = |at: Option<Moment>| at.unwrap_or(now).since(turn.speech_ended);
    let event = JournalEvent::VoiceAnswerHeard {
        delivery: delivery.clone(),
        decided: turn.opened.since(turn.speech_ended),
        asked: since(turn.asked),
        first_sentence: since(turn.first_sentence),
        heard: now.since(turn.speech_ended),
    };
    turn.cause = step.ledger.write(turn.scope(context.room), event);
}

/// So much of what it is saying was heard by now.
pub(crate) fn progressed(voice: &mut Voice, delivery: &DeliveryId, characters: usize) {
    voice.mouth.progressed(delivery, characters);
}

/// It has said it, or was cut short.
pub(crate) fn ended(
    voice: &mut Voice,
    delivery: &DeliveryId,
    cut_after: Option<usize>,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if cut_after.is_none() && native_words::played(voice, delivery) {
        return;
    }
    if let Some(said) = voice.mouth.ended(delivery, cut_after, context.room, step) {
        self::said(voice, said, context, step);
    }
}

/// It cannot be said, or not any further.
pub(crate) fn failed(
    voice: &mut Voice,
    delivery: &DeliveryId,
    detail: &str,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    native_words::unheard(voice, delivery);
    if let Some(said) = voice.mouth.failed(delivery, detail, context.room, step) {
        self::said(voice, said, context, step);
    }
}

/// What was heard of it stands in the room.
pub(crate) fn written_down(voice: &mut Voice, delivery: &DeliveryId) -> Option<WrittenDown> {
    voice.mouth.written(delivery)
}

/// Whoever is about to be answered speaks on: what nobody has heard of the answer waits until they are done.
pub(super) fn let_speak_on(
    voice: &mut Voice,
    person: &PersonId,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let Some(turn) = &mut voice.turn else { return };
    let is_answered = turn
        .answered()
        .is_some_and(|utterance| utterance.person == *person);
    let is_unheard = |saying: &mut Saying| saying.heard.is_none() && saying.stopping.is_none();
    if turn.kind != VoiceTurnKind::Answer || !is_answered {
        return;
    }
    let Some(saying) = voice.mouth.saying.take_if(is_unheard) else {
        return;
    };
    want(context.room, RoomWish::StopSpeaking, step);
    turn.given = false;
    turn.taken_back += 1;
    if saying.native {
        // Its sound is gone: the service is asked again.
        turn.written = false;
        turn.stage = VoiceStage::Ready {};
        turn.native = Some(native_answer::NativeAnswer::default());
        return;
    }
    turn.held.splice(0..0, saying.sentences);
    turn.beside.splice(0..0, saying.beside);
}

/// What was being said is over: so is its turn.
pub(super) fn said(
    voice: &mut Voice,
    said: Said,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    thoughts::said(&mut voice.thoughts, &said);
    if !said.heard.is_empty() {
        let of_turn = voice.turn.as_ref().filter(|turn| turn.id == said.turn);
        if of_turn.is_none_or(|turn| turn.kind != VoiceTurnKind::Notice) {
            voice.session.heard_something(step.moment());
        }
        voice.session.has_spoken();
    }
    let Some(mut turn) = voice.turn.take_if(|turn| turn.id == said.turn) else {
        return;
    };
    native_words::told_of(voice, &said, &turn, context, step);
    if said.failure.is_none() && native_answer::goes_on(&turn, said.cut) {
        turn.cause = said.cause;
        return native_answer::go_on(voice, turn, context, step);
    }
    if said.heard.is_empty() && said.marked && said.failure.is_none() && !said.cut {
        turn.cancel_ask(context.room, CancelReason::SpokenOver, step);
        turn.cause = said.cause;
        turn.given = false;
        return native_answer::was_no_word(voice, turn, VoiceTurnReason::LlmSkip, context, step);
    }
    if said.failure.is_some() && turn.kind == VoiceTurnKind::Answer && turn.cut_for.is_none() {
        // It is paid for: whoever asked gets it in text.
        turn.cause = said.cause;
        turn.in_text = true;
        turn.held.splice(0..0, said.unheard);
        voice.turn = Some(turn);
        return answering::flush(voice, context, step);
    }
    // A remark interrupts no exchange.
    if !said.heard.is_empty() && !turn.kind.is_remark() {
        voice.mouth.last_to = turn.answered().map(|utterance| utterance.person.clone());
    }
    // Nothing more of it will be said.
    turn.cancel_ask(context.room, CancelReason::SpokenOver, step);
    turn.cause = said.cause;
    for run in turn.tools.open_runs().collect::<Vec<_>>() {
        step.flights.found(LookUp::Tool(run));
    }
    let cut_for = |usually| turn.cut_for.unwrap_or(usually);
    // A mouth may know no more than whole sentences, and the first of them had begun.
    let nothing_known = match said.begun {
        true => VoiceTurnReason::CutShort,
        false => VoiceTurnReason::SpokenOver,
    };
    let (outcome, reason) = match (&said.failure, said.heard.is_empty(), said.cut) {
        (Some(_), ..) => (VoiceTurnOutcome::Failed, VoiceTurnReason::SpeechFailed),
        (None, true, _) => (VoiceTurnOutcome::Superseded, cut_for(nothing_known)),
        (None, false, true) => (VoiceTurnOutcome::Spoken, cut_for(VoiceTurnReason::CutShort)),
        (None, false, false) => (VoiceTurnOutcome::Spoken, VoiceTurnReason::Said),
    };
    let detail = said.failure.unwrap_or_default();
    turn.end(outcome, reason, &detail, context.room, step);
}
