//! How long it stays in the voice of a room: it leaves when nobody speaks or it was there for long, and comes back when
//! the connection was lost.

use settings::{Settings, VoiceJoinPolicy, VoiceMode};
use vocabulary::{JournalSeq, Moment, PersonId, RoomId, Span};

use super::session::SessionDue;
use super::{Voice, VoiceContext, remarks, thoughts, want};
use crate::effect::RoomWish;
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
            context.signs.push((text, cause));
            remarks::tell(voice, format!("I leave in {minutes} minutes."), cause, step);
        }
        Some(SessionDue::Rejoin) if voice.people.count() > 0 => {
            let _ = voice.join(VoiceJoinCause::Reconnect, None, None, context, step);
        }
        Some(SessionDue::Gone(because)) => {
            session_over(voice, because, "", None, false, context, step);
        }
        Some(SessionDue::NotLetIn) => {
            let detail = "nobody said whether it was let in";
            want(context.room, RoomWish::LeaveVoice, step);
            session_over(voice, VoiceEndCause::Refused, detail, None, false, context, step);
        }
        Some(SessionDue::Rejoin) | None => come_after_all(voice, context, step),
    }
}

/// Its ears and its voice are being loaded: it is on its way.
pub(crate) fn loads(voice: &mut Voice, now: Moment) {
    voice.session.loads(now);
}

/// What kept it from coming along with people is gone.
fn come_after_all(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let with_people = step.settings.voice.join_policy == VoiceJoinPolicy::WithPeople;
    if !voice.kept_out || !with_people || !voice.session.is_out() {
        return;
    }
    let may_ask = |id: &&PersonId| may_be_answered(context.room, id, step.settings);
    let by = voice.people.everybody().find(may_ask).cloned();
    if by.is_some() && refusal(voice, by.as_ref(), context.room, step).is_none() {
        let _ = voice.join(VoiceJoinCause::WithPeople, by.as_ref(), None, context, step);
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
        context.signs.push((written, cause));
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
    let paid = voice.paid_with == Some(means(settings));
    let is_broke = || step.spending.has_no_dollars(SpendingPurpose::Replies, settings);
    match () {
        () if !settings.voice.enabled => Some(VoiceJoinRefusal::SwitchedOff),
        () if !may_speak_in(room, None, settings) => Some(VoiceJoinRefusal::NotInThisRoom),
        // Nobody brings ears into a room whom it would not answer there.
        () if by.is_some_and(|by| !may_be_answered(room, by, settings)) => Some(VoiceJoinRefusal::NotForThem),
        () if paid && is_broke() => Some(VoiceJoinRefusal::Unaffordable),
        () => None,
    }
}

/// Ears or a mouth were paid for.
pub(crate) fn paid(voice: &mut Voice, settings: &Settings) {
    voice.paid_with = Some(means(settings));
}

/// What hears and speaks by the settings.
fn means(settings: &Settings) -> String {
    let (pipeline, voice) = (&settings.stt_pipeline, &settings.voice);
    let own = format!(
        "{:?} {:?}",
        pipeline.transcription_provider, pipeline.tts_provider
    );
    match voice.mode {
        VoiceMode::SttPipeline => own,
        VoiceMode::Realtime => format!("{:?} {own}", voice.realtime_provider),
    }
}

/// Writes down that the session is over.
pub(super) fn session_over(
    voice: &mut Voice,
    because: VoiceEndCause,
    detail: &str,
    cause: Option<JournalSeq>,
    comes_back: bool,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    thoughts::session_over(voice, context, step);
    let now = step.moment();
    let was = voice.session.left(comes_back, now);
    let event = JournalEvent::VoiceSessionEnded {
        because,
        lasted: was.since().map_or(Span::ZERO, |since| step.took(since)),
        heard: was.heard,
        spoken: was.spoken,
        detail: detail.to_owned(),
    };
    let cause = step.ledger.write(Scope::room(context.room).because(cause), event);
    let asked = matches!(was.because, Some(VoiceJoinCause::Command | VoiceJoinCause::Page));
    match because {
        VoiceEndCause::Refused if asked => {
            let text = format!("I could not come into the voice of this room: {detail}.");
            context.signs.push((text, cause));
        }
        VoiceEndCause::Inactive => {
            let text = format!(
                "Nobody has spoken for {} seconds (voice.inactivitySeconds), so I have left the voice of this room. `/join` brings me back.",
                step.settings.voice.inactivity_seconds
            );
            context.signs.push((text, cause));
        }
        _ => {}
    }
    voice.kept_out |= because == VoiceEndCause::SwitchedOff;
    let stays_out = matches!(because, VoiceEndCause::Restarted | VoiceEndCause::RoomEnded);
    let is_empty = voice.people.count() == 0;
    let comes = |(wanted, _): &(VoiceJoinCause, _)| *wanted != VoiceJoinCause::WithPeople || !is_empty;
    if let Some((wanted, by)) = was.wanted_back.filter(comes).filter(|_| !stays_out) {
        let _ = voice.join(wanted, by.as_ref(), Some(cause), context, step);
    }
}
