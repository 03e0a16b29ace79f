//! A question to a model, from its launch to its end: the one place that writes `ask_started`, `ask_completed`,
//! `ask_failed` and `ask_cancelled`.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, AskPurpose, DeliveryId, Finish, JournalSeq, ModelAnswer,
    ModelChoice, ModelRequest, Moment, RoomId, SectionFate, Span, TurnId,
};

use super::{Owner, Pace};
use crate::asking;
use crate::effect::{Asking, Effect};
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{CancelReason, RestCause, SpendingPurpose};
use crate::spending::{AskedModel, Fare, PATIENCE_MAX};
use crate::step_context::StepContext;
use crate::step_context::paying::Unaffordable;

/// The shell gives up an ask at its deadline; the mind does so a little later, in case the shell does not.
pub(crate) const DEADLINE_GRACE: Span = Span::seconds(5);
/// Nobody who talks waits longer than that for whether an answer is wanted at all.
const DECISION_MAX: Span = Span::seconds(20);

/// What is asked, by whom, and what its lines are about.
#[derive(Debug)]
pub(crate) struct Question {
    pub owner: Owner,
    /// What its lines are about, and which line led to it.
    pub scope: Scope,
    /// Where the inspector files it.
    pub room: RoomId,
    /// None: it belongs to no turn.
    pub turn: Option<TurnId>,
    /// What it may take, found affordable.
    pub fare: Fare,
    /// Counts the tries, from one.
    pub attempt: u64,
    pub request: ModelRequest,
}

/// A question is under way: its number, and the line that says so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launched {
    pub ask: AskId,
    pub cause: JournalSeq,
}

/// A question under way.
#[must_use = "its end is written by `completed` or `failed`"]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Flight {
    pub ask: AskId,
    pub owner: Owner,
    pub purpose: AskPurpose,
    pub launched: Moment,
    pub deadline: Moment,
    /// Whom it went to; what was asked before that was written down has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<ModelChoice>,
    /// What its lines are about; the newest before is the one that says that it was asked.
    pub scope: Scope,
    /// The process ended before its answer came, which is no failure of the model's.
    #[serde(skip)]
    pub lost: bool,
}

/// Asks a model under the next number.
pub(crate) fn launch(question: Question, step: &mut StepContext<'_>) -> Launched {
    let ask = step.counters.ask.take_next();
    launch_as(ask, question, step)
}

/// Asks a model under a number that was taken for it, because a line before has to name it.
pub(crate) fn launch_as(ask: AskId, question: Question, step: &mut StepContext<'_>) -> Launched {
    fly(ask, question, None, step)
}

/// Asks the realtime service of the room, which answers by itself and is heard under that id.
pub(crate) fn launch_aloud(question: Question, aloud: DeliveryId, step: &mut StepContext<'_>) -> Launched {
    let ask = step.counters.ask.take_next();
    fly(ask, question, Some(aloud), step)
}

fn fly(
    ask: AskId,
    mut question: Question,
    aloud: Option<DeliveryId>,
    step: &mut StepContext<'_>,
) -> Launched {
    question.request = asking::defused(question.request);
    question.request.deadline = patience(&question.request, step);
    let request = &question.request;
    let with_fate = |fate| {
        let sections = request.sections.iter().filter(|section| section.fate == fate);
        sections.map(|section| section.name.clone()).collect()
    };
    let event = JournalEvent::AskStarted {
        ask,
        purpose: request.purpose,
        provider: request.choice.provider.clone(),
        model: request.choice.model.clone(),
        attempt: question.attempt,
        prompt_characters: request.sections.iter().map(|section| section.kept_chars).sum(),
        sections_trimmed: with_fate(SectionFate::Trimmed),
        sections_dropped: with_fate(SectionFate::Dropped),
    };
    let cause = step.ledger.write(question.scope.clone(), event);
    let model = match &aloud {
        // Nobody else is asked in its place.
        Some(_) => AskedModel::of(&request.choice, request.purpose),
        None => step.asked_model(&request.choice, request.purpose),
    };
    step.flights.asks.push(Flight {
        ask,
        owner: question.owner,
        purpose: request.purpose,
        launched: step.moment(),
        deadline: step.moment() + request.deadline + grace(request.purpose),
        choice: Some(model.choice.clone()),
        scope: question.scope.because(Some(cause)),
        lost: false,
    });
    step.spending.reserve(ask, question.fare);
    let now = step.moment();
    step.rests.tried(&model, now);
    step.ledger.want(Effect::Ask(Box::new(Asking {
        ask,
        room: question.room,
        turn: question.turn.unwrap_or_default(),
        request: question.request,
        aloud,
    })));
    Launched { ask, cause }
}

