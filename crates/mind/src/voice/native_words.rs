//! The words of an answer that a realtime service gives by itself, which come while it is heard.

use vocabulary::DeliveryId;

use super::mouth::Said;
use super::playing::said;
use super::turn::VoiceTurn;
use super::{Voice, VoiceContext, native, writing};
use crate::journal::JournalEvent;
use crate::step_context::StepContext;

/// The service has more words. Those that are heard already belong to what is being said.
pub(super) fn words(voice: &mut Voice, piece: &str, step: &StepContext<'_>) {
    let Some(turn) = &mut voice.turn else { return };
    let Some(native) = &mut turn.native else { return };
    turn.first_written.get_or_insert(step.moment());
    let piece = in_one_line(piece);
    match &mut voice.mouth.saying {
        Some(saying) if Some(&saying.delivery) == native.delivery.as_ref() => {
            saying.goes_on(&piece);
            saying.added = step.moment();
        }
        _ if native.words.is_empty() => piece.trim_start().clone_into(&mut native.words),
        _ => native.words.push_str(&piece),
    }
}

/// What is said has no lines; every character stays one.
pub(super) fn in_one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Sound of the service is heard: from now on it is being said, unless it comes too late.
pub(super) fn begins(
    voice: &mut Voice,
    delivery: &DeliveryId,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let is_it = |turn: &VoiceTurn| {
        let native = turn.native.as_ref();
        native.is_some_and(|native| native.delivery.as_ref() == Some(delivery))
    };
    if !voice.turn.as_ref().is_some_and(is_it) || voice.mouth.is_open() {
        return;
    }
    if voice
        .turn
        .as_ref()
        .is_some_and(|turn| turn.is_stale(step.moment()))
    {
        return writing::too_late(voice, context, step);
    }
    open(voice, step);
}

/// What the service says is being said from now on.
pub(super) fn open(voice: &mut Voice, step: &mut StepContext<'_>) {
    let Some(turn) = &mut voice.turn else { return };
    turn.given = true;
    turn.first_sentence.get_or_insert(step.moment());
    voice.mouth.open(turn, step);
    let words = turn
        .native
        .as_mut()
        .map(|native| std::mem::take(&mut native.words));
    if let Some(saying) = &mut voice.mouth.saying {
        saying.native = true;
        saying.goes_on(&words.unwrap_or_default());
    }
}

/// All of what is being said is known; where it was played to its end before, it is over.
pub(super) fn close(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let Some(saying) = voice.mouth.saying.as_mut().filter(|saying| saying.native) else {
        return;
    };
    saying.closed = true;
    saying.added = step.moment();
    if saying.played {
        let delivery = saying.delivery.clone();
        if let Some(over) = voice.mouth.ended(&delivery, None, context.room, step) {
            said(voice, over, context, step);
        }
    }
}

/// What it says cannot be heard: its words are held to be written.
pub(super) fn hand_over(turn: &mut VoiceTurn) {
    let Some(native) = turn.native.take() else { return };
    turn.held
        .extend(Some(native.words).filter(|words| !words.trim().is_empty()));
    turn.sentences = turn.held.len();
}

/// It has no sound: whoever is owed an answer reads it once its words are there.
pub(super) fn unheard(voice: &mut Voice, delivery: &DeliveryId) {
    let is_open = voice.mouth.is_open();
    let Some(turn) = voice.turn.as_mut().filter(|_| !is_open) else {
        return;
    };
    let native = turn.native.as_ref();
    if native.is_some_and(|native| native.delivery.as_ref() == Some(delivery)) && turn.open_ask().is_some() {
        turn.in_text = true;
    }
}

/// It was played to its end; whether more words of it may come.
pub(super) fn played(voice: &mut Voice, delivery: &DeliveryId) -> bool {
    let Some(saying) = &mut voice.mouth.saying else {
        return false;
    };
    let waits = saying.native && !saying.closed && saying.stopping.is_none() && saying.delivery == *delivery;
    let asks = voice.turn.as_ref().and_then(VoiceTurn::open_ask).is_some();
    saying.played |= waits && asks;
    waits && asks
}

/// The whole of its words is known: pieces that were lost on their way stand in it.
pub(super) fn whole(voice: &mut Voice, text: &str, step: &StepContext<'_>) {
    let told = told(voice);
    let text = in_one_line(text);
    if let Some(rest) = text.trim_start().strip_prefix(told.as_str())
        && !rest.is_empty()
    {
        words(voice, rest, step);
    }
}

/// What was told of an answer's words.
pub(super) fn told(voice: &Voice) -> String {
    let native = voice.turn.as_ref().and_then(|turn| turn.native.as_ref());
    let delivery = native.and_then(|native| native.delivery.as_ref());
    match &voice.mouth.saying {
        Some(saying) if Some(&saying.delivery) == delivery => saying.written(),
        _ => native.map_or_else(String::new, |native| native.words.clone()),
    }
}

/// Tells of an answer of the service's own that is over: that it was cut short, which the service is told, and that not
/// all of what was heard is words.
pub(super) fn told_of(
    voice: &Voice,
    said: &Said,
    turn: &VoiceTurn,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let (Some(link), Some(delivery)) = (&voice.session.native, &said.native) else {
        return;
    };
    if said.marked {
        let event = JournalEvent::RealtimeReplyMarked {
            delivery: delivery.clone(),
            service: native::service_of(voice),
            event: link.events.words.clone(),
            heard_characters: said.heard_characters,
            kept_characters: said.heard.chars().count(),
        };
        step.ledger.write(turn.scope(context.room), event);
    }
    if said.cut {
        let event = JournalEvent::RealtimeReplyTruncated {
            delivery: delivery.clone(),
            service: native::service_of(voice),
            event: link.events.stop.clone(),
            heard_characters: said.heard_characters,
        };
        step.ledger.write(turn.scope(context.room), event);
    }
}
