//! How long it stays in the voice of a room: it leaves when nobody speaks or it was there for long, and comes back when
//! the connection was lost.

use settings::Settings;
use vocabulary::{Moment, PersonId, RoomId, Span};

use super::session::SessionDue;
use super::{Voice, VoiceContext, answering, greeting, remarks, want};
use crate::effect::{RoomWish, Wake, WakeReason};
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{SpendingPurpose, VoiceEndCause, VoiceJoinCause, VoiceJoinRefusal};
use crate::replies::{may_be_answered, may_speak_in};
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

/// Why it does not go in, where it does not.
pub(super) fn refusal(
    voice: &Voice,
    by: Option<&PersonId>,
    room: &RoomId,
    step: &StepContext<'_>,
) -> Option<VoiceJoinRefusal> {
    let settings = step.settings;
    let paid = voice.paid_with == Some(speech_means(settings));
    let is_broke = || step.spending.has_no_dollars(SpendingPurpose::Replies, settings);
    match () {
        () if !settings.voice.enabled => Some(VoiceJoinRefusal::SwitchedOff),
        () if !voice.session.is_out() => Some(VoiceJoinRefusal::Already),
        () if !may_speak_in(room, settings) => Some(VoiceJoinRefusal::NotInThisRoom),
        // Nobody brings ears into a room whom it would not answer there.
        () if by.is_some_and(|by| !may_be_answered(room, by, settings)) => Some(VoiceJoinRefusal::NotForThem),
        () if paid && is_broke() => Some(VoiceJoinRefusal::Unaffordable),
        () => None,
    }
}

/// What hears and speaks by the settings.
pub(super) fn speech_means(settings: &Settings) -> String {
    let pipeline = &settings.stt_pipeline;
    format!(
        "{:?} {:?}",
        pipeline.transcription_provider, pipeline.tts_provider
    )
}

/// When it next wants waking.
pub(super) fn next_wake(voice: &Voice, settings: &Settings) -> Option<Wake> {
    let wake = |reason: WakeReason| move |at: Moment| Wake { at, reason };
    let session = voice.session.next_due(&settings.voice);
    let greeting = voice.session.greets_at(&settings.voice);
    let greeting = greeting.filter(|_| voice.session.is_in() && greeting::is_idle(voice));
    let waiting = voice.waiting.as_ref().filter(|_| voice.session.is_in());
    let waiting = waiting.and_then(|waiting| waiting.due(&voice.people));
    let turn = voice.turn.as_ref();
    let stale = turn
        .filter(|turn| !turn.given)
        .map(|turn| turn.stale_at() + vocabulary::Span(1));
    let patience = answering::patience_ends(voice);
    let tools = turn.and_then(|turn| turn.tools.next_wake());
    let turns = [
        greeting,
        waiting,
        stale,
        patience,
        voice.mouth.next_due(),
        voice.people.next_expiry(),
    ];
    turns
        .into_iter()
        .flatten()
        .map(wake(WakeReason::VoiceTurnDue))
        .chain(session.map(wake(WakeReason::VoiceSessionDue)))
        .chain(tools)
        .min()
}
