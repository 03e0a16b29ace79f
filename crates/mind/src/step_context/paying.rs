//! Whether a question to a model is asked at all: the day's budget and models that rest, in one place for every purpose.

use vocabulary::{AskFailureKind, ModelRequest, Moment, RoomId, Span};

use super::StepContext;
use crate::asking;
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{RestCause, SpendingPurpose, SpendingRefusal};
use crate::spending::{ChosenModel, Fare, MostWanted, tomorrow};

/// Why a question is not asked, and from when on it may be.
#[derive(Clone, Debug)]
pub(crate) enum Unaffordable {
    /// Nothing is left of the day's budget.
    Spent { refusal: SpendingRefusal, until: Moment },
    /// The model is left alone for a while.
    Resting {
        model: ChosenModel,
        until: Moment,
        cause: RestCause,
    },
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
            Unaffordable::Resting { cause, .. } => match cause {
                RestCause::Asked => AskFailureKind::RateLimited,
                RestCause::Spent => AskFailureKind::QuotaSpent,
                RestCause::Mute => AskFailureKind::OutOfRoom,
            },
        }
    }

    /// For a person.
    pub fn words(&self, now: Moment) -> String {
        match self {
            Unaffordable::Spent { refusal, .. } => refusal.words(),
            Unaffordable::Resting { until, cause, .. } => format!(
                "{}; it is asked again in {}",
                match cause {
                    RestCause::Asked => "the model asked to be left alone",
                    RestCause::Spent => "the account of the model has no credit or quota left",
                    RestCause::Mute => "the model spends all that it may write on thinking and says nothing",
                },
                length(until.since(now))
            ),
        }
    }
}

impl StepContext<'_> {
    /// What a question may take, or why it is not asked. The first refusal of a purpose today has a line.
    pub fn afford(&mut self, request: &ModelRequest, scope: Scope) -> Result<Fare, Unaffordable> {
        let purpose = SpendingPurpose::of(request.purpose);
        let is_background = !matches!(purpose, SpendingPurpose::Replies | SpendingPurpose::Classifier);
        let models = ChosenModel::both(&request.choice, request.purpose);
        if let Some((model, until, cause)) = self.rests.of(models, is_background, self.moment()) {
            return Err(Unaffordable::Resting { model, until, cause });
        }
        let wanted = self.most_of(request);
        let fare = self
            .spending
            .fare((purpose, &request.choice), wanted, self.settings);
        fare.map_err(|(refusal, is_first)| {
            self.note_refused(&refusal, is_first, scope);
            let until = tomorrow(self.now()).1;
            Unaffordable::Spent { refusal, until }
        })
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

    /// What somebody who spoke to Denizen is told in a room, where that is news there.
    pub fn told_of(&mut self, why: &Unaffordable, room: &RoomId) -> Option<String> {
        let now = self.moment();
        match why {
            Unaffordable::Spent { refusal, .. } => {
                let is_news = self.spending.is_to_be_told(room);
                is_news.then(|| refusal.told_in_room())
            }
            Unaffordable::Resting { model, until, cause } => {
                let wait = length(until.since(now));
                self.rests.is_to_be_told(model, room, now).then(|| match cause {
                    RestCause::Asked => format!(
                        "My model has asked to be left alone. I try it again in {wait}, and cannot answer until then."
                    ),
                    RestCause::Spent => format!(
                        "The account of my model has no credit or quota left, so I cannot answer. Whoever looks after me \
                         can see to that; I try again in {wait}."
                    ),
                    RestCause::Mute => format!(
                        "My model spends all that it may write on thinking and says nothing, so I cannot answer. Whoever \
                         looks after me can see to that; I try again in {wait}."
                    ),
                })
            }
        }
    }
}

/// `5 minutes`, `40 seconds`; rounded up, for a person.
fn length(span: Span) -> String {
    match span.0.div_ceil(1_000) {
        seconds @ 0..=90 => format!("{seconds} seconds"),
        seconds => format!("{} minutes", seconds.div_ceil(60)),
    }
}
