//! A turn is opened: whom it answers, and what of an older one it takes along.

use vocabulary::{AskId, JournalSeq, Moment, PersonId, Span};

use super::looking_up::recall;
use super::turn::{STALE_WHEN_CALLED, VoiceStage, VoiceTurn, VoiceTurnKind};
use super::utterance::Utterance;
use super::{Voice, VoiceContext, native_answer, service};
use crate::admission::VoiceAdmissionReason;
use crate::admission::voice::VoiceAdmission;
use crate::input::Recollection;
use crate::journal::JournalEvent;
use crate::reasons::{CancelReason, VoiceTurnOutcome, VoiceTurnReason};
use crate::reply::Draft;
use crate::step_context::StepContext;
use crate::tool_loop::ToolLoop;

/// What an older turn was about is answered along with the newer one that takes its place, if it was said this lately.
const CARRIED_WITHIN: Span = Span::seconds(12);

/// An answer is attempted; an older one of which nothing was heard is given up for it.
pub(super) fn open(
    voice: &mut Voice,
    mut utterances: Vec<Utterance>,
    admission: VoiceAdmission,
    cause: JournalSeq,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let now = step.moment();
    let mut required = admission.required;
    if let Some(mut older) = voice.turn.take() {
        older.cancel_ask(context.room, CancelReason::NewerTurn, step);
        let carried = older.utterances.iter();
        // What is owed is carried for as long as it may be answered at all.
        let within = match older.required {
            true => STALE_WHEN_CALLED,
            false => CARRIED_WITHIN,
        };
        let within = Span(within.0 + older.head_start.0);
        // Whoever is to read the answer has waited for it for longer.
        let is_late = older.in_text && older.is_owed() && voice.has_voice(step.settings);
        let carried = carried.filter(|utterance| is_late || now.since(utterance.ended) <= within);
        let carried: Vec<Utterance> = carried.cloned().collect();
        required |= older.required && !carried.is_empty() && older.kind == VoiceTurnKind::Answer;
        utterances.splice(0..0, carried);
        older.end(
            VoiceTurnOutcome::Superseded,
            VoiceTurnReason::NewerTurn,
            "",
            context.room,
            step,
        );
    }
    let Some(newest) = utterances.last() else { return };
    for utterance in utterances.iter().filter(|utterance| utterance.direct) {
        voice.session.focus_on(&utterance.person, now);
    }
    let mut speakers: Vec<PersonId> = Vec::new();
    for Utterance { person, .. } in &utterances {
        if !speakers.contains(person) {
            speakers.push(person.clone());
        }
    }
    let (speech_ended, heard) = (newest.ended, newest.heard);
    let event = JournalEvent::VoiceTurnOpened {
        speakers,
        trigger_message_ids: utterances
            .iter()
            .map(|utterance| utterance.message.clone())
            .collect(),
        required,
        waited: now.since(heard),
    };
    let mut turn = begun(
        VoiceTurnKind::Answer,
        utterances,
        admission.reason,
        required,
        speech_ended,
        cause,
        step,
    );
    // The silence that was waited for before it was asked is not the answer's delay.
    if admission.reason == VoiceAdmissionReason::LlmYes {
        turn.good_until = Some(now + service::stale(&voice.session));
    }
    turn.by_service = voice.session.service.is_some();
    turn.in_text = !voice.has_voice(step.settings);
    turn.native = native_answer::wanted(voice, &turn);
    turn.cause = step.ledger.write(turn.scope(context.room), event);
    step.exchange = Some(context.room.clone());
    recall(voice, turn, context, step);
}

/// That a turn is opened to which nobody's words led.
pub(super) fn unprompted(required: bool) -> JournalEvent {
    JournalEvent::VoiceTurnOpened {
        speakers: Vec::new(),
        trigger_message_ids: Vec::new(),
        required,
        waited: Span::ZERO,
    }
}

/// A turn that begins now.
pub(super) fn begun(
    kind: VoiceTurnKind,
    utterances: Vec<Utterance>,
    admitted: VoiceAdmissionReason,
    required: bool,
    speech_ended: Moment,
    cause: JournalSeq,
    step: &mut StepContext<'_>,
) -> VoiceTurn {
    VoiceTurn {
        id: step.counters.turn.take_next(),
        kind,
        utterances,
        admitted,
        required,
        opened: step.moment(),
        speech_ended,
        asked: None,
        first_sentence: None,
        first_written: None,
        cause,
        stage: VoiceStage::Speaking {},
        found: Recollection::default(),
        tools: ToolLoop::default(),
        failures: 0,
        insist: false,
        draft: Draft::default(),
        taken: 0,
        held: Vec::new(),
        beside: Vec::new(),
        sentences: 0,
        given: false,
        in_text: false,
        taken_back: 0,
        written: false,
        ask: AskId::default(),
        looks_at_screen: false,
        plain: false,
        sounds: Vec::new(),
        good_until: None,
        head_start: Span::ZERO,
        overtaken: false,
        cut_for: None,
        by_service: false,
        native: None,
    }
}
