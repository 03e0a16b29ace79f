//! Whether a question to a model is asked at all: the day's budget and models that rest, in one place for every purpose.

use vocabulary::{AskAllowance, AskFailureKind, AskPurpose, ModelRequest, Moment, Span};

use super::StepContext;
use crate::asking;
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{RestCause, SpendingPurpose, SpendingRefusal};
use crate::spending::{AskedModel, Fare, MostWanted, tomorrow};

/// Why a question is not asked, and from when on it may be.
#[derive(Clone, Debug)]
pub(crate) enum Unaffordable {
    /// Nothing is left of the day's budget.
    Spent { refusal: SpendingRefusal, until: Moment },
    /// The model is left alone for a while.
    Resting { until: Moment, cause: RestCause },
}

impl Unaffordable {
    pub fn until(&self) -> Moment {
        match self {
            Unaffordable::Spent { until, .. } | Unaffordable::Resting { until, .. } => *until,
        }
    }

    /// What a failure of that kind is called.
    pub fn kind(&self) -> AskFailureKind {
        match self {
            Unaffordable::Spent { .. } => AskFailureKind::BudgetSpent,
            Unaffordable::Resting { cause, .. } => cause.kind(),
        }
    }

    /// For a person.
    pub fn words(&self, now: Moment) -> String {
        match self {
            Unaffordable::Spent { refusal, .. } => refusal.words(),
            Unaffordable::Resting { until, cause } => format!(
                "the model {}; it is asked again in {}",
                cause.words(),
                length(until.since(now))
            ),
        }
    }
}

impl StepContext<'_> {
    /// What a question may take that nobody waits for, or why it is not asked.
    pub fn afford(&mut self, request: &ModelRequest, scope: Scope) -> Result<Fare, Unaffordable> {
        self.afford_for(false, request, scope)
    }

    /// The same; whoever calls Denizen by name has a model tried sooner. The first refusal of a purpose today has a line.
    pub fn afford_for(
        &mut self,
        is_called: bool,
        request: &ModelRequest,
        scope: Scope,
    ) -> Result<Fare, Unaffordable> {
        let model = self.asked_model(&request.choice, request.purpose);
        let wanted = self.most_of(request);
        self.fare(is_called, request, &model, wanted, scope)
    }

    /// What an answer of the realtime service's own may take, which costs so many millionths of a dollar at most.
    pub fn afford_aloud(
        &mut self,
        is_called: bool,
        request: &ModelRequest,
        micro_dollars: Option<u64>,
        scope: Scope,
    ) -> Result<Fare, Unaffordable> {
        let model = AskedModel::of(&request.choice, request.purpose);
        let answer = u64::from(request.max_output_tokens.max(1));
        // All of it is put on the answer, whatever part of it is for what was heard.
        let rate = micro_dollars.map(|price| price.saturating_mul(1_000_000).div_ceil(answer));
        let wanted = MostWanted {
            allowance: AskAllowance {
                input_price: rate.map(|_| 0),
                output_price: rate,
                free: micro_dollars == Some(0),
                ..AskAllowance::default()
            },
            ..self.most_of(request)
        };
        self.fare(is_called, request, &model, wanted, scope)
    }

    fn fare(
        &mut self,
        is_called: bool,
        request: &ModelRequest,
        model: &AskedModel,
        wanted: MostWanted,
        scope: Scope,
    ) -> Result<Fare, Unaffordable> {
        let purpose = SpendingPurpose::of(request.purpose);
        let now = self.moment();
        let rests = self.rests.of(model, is_called, now);
        if let Some((until, cause)) = rests.or_else(|| self.rests.short_wait(model, now)) {
            return Err(Unaffordable::Resting { until, cause });
        }
        let fare = self
            .spending
            .fare((purpose, &request.choice), wanted, self.settings);
        fare.map_err(|(refusal, is_first)| {
            self.note_refused(&refusal, is_first, scope);
            let until = tomorrow(self.now()).1;
            Unaffordable::Spent { refusal, until }
        })
    }

    /// Whether a question for this is not asked now, because its model is left alone.
    pub fn is_left_alone(&self, purpose: AskPurpose, is_called: bool) -> bool {
        let model = self.asked_model(&self.settings.choice_for(purpose), purpose);
        let now = self.moment();
        self.rests.of(&model, is_called, now).is_some() || self.rests.short_wait(&model, now).is_some()
    }

    /// Until when a reply waits before it asks its model, because that model's provider wants so.
    pub fn reply_waits_until(&self) -> Option<Moment> {
        let purpose = AskPurpose::TextReply;
        let model = self.asked_model(&self.settings.choice_for(purpose), purpose);
        let (until, _) = self.rests.short_wait(&model, self.moment())?;
        Some(until)
    }

    /// Tokens that a prompt may have: what the settings give it, and no more than its model reads beside such an answer.
    pub fn prompt_tokens(&self, purpose: AskPurpose, answer_tokens: u64) -> u64 {
        let reads = self.reads_tokens(purpose).unwrap_or(u64::MAX);
        let left = reads.saturating_sub(answer_tokens);
        left.min(self.settings.llm.context_tokens)
    }

    /// Tokens that the model for a purpose reads, prompt and answer together; none where nobody knows.
    pub fn reads_tokens(&self, purpose: AskPurpose) -> Option<u64> {
        self.outside.allowances.get(&purpose)?.reads_tokens
    }

    /// The most that a question can be charged for.
    pub fn most_of(&self, request: &ModelRequest) -> MostWanted {
        let allowance = self.outside.allowances.get(&request.purpose);
        MostWanted {
            characters: asking::all_characters(request),
            pictures: asking::pictures(request),
            output_tokens: u64::from(request.max_output_tokens),
            allowance: allowance.copied().unwrap_or_default(),
        }
    }

    /// Says that something is not paid for, the first time today.
    pub(super) fn note_refused(&mut self, refusal: &SpendingRefusal, is_first: bool, scope: Scope) {
        let SpendingRefusal {
            purpose,
            limit,
            scope: share,
            used,
            allowed,
            wanted,
        } = *refusal;
        if is_first {
            let event = JournalEvent::SpendingRefused {
                purpose,
                limit,
                share,
                used,
                allowed,
                wanted,
            };
            self.ledger.write(scope, event);
        }
    }
}

/// `5 minutes`, `40 seconds`; rounded up, for a person.
pub(crate) fn length(span: Span) -> String {
    match span.0.div_ceil(1_000) {
        seconds @ 0..=90 => format!("{seconds} seconds"),
        seconds => format!("{} minutes", seconds.div_ceil(60)),
    }
}
