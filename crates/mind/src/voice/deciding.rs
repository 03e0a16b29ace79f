//! Whether an answer to what was said is attempted: what waits together, the gate, and what it says.

use vocabulary::{JournalSeq, Message, Span};

use super::classifying::{Classified, classify};
use super::opening::open;
use super::turn::{STALE, STALE_WHEN_CALLED};
use super::utterance::{Utterance, Waiting};
use super::{Voice, VoiceContext};
use crate::admission::VoiceAdmissionReason;
use crate::admission::voice::{VoiceAdmission, VoiceQuestion, decide};
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{CancelReason, VoiceTurnReason};
use crate::replies::may_be_answered;
use crate::step_context::StepContext;
use crate::step_context::flight::cancel;

/// Ears take no longer than this, with the silence that ends a speech, where the machine is quick enough for them.
const EARS_USUALLY: Span = Span(1_500);

/// What of the classifier's answer is written into the journal.
const RESPONSE_CHARS_MAX: usize = 80;

/// Something was said, and is to be decided on.
pub(super) fn said(
    voice: &mut Voice,
    utterance: Utterance,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if context.is_quiet {
        return let_go(
            voice,
            Waiting::new(utterance),
            VoiceAdmissionReason::Quiet,
            context,
            step,
        );
    }
    if !may_be_answered(context.room, &utterance.person, step.settings) {
        // It stands in the log, and what others say is decided on without it.
        let reason = VoiceAdmissionReason::NotPermitted;
        return let_go(voice, Waiting::new(utterance), reason, context, step);
    }
    let crowded_out = match &mut voice.waiting {
        Some(waiting) => {
            if let Some(ask) = waiting.asking.take() {
                let scope = Scope::room(context.room).because(Some(utterance.cause));
                cancel(ask, CancelReason::NewerTurn, scope, step);
            }
            waiting.add(utterance)
        }
        None => {
            voice.waiting = Some(Waiting::new(utterance));
            None
        }
    };
    if let Some(utterance) = crowded_out {
        let reason = VoiceAdmissionReason::Stale;
        let_go(voice, Waiting::new(utterance), reason, context, step);
    }
}

/// It is to be quiet: what waits is not decided on any more, and what is being said ends.
pub(crate) fn hush(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    if let Some(mut waiting) = voice.waiting.take() {
        if let Some(ask) = waiting.asking.take() {
            cancel(ask, CancelReason::Quiet, Scope::room(context.room), step);
        }
        let_go(voice, waiting, VoiceAdmissionReason::Quiet, context, step);
    }
    voice.fall_silent(VoiceTurnReason::Quiet, context, step);
}

/// Writes down that something is not decided on any more, or never was.
pub(super) fn let_go(
    voice: &Voice,
    waiting: Waiting,
    reason: VoiceAdmissionReason,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let transcript = transcript(&waiting, context);
    if let Some(question) = question(&transcript, voice, &waiting, context, step) {
        note(&waiting, &denied(reason), &question, None, context, step);
    }
}

/// Looks at what waits, if its time has come.
pub(super) fn look(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let now = step.moment();
    let due = voice
        .waiting
        .as_ref()
        .and_then(|waiting| waiting.due(&voice.people));
    if due.is_none_or(|due| due > now) {
        return;
    }
    let Some(mut waiting) = voice.waiting.take() else {
        return;
    };
    if let Some(late) = waiting.take_late_calls(now) {
        let_go(voice, late, VoiceAdmissionReason::Stale, context, step);
    }
    let transcript = transcript(&waiting, context);
    let (Some(telling), Some(question)) = (
        waiting.telling().cloned(),
        question(&transcript, voice, &waiting, context, step),
    ) else {
        return;
    };
    let newest = waiting.utterances.last().unwrap_or(&telling);
    let is_exchange = telling.focused || telling.last_answered || voice.people.count() <= 1;
    let stale = match (telling.direct, is_exchange) {
        (true, _) => waiting.ended_by(&telling.person) + STALE_WHEN_CALLED,
        // Slow ears are not the fault of whoever talks with it.
        (false, true) => newest.ended.max(newest.heard - EARS_USUALLY) + STALE,
        (false, false) => newest.ended + STALE,
    };
    let mut admission = decide(&question);
    if stale < now && !transcript.is_empty() {
        admission = denied(VoiceAdmissionReason::Stale);
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
            waiting.next_look = (now + after).min((stale + Span(1)).max(now + Span(1)));
            voice.waiting = Some(waiting);
        }
        None if admission.allow => open(voice, waiting.utterances, admission, cause, context, step),
        None => {}
    }
}

/// What waits, as the gate looks at it.
pub(super) fn question<'a>(
    transcript: &'a str,
    voice: &Voice,
    waiting: &Waiting,
    context: &VoiceContext<'_>,
    step: &StepContext<'_>,
) -> Option<VoiceQuestion<'a>> {
    let (telling, newest) = (waiting.telling()?, waiting.utterances.last()?);
    let (settings, now) = (&step.settings.voice, step.moment());
    let own = |is: fn(&Utterance) -> bool| {
        let mut own = waiting.of(&telling.person);
        !telling.direct && own.any(is)
    };
    let names_somebody_else = own(|utterance| utterance.names_somebody_else);
    // While somebody speaks there is no silence, however long ago they began.
    let silence = match voice.people.somebody_speaks() {
        true => Span::ZERO,
        false => now.since(voice.session.last_activity().max(newest.ended)),
    };
    Some(VoiceQuestion {
        transcript,
        spoken: newest.spoken,
        permitted: may_be_answered(context.room, &telling.person, step.settings),
        bot_turn_open: voice.mouth.is_open(),
        // However long the ears, or a silence, took since.
        since_own_words: voice.mouth.last_heard.map(|heard| newest.ended.since(heard)),
        direct: telling.direct,
        bare_name: waiting.utterances.iter().all(|utterance| utterance.bare_name),
        names_somebody_else,
        goes_elsewhere: names_somebody_else || own(|utterance| utterance.goes_elsewhere),
        focused_speaker: telling.focused,
        last_answered: telling.last_answered,
        answers_own_question: telling.answers_question,
        participants: voice.people.count(),
        relax_when_alone: settings.relax_gate_when_alone,
        eagerness: settings.reply_eagerness,
        silence,
        classifier: step.settings.voice_decision.enabled,
    })
}

pub(super) fn denied(reason: VoiceAdmissionReason) -> VoiceAdmission {
    VoiceAdmission {
        allow: false,
        reason,
        retry_after: None,
        required: false,
    }
}

/// Writes down what the gate, or the classifier, said.
pub(super) fn note(
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
        score: waiting.telling().and_then(|telling| telling.score.clone()),
    };
    step.ledger.write(scope, event)
}

/// The messages of what was said, as they stand now.
pub(super) fn current<'a>(utterances: &[Utterance], context: &'a VoiceContext<'_>) -> Vec<&'a Message> {
    let ids = utterances.iter().map(|utterance| &utterance.message);
    ids.filter_map(|id| context.log.log().find(id)).collect()
}

/// All their words.
pub(super) fn words_of(utterances: &[Utterance], context: &VoiceContext<'_>) -> String {
    let messages = current(utterances, context);
    let words: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
    words.join(" ")
}

pub(super) fn transcript(waiting: &Waiting, context: &VoiceContext<'_>) -> String {
    words_of(&waiting.utterances, context)
}
