//! How long it stays in the voice of a room: it leaves when nobody speaks or it was there for long, and comes back when
//! the connection was lost.

use super::session::SessionDue;
use super::{Voice, VoiceContext, want};
use crate::effect::RoomWish;
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{VoiceEndCause, VoiceJoinCause};
use crate::step_context::StepContext;

/// Does what time has made due of the session.
pub(super) fn advance(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    match voice.session.due(&step.settings.voice, step.moment()) {
        Some(SessionDue::Leave(because)) => {
            voice.leave(because, context, step);
        }
        Some(SessionDue::Warn(left)) => {
            let event = JournalEvent::VoiceSessionWarned { left };
            let cause = step.ledger.write(Scope::room(context.room), event);
            let minutes = left.0.div_ceil(60_000);
            let text = format!(
                "I leave the voice of this room in {minutes} minutes (voice.maxSessionMinutes). `/join` brings me back."
            );
            context.notices.push((text, cause));
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
