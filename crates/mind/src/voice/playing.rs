//! What is heard of Denizen: from when, how much, and whether it stands in the room.

use vocabulary::{DeliveryId, Moment, PersonId};

use super::mouth::WrittenDown;
use super::saying::Saying;
use super::{Voice, VoiceContext, VoiceTurnKind, answering, want};
use crate::effect::RoomWish;
use crate::journal::JournalEvent;
use crate::step_context::StepContext;

/// It is heard.
pub(crate) fn started(
    voice: &mut Voice,
    delivery: &DeliveryId,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
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
    if let Some(said) = voice.mouth.ended(delivery, cut_after, context.room, step) {
        answering::said(voice, said, context, step);
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
    if let Some(said) = voice.mouth.failed(delivery, detail, context.room, step) {
        answering::said(voice, said, context, step);
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
    turn.held.splice(0..0, saying.sentences);
    turn.beside.splice(0..0, saying.beside);
}
