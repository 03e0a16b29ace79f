//! Whether an answer to what was said is attempted: the gate, the classifier where the gate leaves it open, and the turn.

use vocabulary::{AskId, AskOutcome, JournalSeq, Message, Moment, Span};

use super::looking_up::recall;
use super::prompt::decision_request;
use super::turn::{STALE, STALE_WHEN_CALLED, VoiceStage, VoiceTurn, VoiceTurnKind};
use super::utterance::{Utterance, Waiting};
use super::{Voice, VoiceContext};
use crate::admission::VoiceAdmissionReason;
use crate::admission::voice::{RETRY_WHILE_SPEAKING, VoiceAdmission, VoiceQuestion, decide, read_decision};
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{CancelReason, VoiceTurnOutcome, VoiceTurnReason};
use crate::replies::may_be_answered;
use crate::reply::Draft;
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, Owner, Question, cancel, launch};
use crate::tool_loop::ToolLoop;

/// What an older turn was about is answered along with the newer one that takes its place, if it was said this lately.
const CARRIED_WITHIN: Span = Span::seconds(12);
/// What of the classifier's answer is written into the journal.
const RESPONSE_CHARS_MAX: usize = 80;

/// What the classifier said, for the line about it.
struct Classified<'a> {
    response: Option<&'a str>,
    provider: String,
    model: String,
}

/// Something was said, and is to be decided on.
pub(super) fn said(
    voice: &mut Voice,
    utterance: Utterance,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    match &mut voice.waiting {
        Some(waiting) => {
            if let Some(ask) = waiting.asking.take() {
                let scope = Scope::room(context.room).because(Some(utterance.cause));
                cancel(ask, CancelReason::NewerTurn, scope, step);
            }
            waiting.add(utterance);
        }
        None => voice.waiting = Some(Waiting::new(utterance)),
    }
}

/// Looks at what waits, if its time has come.
pub(super) fn look(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let awaited = voice.people.words_awaited_until();
    let due = |waiting: &mut Waiting| waiting.due(awaited).is_some_and(|due| due <= step.moment());
    let Some(mut waiting) = voice.waiting.take_if(due) else {
        return;
    };
    let (Some(telling), Some(newest)) = (waiting.telling().cloned(), waiting.utterances.last().cloned())
    else {
        return;
    };
    let age = step.moment().since(newest.ended);
    let patience = if telling.direct { STALE_WHEN_CALLED } else { STALE };
    let messages = current(&waiting.utterances, context);
    let transcript: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
    let transcript = transcript.join(" ");
    let (settings, now) = (&step.settings.voice, step.moment());
    let question = VoiceQuestion {
        transcript: &transcript,
        spoken: newest.spoken,
        permitted: may_be_answered(context.room, &telling.person, step.settings),
        bot_turn_open: voice.mouth.is_open(),
        since_own_words: voice.mouth.last_heard.map(|heard| now.since(heard)),
        direct: telling.direct,
        bare_name: waiting.utterances.iter().all(|utterance| utterance.bare_name),
        names_somebody_else: newest.names_somebody_else && !telling.direct,
        focused_speaker: telling.focused,
        last_answered: telling.last_answered,
        answers_own_question: telling.answers_question,
        participants: voice.people.listened_count(),
        relax_when_alone: settings.relax_gate_when_alone,
        eagerness: settings.reply_eagerness,
        silence: now.since(voice.session.last_activity().max(newest.ended)),
        classifier: step.settings.voice_decision.enabled,
    };
    let mut admission = decide(&question);
    if age > patience && !transcript.is_empty() {
        admission = VoiceAdmission {
            allow: false,
            reason: VoiceAdmissionReason::Stale,
            retry_after: None,
            required: false,
        };
    }
    if admission.reason == VoiceAdmissionReason::AskClassifier {
        return classify(voice, waiting, &question, context, step);
    }
    let is_news = waiting.last != Some(admission.reason);
    let cause = match is_news {
        true => note(&waiting, &admission, &question, None, context, step),
        false => telling.cause,
    };
    waiting.last = Some(admission.reason);
    match admission.retry_after {
        Some(after) => {
            // Nothing is to be expected once it is too old.
            let stale = newest.ended + patience + Span(1);
            waiting.next_look = (now + after).min(stale.max(now + Span(1)));
            voice.waiting = Some(waiting);
        }
        None if admission.allow => open(voice, waiting.utterances, admission, cause, context, step),
        None => {}
    }
}

