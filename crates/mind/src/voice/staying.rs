//! How long it stays in the voice of a room: it leaves when nobody speaks or it was there for long, and comes back when
//! the connection was lost.

use vocabulary::Span;

use super::session::SessionDue;
use super::{Voice, VoiceContext, remarks, want};
use crate::effect::RoomWish;
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{VoiceEndCause, VoiceJoinCause};
use crate::step_context::StepContext;

/// Does what time has made due of the session.
pub(super) fn advance(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    match voice.session.due(&step.settings.voice, step.moment()) {
        Some(SessionDue::Leave(because)) => go(voice, because, context, step),
        Some(SessionDue::Warn(left)) => {
            let event = JournalEvent::VoiceSessionWarned { left };
            let cause = step.ledger.write(Scope::room(context.room), event);
            let minutes = left.0.div_ceil(60_000);
            let text = format!(
                "I leave the voice of this room in {minutes} minutes (voice.maxSessionMinutes). `/join` brings me back."
            );
            context.notices.push((text, cause));
            remarks::tell(voice, format!("I leave in {minutes} minutes."), cause, step);
        }
        Some(SessionDue::Rejoin) if voice.people.count() > 0 => {
            let _ = voice.join(VoiceJoinCause::Reconnect, None, None, context, step);
        }
        Some(SessionDue::Gone(because)) => {
            voice.session_over(because, "", None, false, context, step);
        }
        Some(SessionDue::NotLetIn) => {
            let detail = "nobody said whether it was let in";
            want(context.room, RoomWish::LeaveVoice, step);
            voice.session_over(VoiceEndCause::Refused, detail, None, false, context, step);
        }
        Some(SessionDue::Rejoin) | None => {}
    }
}

/// Leaves. When its time is up it says so, aloud and in the text of the room, and comes to the end of its words.
fn go(voice: &mut Voice, because: VoiceEndCause, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let now = step.moment();
    if because == VoiceEndCause::TooLong && voice.session.says_farewell(now) {
        let minutes = step.settings.voice.max_session_minutes;
        let event = JournalEvent::VoiceSessionWarned { left: Span::ZERO };
        let cause = step.ledger.write(Scope::room(context.room), event);
        let written = format!(
            "I have been in the voice of this room for {minutes} minutes (voice.maxSessionMinutes), so I leave. `/join` brings me back."
        );
        context.notices.push((written, cause));
        let said = format!("I have been here for {minutes} minutes, so I leave now. Goodbye!");
        remarks::tell(voice, said, cause, step);
    }
    let is_busy = voice.telling.is_some() || voice.turn.is_some() || voice.mouth.is_open();
    if because != VoiceEndCause::TooLong || !is_busy || voice.session.has_said_farewell(now) {
        voice.leave(because, context, step);
    }
}
