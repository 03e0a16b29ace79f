//! Answers that could not be said, or not in time, are written into the text of the room.

use vocabulary::{AskId, JournalSeq, MessageId};

use super::answering::{drop_turn, flush};
use super::turn::{VoiceTurn, VoiceTurnKind};
use super::{Voice, VoiceContext};
use crate::reasons::{CancelReason, VoiceTurnOutcome, VoiceTurnReason};
use crate::step_context::StepContext;

/// An answer that is written, for it could not be said.
#[derive(Debug)]
pub(crate) struct Written {
    pub text: String,
    pub ask: AskId,
    pub reply_to: Option<MessageId>,
    pub cause: JournalSeq,
}

/// It would be said too late. Whoever called Denizen reads the answer once it is there; nobody else waits for one.
pub(super) fn too_late(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let is_owed = |turn: &&mut VoiceTurn| turn.kind == VoiceTurnKind::Answer && turn.required;
    if let Some(turn) = voice.turn.as_mut().filter(is_owed) {
        turn.in_text = true;
        return flush(voice, context, step);
    }
    let (outcome, reason) = (VoiceTurnOutcome::Skipped, VoiceTurnReason::Stale);
    drop_turn(voice, outcome, reason, CancelReason::TooLate, context, step);
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
    turn.end(VoiceTurnOutcome::Written, reason, "", context.room, step);
}