/// How long a question has: whoever waits for an answer of a model in the house, which may be slow, gets it, unless the
/// operator has said how long that is. Small questions have as long as it is known to need.
fn patience(request: &ModelRequest, step: &StepContext<'_>) -> Span {
    let llm = &step.settings.llm;
    let is_reply = matches!(
        request.purpose,
        AskPurpose::TextReply
            | AskPurpose::TextReplyFollowup
            | AskPurpose::VoiceReply
            | AskPurpose::VoiceReplyFollowup
    );
    let known = step.outside.allowances.get(&request.purpose);
    let usual = request.deadline;
    if !known.is_some_and(|known| known.nearby) {
        return usual;
    }
    match (is_reply, most(request.purpose, step.settings)) {
        (true, _) => usual.max(Span::seconds(llm.reply_seconds(true))),
        (false, Some(most)) => step.flights.paces.patience(request.purpose, usual, most),
        (false, None) => usual,
    }
}

/// How long a model in the house may take at most for what has a short time of its own; none where that is not stretched.
fn most(purpose: AskPurpose, settings: &Settings) -> Option<Span> {
    match purpose {
        AskPurpose::VoiceReplyDecision => Some(DECISION_MAX),
        AskPurpose::ContextCompaction => settings.compaction.nearby_seconds().map(Span::seconds),
        _ => None,
    }
}

/// Nobody waits for a summary, so that it has its time and no more.
fn grace(purpose: AskPurpose) -> Span {
    match purpose {
        AskPurpose::ContextCompaction => Span::seconds(0),
        _ => DEADLINE_GRACE,
    }
}

/// Gives a question up that is under way. Its scope may have moved on since it was asked.
pub(crate) fn cancel(
    ask: AskId,
    why: CancelReason,
    scope: Scope,
    step: &mut StepContext<'_>,
) -> Option<JournalSeq> {
    let flight = step.flights.land(ask)?;
    if let Some(model) = flight.model() {
        step.rests.tried_in_vain(&model, flight.launched);
    }
    step.spending.given_up(ask);
    step.ledger.want(Effect::CancelAsk { ask });
    let event = JournalEvent::AskCancelled { ask, why };
    Some(step.ledger.write(scope, event))
}

impl Flight {
    /// The model has answered.
    pub fn completed(&self, answer: &ModelAnswer, step: &mut StepContext<'_>) -> JournalSeq {
        let usage = &answer.usage;
        step.spending.answered(self.ask, answer.tries, usage);
        if let Some(model) = self.model() {
            step.rests.answered(&model, self.launched);
        }
        let took = step.moment().since(self.launched);
        if let Some(pace) = self.pace(step) {
            pace.took(took);
        }
        let event = JournalEvent::AskCompleted {
            ask: self.ask,
            purpose: self.purpose,
            provider: answer.provider.clone(),
            model: answer.model.clone(),
            took: answer.took,
            first_text: answer.first_text,
            input_tokens: usage.input_tokens,
            cached_tokens: (usage.cached_input_tokens > 0).then_some(usage.cached_input_tokens),
            output_tokens: usage.output_tokens,
            cost_micro_dollars: usage.cost_micro_dollars,
            cut_at: (answer.finish == Finish::Length)
                .then(|| answer.cap.map_or(usage.output_tokens, u64::from)),
        };
        step.ledger.write(self.scope.clone(), event)
    }

    /// It has not, and this is when whoever asked tries again.
    pub fn failed(
        &self,
        failure: &AskFailure,
        retry_in: Option<Span>,
        step: &mut StepContext<'_>,
    ) -> JournalSeq {
        step.spending.failed(self.ask, failure);
        let waited = step.moment().since(self.launched);
        let in_vain = failure.kind.took_its_time();
        if let Some(pace) = self.pace(step).filter(|_| in_vain) {
            pace.given_up_after(waited);
        }
        let event = JournalEvent::AskFailed {
            ask: self.ask,
            purpose: self.purpose,
            kind: failure.kind,
            detail: failure.detail.clone(),
            retry_in,
            input_tokens: failure.usage.map(|usage| usage.input_tokens),
            output_tokens: failure.usage.map(|usage| usage.output_tokens),
            cost_micro_dollars: failure.usage.and_then(|usage| usage.cost_micro_dollars),
        };
        let line = step.ledger.write(self.scope.clone(), event);
        // One that is asked again a little later is not over; one that is asked otherwise, or in vain, is.
        let is_over = retry_in.is_none_or(|wait| wait == Span::ZERO) || !failure.kind.is_retryable();
        self.let_rest(failure, is_over, line, step);
        line
    }

    /// Its answer has words.
    pub fn spoke(&self, step: &mut StepContext<'_>) {
        if let Some(model) = self.model() {
            step.rests.spoke(&model);
        }
    }

    /// Its answer has none where one is owed; `line` says so.
    pub fn said_nothing(&self, line: JournalSeq, step: &mut StepContext<'_>) {
        let nothing = AskFailure::new(AskFailureKind::EmptyAnswer, "");
        self.let_rest(&nothing, true, line, step);
    }

