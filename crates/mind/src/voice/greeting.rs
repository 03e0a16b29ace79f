//! A hello, once it has come into the voice of a room: when nobody speaks, and once more rather than not at all.

use super::turn::VoiceTurnKind;
use super::{Voice, VoiceContext, answering, native_answer, opening};
use crate::admission::VoiceAdmissionReason;
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;

/// Whether nothing keeps it from saying hello.
pub(super) fn is_idle(voice: &Voice) -> bool {
    let busy = voice.turn.is_some() || voice.waiting.is_some() || voice.mouth.is_open();
    !busy && !voice.people.somebody_speaks() && voice.people.count() > 0
}

/// Says hello, if it is time for that.
pub(super) fn greet(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let (settings, now) = (&step.settings.voice, step.moment());
    if !voice.has_voice(step.settings) {
        // Its sign says all there is to say.
        voice.session.greeted = true;
        return;
    }
    if !voice.session.is_in() || !is_idle(voice) || !voice.session.may_greet(settings, now) {
        return;
    }
    let attempt = voice.session.greets(now);
    voice.greeted_at = Some(now);
    let event = JournalEvent::VoiceGreetingStarted { attempt };
    let cause = step.ledger.write(Scope::room(context.room), event);
    let (kind, reason) = (
        VoiceTurnKind::Greeting,
        VoiceAdmissionReason::DirectAddressFastPath,
    );
    let ends = voice.session.greeting_ends(settings);
    let mut turn = opening::begun(kind, Vec::new(), reason, true, now, cause, step);
    turn.good_until = ends;
    turn.native = native_answer::wanted(voice, &turn);
    let opened = opening::unprompted(true);
    turn.cause = step.ledger.write(turn.scope(context.room), opened);
    answering::generate(voice, turn, context, step);
}
