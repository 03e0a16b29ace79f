//! An answer that a realtime service gives by itself: when it is asked, what it says, and who answers where it does not.
//!
//! It is a question like every other, paid for in advance, with a deadline and tools; only that its words are heard while
//! they come. Until then it is as if nothing were said: something newer takes its place, and one that comes late is not
//! given. Where the service gives none, Denizen's own model does.

use serde::{Deserialize, Serialize};
use vocabulary::{DeliveryId, ModelAnswer};

use super::answering::{finish, generate};
use super::deciding::current;
use super::looking_up::{budget, facts_for, run_tools};
use super::mouth::delivery_of;
use super::native_prompt::{TurnBrief, native_request};
use super::patience::must_wait;
use super::turn::{VoiceStage, VoiceTurn};
use super::{Voice, VoiceContext, native, native_words, want};
use crate::effect::RoomWish;
use crate::journal::JournalEvent;
use crate::reasons::{CancelReason, VoiceTurnOutcome, VoiceTurnReason};
use crate::reply::{ReplyOutcome, read_answer};
use crate::step_context::StepContext;
use crate::step_context::flight::{Owner, Question, launch_aloud};
use crate::watch::prompt::note_lines;

/// What a service says by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct NativeAnswer {
    /// Under which it is heard; none before it is asked.
    pub delivery: Option<DeliveryId>,
    /// What it says, as long as nothing of it is heard.
    pub words: String,
}

/// Has the service answer, as soon as nobody speaks.
pub(super) fn answer(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if turn.in_text {
        // What it says cannot be heard, and nobody reads it from its lips.
        let reason = VoiceTurnReason::NoVoice;
        return leave_to_own_model(voice, turn, reason, "", context, step);
    }
    // What the service said before it looked something up is heard to its end, and what follows is said for itself.
    let was_asked = |native: &NativeAnswer| native.delivery.is_some();
    if turn.native.as_ref().is_some_and(was_asked) && !voice.mouth.is_open() {
        turn.taken_back += 1;
        turn.native = Some(NativeAnswer::default());
    }
    turn.stage = VoiceStage::Ready {};
    turn.written = false;
    voice.turn = Some(turn);
    look(voice, context, step);
}

/// Asks the service, where an answer is ready to be asked for and nobody speaks.
pub(super) fn look(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let now = step.moment();
    let is_ready = |turn: &VoiceTurn| matches!(turn.stage, VoiceStage::Ready {});
    if !voice.turn.as_ref().is_some_and(is_ready) || voice.mouth.is_open() {
        return;
    }
    if voice
        .turn
        .as_ref()
        .is_some_and(|turn| must_wait(&voice.people, turn, now))
    {
        return;
    }
    if let Some(turn) = voice.turn.take() {
        ask(voice, turn, context, step);
    }
}

fn ask(voice: &mut Voice, mut turn: VoiceTurn, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    if !native::is_on(voice) {
        let reason = VoiceTurnReason::ServiceGone;
        return leave_to_own_model(voice, turn, reason, "", context, step);
    }
    // What is folded now is there for the next turn.
    context.log.consider(step);
    native::refresh(voice, context, step);
    let (Some(link), Some(seat)) = (&voice.session.native, &voice.session.service) else {
        return;
    };
    let tools = turn
        .tools
        .offer(native::offered(step), &budget(step), step.moment());
    let facts = facts_for(&turn, context, step);
    let screen_notes = note_lines(context.watch.notes(), step.now().wall);
    let brief = TurnBrief {
        now: step.now().wall,
        turn: &turn,
        current: current(&turn.utterances, context),
        relevant_facts: &facts.relevant_facts,
        screen_notes: &screen_notes,
        tools,
        service: &seat.service,
        known: link.knows(),
    };
    let request = native_request(&brief, native::told(voice, link, context, step));
    let (service, event, knows) = (seat.service.clone(), seat.event.clone(), link.knows());
    let (price, scope) = (link.known.answer_micro_dollars, turn.scope(context.room));
    let fare = match step.afford_aloud(turn.required, &request, price, scope) {
        Ok(fare) => fare,
        Err(why) => {
            let (reason, words) = (VoiceTurnReason::BudgetSpent, why.words(step.moment()));
            return leave_to_own_model(voice, turn, reason, &words, context, step);
        }
    };
    let question = Question {
        owner: Owner::Voice(context.room.clone()),
        scope: turn.scope(context.room),
        room: context.room.clone(),
        turn: Some(turn.id),
        fare,
        attempt: turn.failures + 1,
        request,
    };
    let delivery = delivery_of(&turn, step);
    let launched = launch_aloud(question, delivery.clone(), step);
    turn.cause = launched.cause;
    turn.ask = launched.ask;
    turn.asked.get_or_insert(step.moment());
    turn.stage = VoiceStage::Asking { ask: launched.ask };
    turn.native = Some(NativeAnswer {
        delivery: Some(delivery.clone()),
        words: String::new(),
    });
    let event = JournalEvent::RealtimeReplyRequested {
        delivery,
        ask: launched.ask,
        service,
        event,
        knows: Some(knows),
    };
    step.ledger.write(turn.scope(context.room), event);
    voice.people.speak_over();
    voice.turn = Some(turn);
}

