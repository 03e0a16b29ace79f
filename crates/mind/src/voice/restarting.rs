//! The process is back: what was under way in the voice of a room ends, and whoever is still there is told of anew.

use vocabulary::JournalSeq;

use super::{Voice, VoiceContext, deciding, staying, thoughts};
use crate::admission::VoiceAdmissionReason;
use crate::reasons::{VoiceEndCause, VoiceTurnOutcome, VoiceTurnReason};
use crate::step_context::StepContext;

/// The session is over.
pub(super) fn restarted(
    voice: &mut Voice,
    cause: JournalSeq,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if voice.is_empty() {
        return;
    }
    // States of before have it room by room.
    for person in voice.people.not_listened_to() {
        step.unlistened.choose(person, false);
    }
    let said = voice.mouth.restarted(context.room, step);
    if let Some(waiting) = voice.waiting.take() {
        deciding::let_go(voice, waiting, VoiceAdmissionReason::SessionEnded, context, step);
    }
    voice.prepared.clear();
    // One that waits for a model ends when that question does.
    if let Some(turn) = voice.turn.as_mut().filter(|turn| turn.open_ask().is_some()) {
        turn.held.clear();
        turn.cause = cause;
        turn.cut_for = said.as_ref().map(|_| VoiceTurnReason::Restarted);
    } else if let Some(mut turn) = voice.turn.take() {
        turn.cause = cause;
        let (outcome, reason) = match said {
            Some(_) => (VoiceTurnOutcome::Spoken, VoiceTurnReason::Restarted),
            None => (VoiceTurnOutcome::Superseded, VoiceTurnReason::Restarted),
        };
        turn.end(outcome, reason, "", context.room, step);
    }
    thoughts::restarted(voice, said.as_ref(), context, step);
    if !voice.session.is_out() {
        staying::session_over(
            voice,
            VoiceEndCause::Restarted,
            "",
            Some(cause),
            false,
            context,
            step,
        );
    }
    voice.people.clear();
}