    /// A model that is known to fail is left alone for a while.
    fn let_rest(&self, failure: &AskFailure, is_over: bool, line: JournalSeq, step: &mut StepContext<'_>) {
        let Some(model) = self.model() else { return };
        step.rests.tried_in_vain(&model, self.launched);
        let (now, asked_for) = (step.moment(), failure.retry_after);
        let strain = self.strain(failure, &model);
        let flown = (self.launched, is_over);
        let begun = strain.and_then(|cause| {
            let begun = step.rests.failed((&model, cause), asked_for, flown, now);
            Some((begun?, cause))
        });
        let Some(((asked_for, rest), cause)) = begun else {
            if let Some(wait) = asked_for.filter(|wait| *wait > Span::ZERO) {
                let cause = strain.unwrap_or(RestCause::Asked);
                step.rests
                    .waits_shortly((&model, cause), wait.min(PATIENCE_MAX), now);
            }
            return;
        };
        let event = JournalEvent::ModelRestBegun {
            provider: model.choice.provider,
            model: model.choice.model,
            asked_for,
            rest,
            why: Some(cause),
        };
        step.ledger.write(self.scope.clone().because(Some(line)), event);
    }

    /// What a failure says of the model for the next question, if anything.
    fn strain(&self, failure: &AskFailure, model: &AskedModel) -> Option<RestCause> {
        let waits = failure.retry_after.is_some_and(|wait| wait > PATIENCE_MAX);
        // Other work has pauses of its own.
        let is_reply = SpendingPurpose::of(self.purpose) == SpendingPurpose::Replies;
        // Where nobody knows which one it is, nobody was asked, and each question looks for one.
        let is_named = !model.choice.model.is_empty();
        Some(match failure.kind {
            AskFailureKind::OutOfRoom => RestCause::Mute,
            AskFailureKind::EmptyAnswer => RestCause::Empty,
            AskFailureKind::KeyRefused => RestCause::Key,
            AskFailureKind::RegionRefused => RestCause::Region,
            AskFailureKind::QuotaSpent => RestCause::Spent,
            _ if waits => RestCause::Asked,
            AskFailureKind::RateLimited => RestCause::Limited,
            AskFailureKind::ContextTooLong => RestCause::TooLong,
            AskFailureKind::UnknownModel if is_named => RestCause::Gone,
            AskFailureKind::Rejected if is_named => RestCause::Rejected,
            AskFailureKind::ServerError if is_reply => RestCause::Down,
            AskFailureKind::Malformed if is_reply => RestCause::Garbled,
            AskFailureKind::Unreachable if is_reply => RestCause::Unreachable,
            kind if is_reply && kind.took_its_time() => RestCause::Hanging,
            _ => return None,
        })
    }

    /// Whether it tried a model that had been left alone.
    pub fn is_trial(&self, step: &StepContext<'_>) -> bool {
        self.model().is_some_and(|model| step.rests.has_rested(&model))
    }

    /// Whether one more failure like this has its model left alone.
    pub fn is_last_try(&self, failure: &AskFailure, step: &StepContext<'_>) -> bool {
        self.model().is_some_and(|model| {
            let cause = self.strain(failure, &model);
            cause.is_some_and(|cause| step.rests.is_on_the_brink(&model, cause))
        })
    }

    /// Whether a room has waited for it as often as it waits for a model before that is left alone.
    pub fn was_waited_for_enough(&self, failure: &AskFailure, step: &StepContext<'_>) -> bool {
        failure.kind.took_its_time() && self.is_last_try(failure, step)
    }

    /// Why its model is not asked again now, where it is left alone.
    pub fn resting(&self, step: &StepContext<'_>) -> Option<Unaffordable> {
        let (until, cause) = step.rests.of(&self.model()?, true, step.moment())?;
        Some(Unaffordable::Resting { until, cause })
    }

    /// How long its model takes for such questions, where that decides how long it has.
    fn pace<'b>(&self, step: &'b mut StepContext<'_>) -> Option<&'b mut Pace> {
        most(self.purpose, step.settings).map(|_| step.flights.paces.of(self.purpose))
    }

    /// Whom it went to; none where it was asked before that was kept.
    fn model(&self) -> Option<AskedModel> {
        let choice = self.choice.as_ref()?;
        Some(AskedModel::of(choice, self.purpose))
    }

    /// Its end, where nothing hangs on how it ended.
    pub fn closed(&self, outcome: &AskOutcome, step: &mut StepContext<'_>) -> JournalSeq {
        match outcome {
            AskOutcome::Answered(answer) => self.completed(answer, step),
            AskOutcome::Failed(failure) => self.failed(failure, None, step),
        }
    }
}

/// How a question ends that has had its time.
pub(crate) fn timed_out() -> AskOutcome {
    let detail = "no answer within its time";
    AskOutcome::Failed(AskFailure::new(AskFailureKind::TimedOut, detail))
}

/// How a question ends that was lost with the process.
pub(crate) fn interrupted() -> AskOutcome {
    let detail = "the process ended before the answer came";
    AskOutcome::Failed(AskFailure::new(AskFailureKind::Interrupted, detail))
}