/// Asks a small model whether an answer is wanted.
fn classify(
    voice: &mut Voice,
    mut waiting: Waiting,
    question: &VoiceQuestion<'_>,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let near = waiting.utterances.iter().any(|utterance| utterance.near_name);
    let roster = voice.people.roster(super::prompt::ROSTER_MAX);
    let ids: Vec<_> = waiting
        .utterances
        .iter()
        .map(|utterance| utterance.message.clone())
        .collect();
    let request = decision_request(&ids, &roster, near, question, context, step.settings);
    let cause = waiting.utterances.last().map(|utterance| utterance.cause);
    let scope = Scope::room(context.room).about_all(&ids).because(cause);
    waiting.attempts += 1;
    match step.afford(&request, scope.clone()) {
        Ok(fare) => {
            let question = Question {
                owner: Owner::Voice(context.room.clone()),
                scope,
                room: context.room.clone(),
                turn: None,
                fare,
                attempt: waiting.attempts,
                request,
            };
            waiting.asking = Some(launch(question, step).ask);
            voice.waiting = Some(waiting);
        }
        Err(why) => {
            let admission = denied(VoiceAdmissionReason::LlmGenerateUnavailable);
            let words = why.words(step.moment());
            let said = Classified {
                response: Some(&words),
                provider: request.choice.provider,
                model: request.choice.model,
            };
            note(&waiting, &admission, question, Some(&said), context, step);
        }
    }
}

/// The classifier has answered, or has not.
pub(super) fn classified(
    voice: &mut Voice,
    ask: AskId,
    flight: &Flight,
    outcome: &AskOutcome,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    flight.closed(outcome, step);
    let waits = |waiting: &mut Waiting| waiting.asking == Some(ask);
    let Some(mut waiting) = voice.waiting.take_if(waits) else {
        return;
    };
    waiting.asking = None;
    let choice = flight.choice.clone();
    let (reason, response, by) = match outcome {
        AskOutcome::Answered(answer) => (
            read_decision(&answer.text),
            Some(answer.text.as_str()),
            (answer.provider.clone(), answer.model.clone()),
        ),
        AskOutcome::Failed(failure) => (
            VoiceAdmissionReason::LlmError,
            Some(failure.detail.as_str()),
            choice.map_or_else(Default::default, |choice| (choice.provider, choice.model)),
        ),
    };
    let is_decided = matches!(reason, VoiceAdmissionReason::LlmYes | VoiceAdmissionReason::LlmNo);
    let again = !is_decided && waiting.attempts < step.settings.voice_decision.attempts && !flight.lost;
    if again {
        waiting.next_look = step.moment();
        voice.waiting = Some(waiting);
        return;
    }
    // It began to speak while it was asked: nothing that is being heard is given up for this.
    let waits = reason == VoiceAdmissionReason::LlmYes && voice.mouth.is_open();
    let allow = reason == VoiceAdmissionReason::LlmYes && !waits;
    let admission = VoiceAdmission {
        allow,
        retry_after: waits.then_some(RETRY_WHILE_SPEAKING),
        ..denied(match waits {
            true => VoiceAdmissionReason::BotTurnOpen,
            false => reason,
        })
    };
    let said = Classified {
        response,
        provider: by.0,
        model: by.1,
    };
    let messages = current(&waiting.utterances, context);
    let transcript: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
    let transcript = transcript.join(" ");
    let question = plain_question(&transcript, voice, &waiting, step);
    let cause = note(&waiting, &admission, &question, Some(&said), context, step);
    if allow {
        open(voice, waiting.utterances, admission, cause, context, step);
    } else if waits {
        waiting.last = Some(admission.reason);
        waiting.attempts = 0;
        waiting.next_look = step.moment() + RETRY_WHILE_SPEAKING;
        voice.waiting = Some(waiting);
    }
}

