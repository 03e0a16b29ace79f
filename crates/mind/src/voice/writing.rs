//! Answers that are given up, and those that could not be said, or not in time, and are written into the text of the room.

use vocabulary::{AskId, JournalSeq, MessageId, Moment, Span};

use super::answering::flush;
use super::turn::VoiceTurn;
use super::{Voice, VoiceContext, native_answer};
use crate::reasons::{CancelReason, VoiceTurnOutcome, VoiceTurnReason};
use crate::step_context::StepContext;

/// A model that takes so long is slow.
const SLOW: Span = Span::seconds(3);

/// An answer that is written, for it could not be said.
#[derive(Debug)]
pub(crate) struct Written {
    pub text: String,
    pub ask: AskId,
    pub reply_to: Option<MessageId>,
    pub cause: JournalSeq,
}

/// The turn is given up; nothing of it was heard.
pub(super) fn drop_turn(
    voice: &mut Voice,
    outcome: VoiceTurnOutcome,
    reason: VoiceTurnReason,
    why: CancelReason,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if let Some(mut turn) = voice.turn.take() {
        turn.cancel_ask(context.room, why, step);
        turn.end(outcome, reason, "", context.room, step);
    }
}

/// It would be said too late. Whoever called Denizen, or talks with it, reads the answer once it is there; nobody else
/// waits for one.
pub(super) fn too_late(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let is_native = |turn: &VoiceTurn| turn.native.is_some() && turn.is_owed();
    if voice.turn.as_ref().is_some_and(is_native) {
        return native_answer::give_way(voice, context, step);
    }
    if let Some(turn) = voice.turn.as_mut().filter(|turn| turn.is_owed()) {
        turn.in_text = true;
        return flush(voice, context, step);
    }
    let Some(mut turn) = voice.turn.take() else { return };
    if turn.open_ask().is_some() {
        voice.pace.given_up_after(turn.asked_for(step.moment()));
    }
    let detail = slowness(&turn, step.moment());
    turn.cancel_ask(context.room, CancelReason::TooLate, step);
    let (outcome, reason) = (VoiceTurnOutcome::Skipped, VoiceTurnReason::Stale);
    turn.end(outcome, reason, &detail, context.room, step);
}

/// That its model took its time, where it did.
fn slowness(turn: &VoiceTurn, now: Moment) -> String {
    let first = turn.first_written.unwrap_or(now);
    let took = turn.asked_for(first);
    match took < SLOW {
        true => String::new(),
        false => {
            let what = if turn.first_written.is_some() {
                "for its first sentence"
            } else {
                "and had no sentence yet"
            };
            format!("the model took {} s {what}", took.0 / 1_000)
        }
    }
}

/// What of an answer was not said, because its voice would not, is written into the room instead.
pub(super) fn write_rest(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let Some(turn) = voice.turn.take() else { return };
    let mut lines: Vec<String> = Vec::new();
    for (place, said) in turn.held.iter().enumerate() {
        // The last of what is held is the last sentence.
        let is_of_it = |of: usize| of + turn.held.len() == turn.sentences + place;
        let beside = turn.beside.iter().filter(|(of, _)| is_of_it(*of));
        lines.push(said.clone());
        lines.extend(beside.map(|(_, text)| text.clone()));
    }
    write(voice, turn, lines.join("\n"), context, step);
}

/// An answer is written into the room, for nobody could hear it.
pub(super) fn write(
    voice: &mut Voice,
    turn: VoiceTurn,
    text: String,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let answered = turn.answered();
    if text.trim().is_empty() {
        let (outcome, reason) = (VoiceTurnOutcome::Failed, VoiceTurnReason::SpeechFailed);
        return turn.end(outcome, reason, "", context.room, step);
    }
    voice.mouth.told(&text, step.moment());
    voice.mouth.last_to = answered.map(|utterance| utterance.person.clone());
    voice.session.has_spoken();
    context.answers.push(Written {
        text,
        ask: turn.ask,
        reply_to: answered.map(|utterance| utterance.message.clone()),
        cause: turn.cause,
    });
    let is_late = !turn.given && turn.stale_at() < step.moment() && voice.has_voice(step.settings);
    let reason = match is_late {
        true => VoiceTurnReason::Stale,
        false => VoiceTurnReason::NoVoice,
    };
    let detail = match is_late {
        true => slowness(&turn, step.moment()),
        false => String::new(),
    };
    turn.end(VoiceTurnOutcome::Written, reason, &detail, context.room, step);
}
