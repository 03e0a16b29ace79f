//! From an admitted turn to words that are heard: the question, sentences as they are finished, and the end.

use gist::aloud;
use vocabulary::{AskFailure, AskOutcome, AskPurpose, ModelAnswer, Span};

use super::deciding::current;
use super::looking_up::{budget, facts_for, frame_for, go_on_when_answered, offered, run_tools};
use super::patience::must_wait;
use super::plain::{is_plain, plain_voice_request};
use super::prompt::{Asked, VoiceBrief, voice_request};
use super::script::Script;
use super::turn::{VoiceStage, VoiceTurn, VoiceTurnKind};
use super::writing::{too_late, write, write_rest};
use super::{Voice, VoiceContext, native_answer, native_words, pace, remarks, service, sounds};
use crate::journal::Scope;
use crate::reasons::{VoiceTurnOutcome, VoiceTurnReason};
use crate::reply::{ReplyOutcome, is_cut, read_answer, read_heard, read_plain};
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, Owner, Question, launch};
use crate::step_context::paying::Unaffordable;
use crate::watch::prompt::note_lines;

/// A failed question is asked again so often.
const RETRIES_MAX: u64 = 1;

/// Asks the model what to say.
pub(super) fn generate(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if turn.kind == VoiceTurnKind::Answer && current(&turn.utterances, context).is_empty() {
        let saying = voice.mouth.saying();
        if saying.is_some_and(|saying| saying.turn == turn.id) {
            return say_no_more(voice, turn, context, step);
        }
        let (outcome, reason) = (VoiceTurnOutcome::Superseded, VoiceTurnReason::Forgotten);
        return turn.end(outcome, reason, "", context.room, step);
    }
    if turn.native.is_some() {
        return native_answer::answer(voice, turn, context, step);
    }
    // It never delays: what is folded now is there for the next turn.
    let log = &mut context.log;
    log.consider_for(AskPurpose::VoiceReply, turn.required, step);
    let is_small = is_plain(step);
    turn.plain = turn.kind == VoiceTurnKind::Answer && is_small;
    turn.head_start = pace::head_start(voice.pace, is_small);
    let tools = match is_small {
        true => Vec::new(),
        false => offered(context, step),
    };
    let tools = turn.tools.offer(tools, &budget(step), step.moment());
    let screen_notes = note_lines(context.watch.notes(), step.now().wall);
    let facts = facts_for(&turn, context, step);
    let screen = frame_for(&mut turn, context, step);
    let brief = VoiceBrief {
        room: context.name,
        now: step.now(),
        settings: step.settings,
        summary: context.log.summary_shown(step.settings),
        window: context.log.window(step.settings),
        current: current(&turn.utterances, context),
        asked: Asked::Turn(&turn),
        people: &voice.people,
        session: &voice.session,
        last_heard: voice.mouth.last_heard,
        user_facts: &facts.user_facts,
        relevant_facts: &facts.relevant_facts,
        relevant: &turn.found.messages,
        screen_notes: &screen_notes,
        screen: screen
            .as_ref()
            .map(|(glimpse, shared_by)| (*glimpse, shared_by.as_str())),
        tools,
        prompt_tokens: step.prompt_tokens(AskPurpose::VoiceReply, step.settings.llm.max_output_tokens),
    };
    let request = match turn.plain {
        true => plain_voice_request(&brief, &turn),
        false => voice_request(&brief),
    };
    let fare = match step.afford_for(turn.required, &request, turn.scope(context.room)) {
        Ok(fare) => fare,
        Err(why) => {
            let rests = matches!(why, Unaffordable::Resting { .. });
            remarks::own_up(voice, &turn, rests, context, step);
            let detail = why.words(step.moment());
            let (outcome, reason) = (VoiceTurnOutcome::Skipped, VoiceTurnReason::BudgetSpent);
            return turn.end(outcome, reason, &detail, context.room, step);
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
    let launched = launch(question, step);
    turn.cause = launched.cause;
    turn.ask = launched.ask;
    turn.asked.get_or_insert(step.moment());
    turn.draft = crate::reply::Draft::default();
    turn.taken = 0;
    turn.stage = VoiceStage::Asking { ask: launched.ask };
    voice.turn = Some(turn);
}

/// What it has begun to say comes to its end, and nothing follows.
fn say_no_more(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    turn.held.clear();
    turn.written = true;
    turn.stage = VoiceStage::Speaking {};
    let is_native = turn.native.is_some();
    voice.turn = Some(turn);
    match is_native {
        true => native_words::close(voice, context, step),
        false => flush(voice, context, step),
    }
}

/// More of the answer is written: what is finished of it is said.
pub(super) fn progressed(
    voice: &mut Voice,
    piece: &str,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let is_mute = !voice.has_voice(step.settings);
    let Some(turn) = &mut voice.turn else { return };
    if is_mute && !turn.given {
        // It is written into the room as a whole.
        return;
    }
    let name = &step.settings.identity.name;
    let script = Script::of(turn, context, step);
    let Some(visible) = turn
        .draft
        .push_spoken(piece, name, script.as_ref().map(Script::cast))
    else {
        return;
    };
    let (finished, taken) = aloud::finished(visible, turn.taken);
    turn.taken = taken;
    turn.hold(finished);
    if turn.sentences > 0 {
        pace::learn(&mut voice.pace, turn, step.moment());
    }
    flush(voice, context, step);
}

/// Says what waits to be said, unless somebody speaks or it is too late.
pub(super) fn flush(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let Some(turn) = &mut voice.turn else { return };
    if turn.in_text {
        if turn.written && voice.mouth.saying.is_none() {
            write_rest(voice, context, step);
        }
        return;
    }
    if turn.native.is_some() {
        return native_answer::look(voice, context, step);
    }
    if turn.held.is_empty() && !(turn.written && turn.given) {
        return;
    }
    if turn.is_stale(step.moment()) {
        return too_late(voice, context, step);
    }
    let waits = must_wait(&voice.people, turn, step.moment());
    if turn.given {
        if !turn.held.is_empty() && waits {
            return;
        }
    } else {
        if waits || voice.mouth.is_open() {
            return;
        }
        voice.people.speak_over();
        turn.given = true;
        turn.first_sentence = Some(step.moment());
        voice.mouth.open(turn, step);
        let delivery = voice.mouth.saying.as_ref().map(|saying| &saying.delivery);
        service::requested(&voice.session, delivery, turn, context.room, step);
    }
    let (held, written) = (std::mem::take(&mut turn.held), turn.written);
    let picked = std::mem::take(&mut turn.sounds);
    let (cause, id) = (turn.cause, turn.id);
    sounds::play(
        &mut voice.session,
        picked,
        context.room,
        Scope::room(context.room).turn(id).because(Some(cause)),
        step,
    );
    let Some(turn) = &mut voice.turn else { return };
    for sentence in &held {
        voice.mouth.say(context.room, sentence, false, step);
    }
    voice.mouth.put_beside(std::mem::take(&mut turn.beside));
    if written {
        voice.mouth.say(context.room, "", true, step);
    }
}

/// Does what time has made due: tools that took too long, words that nobody waits for any more.
pub(super) fn advance(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let now = step.moment();
    let tools_due = |turn: &mut VoiceTurn| {
        matches!(turn.stage, VoiceStage::RunningTools {})
            && turn.tools.next_wake().is_none_or(|wake| wake.at <= now)
    };
    if let Some(mut turn) = voice.turn.take_if(tools_due) {
        turn.tools.time_out();
        go_on_when_answered(voice, turn, context, step);
    }
    flush(voice, context, step);
    if voice.turn.as_ref().is_some_and(|turn| turn.is_stale(now)) {
        too_late(voice, context, step);
    }
}

/// The model is done, or failed.
pub(super) fn ask_ended(
    voice: &mut Voice,
    flight: &Flight,
    outcome: AskOutcome,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let waits = |turn: &mut VoiceTurn| turn.open_ask() == Some(flight.ask);
    let Some(mut turn) = voice.turn.take_if(waits) else {
        flight.closed(&outcome, step);
        return;
    };
    match outcome {
        AskOutcome::Answered(answer) => {
            turn.cause = flight.completed(&answer, step);
            match turn.native.is_some() {
                true => native_answer::answered(voice, turn, &answer, context, step),
                false => answered(voice, turn, &answer, context, step),
            }
        }
        AskOutcome::Failed(failure) => failed(voice, turn, flight, &failure, context, step),
    }
}

fn answered(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    answer: &ModelAnswer,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if turn.tools.takes(answer) {
        return run_tools(voice, turn, answer, context, step);
    }
    let name = step.settings.identity.name.clone();
    let reading = match Script::of(&turn, context, step) {
        Some(script) => read_plain(&answer.text, script.cast(), &script.question, turn.required),
        None => read_answer(&answer.text, &name, turn.required),
    };
    if matches!(reading.outcome, ReplyOutcome::Say(_)) {
        pace::learn(&mut voice.pace, &mut turn, step.moment());
    }
    let reason = match reading.outcome {
        ReplyOutcome::Say(text) if turn.in_text && !turn.given => {
            return write(voice, turn, text, context, step);
        }
        ReplyOutcome::Say(text) => {
            let whole = match is_cut(answer) {
                true => aloud::finished(&text, 0).0,
                false => aloud::all(&text),
            };
            // What was shown while it was written was said; a reading that differs adds nothing to it.
            let said = aloud::all(turn.draft.shown().get(..turn.taken).unwrap_or_default());
            if whole.starts_with(&said) {
                turn.hold(whole[said.len()..].to_vec());
            }
            if turn.held.is_empty() && !turn.given && !turn.sounds.is_empty() {
                let picked = std::mem::take(&mut turn.sounds);
                let scope = turn.scope(context.room);
                sounds::play(&mut voice.session, picked, context.room, scope, step);
                let (outcome, reason) = (VoiceTurnOutcome::Spoken, VoiceTurnReason::Said);
                return turn.end(outcome, reason, "a sound", context.room, step);
            }
            if turn.held.is_empty() && !turn.given {
                VoiceTurnReason::EmptyReply
            } else {
                return finish(voice, turn, context, step);
            }
        }
        ReplyOutcome::Skip { .. } | ReplyOutcome::React { .. } => VoiceTurnReason::LlmSkip,
        ReplyOutcome::Empty | ReplyOutcome::EmptyAfterMedia => VoiceTurnReason::EmptyReply,
    };
    if turn.given || !turn.held.is_empty() {
        // It has begun to speak, and comes to its end.
        return finish(voice, turn, context, step);
    }
    if turn.required && turn.failures < RETRIES_MAX {
        turn.failures += 1;
        turn.insist = true;
        return generate(voice, turn, context, step);
    }
    remarks::own_up(voice, &turn, false, context, step);
    turn.end(VoiceTurnOutcome::Skipped, reason, "", context.room, step);
}

fn failed(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    flight: &Flight,
    failure: &AskFailure,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let is_native = turn.native.is_some();
    let said_some = match is_native {
        true => voice.mouth.is_open() || turn.in_text,
        false => turn.given || !turn.held.is_empty(),
    };
    let again = !is_native
        && failure.kind.is_retryable()
        && !failure.kind.took_its_time()
        && turn.failures < RETRIES_MAX
        && !said_some
        && !flight.lost;
    turn.cause = flight.failed(failure, again.then_some(Span::ZERO), step);
    if flight.lost {
        let (outcome, reason) = match turn.cut_for {
            Some(VoiceTurnReason::Restarted) => (VoiceTurnOutcome::Spoken, VoiceTurnReason::Restarted),
            _ => (VoiceTurnOutcome::Superseded, VoiceTurnReason::Restarted),
        };
        return turn.end(outcome, reason, "", context.room, step);
    }
    if again {
        turn.failures += 1;
        return generate(voice, turn, context, step);
    }
    if said_some {
        if let Some(native) = &mut turn.native {
            native.words = read_heard(&native.words, &step.settings.identity.name);
        }
        return finish(voice, turn, context, step);
    }
    let (reason, detail) = (VoiceTurnReason::AskFailed, failure.kind.name());
    if is_native {
        return native_answer::leave_to_own_model(voice, turn, reason, detail, context, step);
    }
    remarks::own_up(voice, &turn, true, context, step);
    turn.end(VoiceTurnOutcome::Failed, reason, detail, context.room, step);
}

/// Nothing follows: it comes to the end of its words, or they are written where they cannot be heard.
pub(super) fn finish(
    voice: &mut Voice,
    mut turn: VoiceTurn,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    turn.written = true;
    turn.stage = VoiceStage::Speaking {};
    if turn.in_text {
        native_words::hand_over(&mut turn);
    }
    voice.turn = Some(turn);
    native_words::close(voice, context, step);
    flush(voice, context, step);
}