fn denied(reason: VoiceAdmissionReason) -> VoiceAdmission {
    VoiceAdmission {
        allow: false,
        reason,
        retry_after: None,
        required: false,
    }
}

/// The surroundings of what waits, for the line about it.
fn plain_question<'a>(
    transcript: &'a str,
    voice: &Voice,
    waiting: &Waiting,
    step: &StepContext<'_>,
) -> VoiceQuestion<'a> {
    let newest = waiting.utterances.last();
    let now = step.moment();
    VoiceQuestion {
        transcript,
        spoken: newest.map_or(Span::ZERO, |newest| newest.spoken),
        permitted: true,
        bot_turn_open: voice.mouth.is_open(),
        since_own_words: voice.mouth.last_heard.map(|heard| now.since(heard)),
        direct: false,
        bare_name: false,
        names_somebody_else: newest.is_some_and(|newest| newest.names_somebody_else),
        focused_speaker: newest.is_some_and(|newest| newest.focused),
        last_answered: newest.is_some_and(|newest| newest.last_answered),
        answers_own_question: false,
        participants: voice.people.listened_count(),
        relax_when_alone: step.settings.voice.relax_gate_when_alone,
        eagerness: step.settings.voice.reply_eagerness,
        silence: now.since(newest.map_or(now, |newest| newest.ended)),
        classifier: true,
    }
}

/// Writes down what the gate, or the classifier, said.
fn note(
    waiting: &Waiting,
    admission: &VoiceAdmission,
    question: &VoiceQuestion<'_>,
    classified: Option<&Classified<'_>>,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) -> JournalSeq {
    let ids = waiting.utterances.iter().map(|utterance| &utterance.message);
    let cause = waiting.utterances.last().map(|utterance| utterance.cause);
    let scope = Scope::room(context.room).about_all(ids).because(cause);
    let shortened = |text: &str| -> String { text.trim().chars().take(RESPONSE_CHARS_MAX).collect() };
    let event = JournalEvent::VoiceTurnAddressing {
        allow: admission.allow,
        reason: admission.reason,
        direct_addressed: question.direct,
        near_name: waiting.utterances.iter().any(|utterance| utterance.near_name),
        names_somebody_else: question.names_somebody_else,
        focused_speaker: question.focused_speaker,
        since_own_words: question.since_own_words,
        silence: question.silence,
        participants: question.participants,
        eagerness: question.eagerness,
        retry_after: admission.retry_after,
        llm_response: classified.and_then(|said| said.response.map(shortened)),
        provider: classified.map(|said| said.provider.clone()),
        model: classified.map(|said| said.model.clone()),
    };
    step.ledger.write(scope, event)
}

/// The messages of what was said, as they stand now.
pub(super) fn current<'a>(utterances: &[Utterance], context: &'a VoiceContext<'_>) -> Vec<&'a Message> {
    let ids = utterances.iter().map(|utterance| &utterance.message);
    ids.filter_map(|id| context.log.log().find(id)).collect()
}

/// An answer is attempted; an older one of which nothing was heard is given up for it.
fn open(
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
        let carried = carried.filter(|utterance| now.since(utterance.ended) <= CARRIED_WITHIN);
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
    let mut speakers: Vec<_> = utterances
        .iter()
        .map(|utterance| utterance.person.clone())
        .collect();
    speakers.dedup();
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
    turn.cause = step.ledger.write(turn.scope(context.room), event);
    step.exchange = Some(context.room.clone());
    recall(voice, turn, context, step);
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
        cause,
        stage: VoiceStage::Speaking {},
        found: Recollection::default(),
        tools: ToolLoop::default(),
        failures: 0,
        insist: false,
        draft: Draft::default(),
        taken: 0,
        held: Vec::new(),
        given: false,
        written: false,
        ask: AskId::default(),
        looks_at_screen: false,
    }
}
