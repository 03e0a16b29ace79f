//! What becomes of an answer: it is said now, held for a better moment, or dropped.

use gist::aloud;
use vocabulary::{AskFailure, AskId, AskOutcome, ModelAnswer, Span};

use super::brief::read;
use super::ending::{end, hold};
use super::looking::question;
use super::{Pass, Stage};
use crate::admission::VoiceAdmissionReason;
use crate::ambient::reading::ThoughtAction;
use crate::journal::JournalEvent;
use crate::reasons::VoiceThoughtOutcome;
use crate::reply::whole_words;
use crate::step_context::StepContext;
use crate::step_context::flight::Flight;
use crate::voice::turn::{STALE, VoiceTurnKind};
use crate::voice::{Voice, VoiceContext, answering, greeting, opening};

/// So long it does not say the same again.
const OWN_WORDS_WITHIN: Span = Span::hours(2);
/// Nobody listens to a lecture.
const SENTENCES_MAX: usize = 4;

/// The model has answered, or has not.
pub(in crate::voice) fn ask_ended(
    voice: &mut Voice,
    flight: &Flight,
    outcome: &AskOutcome,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let waits = |pass: &mut Pass| pass.open_ask() == Some(flight.ask);
    let Some(mut pass) = voice.thoughts.pass.take_if(waits) else {
        flight.closed(outcome, step);
        return;
    };
    match outcome {
        AskOutcome::Answered(answer) => {
            step.thoughts.settle(flight.ask, &answer.usage);
            pass.cause = flight.completed(answer, step);
            decide(voice, pass, flight.ask, answer, context, step);
        }
        AskOutcome::Failed(failure) => failed(voice, pass, flight, failure, context, step),
    }
}

fn failed(
    voice: &mut Voice,
    mut pass: Pass,
    flight: &Flight,
    failure: &AskFailure,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if failure.kind.was_not_read() {
        step.thoughts.unused(flight.ask);
    }
    pass.cause = flight.failed(failure, None, step);
    let outcome = match flight.lost {
        true => VoiceThoughtOutcome::Interrupted,
        false => {
            voice.thoughts.failures += 1;
            VoiceThoughtOutcome::Failed
        }
    };
    end(voice, pass, outcome, failure.kind.name(), context, step);
}

fn decide(
    voice: &mut Voice,
    mut pass: Pass,
    ask: AskId,
    answer: &ModelAnswer,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let reading = read(whole_words(answer), &step.settings.identity.name);
    if let Some(what) = reading.repaired {
        let what = what.to_owned();
        let event = JournalEvent::AnswerRepaired { ask, what };
        pass.cause = step.ledger.write(pass.scope(context.room), event);
    }
    if !reading.is_understood {
        voice.thoughts.failures += 1;
        let outcome = VoiceThoughtOutcome::Failed;
        return end(voice, pass, outcome, &reading.reason, context, step);
    }
    voice.thoughts.failures = 0;
    // The settings may have changed while it thought, and so may who hears it.
    let hears = question(voice, context, step);
    let why = match () {
        () if !hears.enabled => Some("thoughts in voice were switched off"),
        () if !hears.has_voice => Some("it has no voice any more"),
        () if hears.listened_to == 0 => Some("nobody who is there wants to be listened to any more"),
        () if hears.permitted == 0 => Some("it may not speak to anybody who is there any more"),
        () => None,
    };
    if let Some(why) = why {
        return end(voice, pass, VoiceThoughtOutcome::Interrupted, why, context, step);
    }
    match reading.action {
        ThoughtAction::Drop => {
            voice.thoughts.held = None;
            end(
                voice,
                pass,
                VoiceThoughtOutcome::Dropped,
                &reading.reason,
                context,
                step,
            );
        }
        ThoughtAction::Hold => {
            hold(voice, &pass, reading.text, &reading.reason, step);
            end(
                voice,
                pass,
                VoiceThoughtOutcome::Held,
                &reading.reason,
                context,
                step,
            );
        }
        ThoughtAction::PostNow => {
            pass.text = reading.text;
            say(voice, pass, ask, context, step);
        }
    }
}

/// Says it, unless it was said before or its moment has passed.
fn say(
    voice: &mut Voice,
    mut pass: Pass,
    ask: AskId,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let pieces = aloud::all(&pass.text).into_iter().map(|piece| piece.said);
    let words: Vec<String> = pieces.take(SENTENCES_MAX).collect();
    let own = context.log.log().own_words(step.now().wall, OWN_WORDS_WITHIN);
    let spoken = words.join(" ");
    let nothing_new = match () {
        () if words.is_empty() => Some("there was nothing in it that can be said"),
        () if own.iter().any(|said| folded(said) == folded(&spoken)) => Some("it said the same before"),
        () => None,
    };
    if let Some(why) = nothing_new {
        voice.thoughts.held = None;
        return end(voice, pass, VoiceThoughtOutcome::Dropped, why, context, step);
    }
    // Until it is heard it is held: whatever happens before that makes it one to be thought over.
    let text = std::mem::replace(&mut pass.text, spoken);
    if !greeting::is_idle(voice) || context.answers_in_text {
        let why = "somebody waited for an answer when it was to be said";
        hold(voice, &pass, text, why, step);
        return end(voice, pass, VoiceThoughtOutcome::Held, why, context, step);
    }
    hold(voice, &pass, text, "", step);
    let opened = opening::unprompted(false);
    pass.cause = step.ledger.write(pass.scope(context.room), opened);
    let now = step.moment();
    let admitted = VoiceAdmissionReason::LlmYes;
    let mut turn = opening::begun(
        VoiceTurnKind::Thought,
        Vec::new(),
        admitted,
        false,
        now,
        pass.cause,
        step,
    );
    turn.id = pass.turn;
    turn.ask = ask;
    turn.held = words;
    turn.written = true;
    turn.good_until = Some(now + STALE);
    pass.stage = Stage::Saying {
        heard: None,
        failure: None,
        answered: false,
    };
    voice.thoughts.pass = Some(pass);
    voice.turn = Some(turn);
    answering::flush(voice, context, step);
}

/// A text for comparing: case, signs and spacing aside.
fn folded(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
