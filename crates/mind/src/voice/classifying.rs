//! Where the gate leaves it open, a small model says whether an answer is wanted.

use vocabulary::{AskId, AskOutcome};

use super::deciding::{denied, note, question, transcript};
use super::opening::open;
use super::prompt::{DecisionCues, decision_request};
use super::utterance::Waiting;
use super::{Voice, VoiceContext};
use crate::admission::VoiceAdmissionReason;
use crate::admission::voice::{RETRY_WHILE_SPEAKING, VoiceAdmission, VoiceQuestion, read_decision};
use crate::journal::Scope;
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, Owner, Question, launch};

/// What the classifier said, for the line about it.
pub(super) struct Classified<'a> {
    pub response: Option<&'a str>,
    pub provider: String,
    pub model: String,
}

/// Asks a small model whether an answer is wanted.
pub(super) fn classify(
    voice: &mut Voice,
    mut waiting: Waiting,
    question: &VoiceQuestion<'_>,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let cues = DecisionCues {
        near_name: waiting.utterances.iter().any(|utterance| utterance.near_name),
        spoken_of: waiting.utterances.iter().any(|utterance| utterance.spoken_of),
    };
    let roster = voice.people.roster(super::prompt::ROSTER_MAX);
    let ids: Vec<_> = waiting
        .utterances
        .iter()
        .map(|utterance| utterance.message.clone())
        .collect();
    let request = decision_request(&ids, &roster, cues, question, context, step.settings);
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
    let transcript = transcript(&waiting, context);
    let Some(question) = question(&transcript, voice, &waiting, context, step) else {
        return;
    };
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