/// Denizen's own model answers what the service does not.
pub(super) fn leave_to_own_model(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    reason: VoiceTurnReason,
    detail: &str,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let event = JournalEvent::RealtimeReplySkipped {
        reason,
        detail: detail.to_owned(),
    };
    turn.cause = step.ledger.write(turn.scope(context.room), event);
    turn.native = None;
    turn.written = false;
    turn.given = false;
    turn.taken_back += 1;
    generate(voice, turn, context, step);
}

/// Somebody begins to speak before anything of the answer is heard: the service is asked again once they are done.
pub(super) fn hold_back(voice: &mut Voice, context: &VoiceContext<'_>, step: &mut StepContext<'_>) {
    let now = step.moment();
    let is_asked = |turn: &&VoiceTurn| turn.native.is_some() && turn.open_ask().is_some() && !turn.in_text;
    let waits = voice.turn.as_ref().filter(is_asked);
    if voice.mouth.is_open() || !waits.is_some_and(|turn| must_wait(&voice.people, turn, now)) {
        return;
    }
    if let Some(turn) = &mut voice.turn {
        turn.cancel_ask(context.room, CancelReason::SpokenOver, step);
        turn.stage = VoiceStage::Ready {};
        turn.written = false;
        turn.taken_back += 1;
        turn.native = Some(NativeAnswer::default());
    }
}

/// It would be heard too late, and is owed: Denizen's own model writes it.
pub(super) fn give_way(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    if let Some(mut turn) = voice.turn.take() {
        turn.cancel_ask(context.room, CancelReason::TooLate, step);
        turn.in_text = true;
        leave_to_own_model(voice, turn, VoiceTurnReason::Stale, "", context, step);
    }
}

/// The service is done.
pub(super) fn answered(
    voice: &mut Voice,
    turn: VoiceTurn,
    answer: &ModelAnswer,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    voice.turn = Some(turn);
    native_words::whole(voice, &answer.text, step);
    let told = native_words::told(voice);
    let Some(mut turn) = voice.turn.take() else { return };
    let reading = read_answer(&told, &step.settings.identity.name, turn.required);
    let (is_open, calls) = (voice.mouth.is_open(), turn.tools.takes(answer));
    let reason = match reading.outcome {
        // What is heard already comes to its end.
        _ if is_open => None,
        ReplyOutcome::Say(text) if turn.in_text => {
            turn.native = turn.native.map(|native| NativeAnswer {
                words: text,
                ..native
            });
            None
        }
        ReplyOutcome::Say(_) => {
            voice.turn = Some(turn);
            native_words::open(voice, step);
            let Some(opened) = voice.turn.take() else { return };
            turn = opened;
            None
        }
        ReplyOutcome::Skip { .. } | ReplyOutcome::React { .. } => Some(VoiceTurnReason::LlmSkip),
        ReplyOutcome::Empty | ReplyOutcome::EmptyAfterMedia => Some(VoiceTurnReason::EmptyReply),
    };
    if let Some(native) = turn.native.as_mut().filter(|_| reason.is_some()) {
        // What is no word is not said, if it has a sound.
        if !std::mem::take(&mut native.words).is_empty() {
            want(context.room, RoomWish::StopSpeaking, step);
        }
    }
    if calls {
        native_words::close(voice, context, step);
        return run_tools(voice, turn, answer, context, step);
    }
    match reason {
        Some(reason) => was_no_word(voice, turn, reason, context, step),
        None => finish(voice, turn, context, step),
    }
}

/// There is no word in what the service gave: whoever called Denizen is answered by its own model.
pub(super) fn was_no_word(
    voice: &mut Voice,
    turn: VoiceTurn,
    reason: VoiceTurnReason,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if turn.given {
        let (outcome, reason) = (VoiceTurnOutcome::Spoken, VoiceTurnReason::Said);
        return turn.end(outcome, reason, "", context.room, step);
    }
    if turn.required {
        return leave_to_own_model(voice, turn, reason, "", context, step);
    }
    turn.end(VoiceTurnOutcome::Skipped, reason, "", context.room, step);
}

/// Whether a turn goes on when what was being said is over: the service said something before it looked something up.
pub(super) fn goes_on(turn: &VoiceTurn, cut: bool) -> bool {
    let looks_up = matches!(turn.stage, VoiceStage::RunningTools {} | VoiceStage::Ready {});
    turn.native.is_some() && looks_up && !cut
}

/// What it said before it looked something up is over.
pub(super) fn go_on(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    turn.taken_back += 1;
    turn.native = Some(NativeAnswer::default());
    voice.turn = Some(turn);
    look(voice, context, step);
}

/// How a turn begins that the service is to answer by itself; none where it does not.
pub(super) fn wanted(voice: &Voice, turn: &VoiceTurn) -> Option<NativeAnswer> {
    (native::is_on(voice) && !turn.in_text).then(NativeAnswer::default)
}
