//! An answer that a realtime service gives by itself: when it is asked, what it says, and who answers where it does not.
//!
//! It is a question like every other, paid for in advance, with a deadline and tools; only that its words are heard while
//! they come. Until then it is as if nothing were said: something newer takes its place, and one that comes late is not
//! given. Where the service gives none, Denizen's own model does.

use serde::{Deserialize, Serialize};
use vocabulary::{AskFailure, AskOutcome, DeliveryId, ModelAnswer};

use super::answering::generate;
use super::deciding::current;
use super::looking_up::{budget, facts_for, run_tools};
use super::mouth::delivery_of;
use super::native_prompt::{TurnBrief, native_request};
use super::patience::must_wait;
use super::turn::{VoiceStage, VoiceTurn};
use super::{Voice, VoiceContext, native, native_words};
use crate::journal::JournalEvent;
use crate::reasons::{CancelReason, VoiceTurnOutcome, VoiceTurnReason};
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, Owner, Question, launch_aloud};
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
fn leave_to_own_model(
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

/// The service is done, or failed.
pub(super) fn ended(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    flight: &Flight,
    outcome: AskOutcome,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    match outcome {
        AskOutcome::Answered(answer) => {
            turn.cause = flight.completed(&answer, step);
            answered(voice, turn, &answer, context, step);
        }
        AskOutcome::Failed(failure) => failed(voice, turn, flight, &failure, context, step),
    }
}

fn answered(
    voice: &mut Voice,
    turn: VoiceTurn,
    answer: &ModelAnswer,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    voice.turn = Some(turn);
    // Pieces that were lost on their way stand in the whole.
    let told = native_words::told(voice);
    let whole = native_words::in_one_line(&answer.text);
    if let Some(rest) = whole
        .trim_start()
        .strip_prefix(told.as_str())
        .filter(|rest| !rest.is_empty())
    {
        native_words::words(voice, rest, step);
    }
    let has_words = !native_words::told(voice).trim().is_empty();
    if has_words && !voice.mouth.is_open() && !voice.turn.as_ref().is_some_and(|turn| turn.in_text) {
        native_words::open(voice, step);
    }
    let Some(turn) = voice.turn.take() else { return };
    if turn.tools.takes(answer) {
        native_words::close(voice, context, step);
        return run_tools(voice, turn, answer, context, step);
    }
    if !has_words && !voice.mouth.is_open() {
        let (reason, detail) = (VoiceTurnReason::EmptyReply, "");
        if turn.given {
            let (outcome, reason) = (VoiceTurnOutcome::Spoken, VoiceTurnReason::Said);
            return turn.end(outcome, reason, detail, context.room, step);
        }
        if turn.required {
            return leave_to_own_model(voice, turn, reason, detail, context, step);
        }
        return turn.end(VoiceTurnOutcome::Skipped, reason, detail, context.room, step);
    }
    finish(voice, turn, context, step);
}

fn failed(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    flight: &Flight,
    failure: &AskFailure,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    turn.cause = flight.failed(failure, None, step);
    if flight.lost {
        let (outcome, reason) = match turn.cut_for {
            Some(VoiceTurnReason::Restarted) => (VoiceTurnOutcome::Spoken, VoiceTurnReason::Restarted),
            _ => (VoiceTurnOutcome::Superseded, VoiceTurnReason::Restarted),
        };
        return turn.end(outcome, reason, "", context.room, step);
    }
    if voice.mouth.is_open() || turn.in_text {
        return finish(voice, turn, context, step);
    }
    let (reason, detail) = (VoiceTurnReason::AskFailed, failure.kind.name());
    leave_to_own_model(voice, turn, reason, detail, context, step);
}

/// Nothing follows: it comes to the end of its words, or they are written where they cannot be heard.
fn finish(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    turn.written = true;
    turn.stage = VoiceStage::Speaking {};
    if turn.in_text {
        let words = turn.native.take().map(|native| native.words);
        turn.held.extend(words.filter(|words| !words.trim().is_empty()));
        turn.sentences = turn.held.len();
        voice.turn = Some(turn);
        return super::answering::flush(voice, context, step);
    }
    voice.turn = Some(turn);
    native_words::close(voice, context, step);
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
