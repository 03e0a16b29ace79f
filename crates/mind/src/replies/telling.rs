//! What somebody who called Denizen hears when no answer comes of it: once for each trouble, and then nothing more of it
//! until a reply was said.

use serde::{Deserialize, Serialize};
use vocabulary::{AskFailureKind, Moment, Span};

use super::ReplyContext;
use super::turn::Turn;
use crate::parcel::{Errand, Parcel};
use crate::reasons::RestCause;
use crate::step_context::StepContext;
use crate::step_context::paying::length;

/// A trouble that nobody has called in for so long is told like a new one.
const FORGOTTEN_AFTER: Span = Span::hours(24);
/// A provider that answers every other time is told of no more often than this.
const PAUSE_MIN: Span = Span::minutes(10);
/// However many troubles there are, a room hears of so many within such a pause.
const LINES_MAX: usize = 3;

/// What a room was told of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct ToldTroubles(Vec<Told>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Told {
    /// What was told before kinds were told apart has none.
    #[serde(default)]
    kind: Option<AskFailureKind>,
    at: Moment,
    /// A reply was said since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    over: bool,
}

impl ToldTroubles {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A reply was said: what was told before that is over.
    pub fn reply_said(&mut self) {
        for told in &mut self.0 {
            told.over = true;
        }
    }

    fn is_news(&mut self, kind: AskFailureKind, now: Moment) -> bool {
        let lately = self.0.iter().filter(|told| now.since(told.at) < PAUSE_MIN);
        let is_known = |told: &Told| {
            let quiet = if told.over { PAUSE_MIN } else { FORGOTTEN_AFTER };
            told.is_of(kind) && now.since(told.at) < quiet
        };
        if lately.count() >= LINES_MAX || self.0.iter().any(is_known) {
            return false;
        }
        self.0.retain(|told| told.kind.is_some() && !told.is_of(kind));
        self.0.push(Told {
            kind: Some(kind),
            at: now,
            over: false,
        });
        true
    }

    /// Tells whoever spoke to Denizen that no answer came, where that is news in the room.
    pub fn tell(
        &mut self,
        kind: AskFailureKind,
        turn: &Turn,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some(words) = words(kind).filter(|_| turn.forced) else {
            return;
        };
        if self.is_news(kind, step.moment()) {
            notice(words.to_owned(), turn, context, step);
        }
    }

    /// The same where the model is left alone, with when it is tried again.
    pub fn tell_resting(
        &mut self,
        cause: RestCause,
        until: Moment,
        turn: &Turn,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        if turn.forced && self.is_news(cause.kind(), step.moment()) {
            let wait = length(until.since(step.moment()));
            notice(words_of_rest(cause, &wait), turn, context, step);
        }
    }
}

impl Told {
    /// What is told in the same words is the same.
    fn is_of(&self, kind: AskFailureKind) -> bool {
        self.kind
            .is_some_and(|told| told == kind || (words(told).is_some() && words(told) == words(kind)))
    }
}

/// Says something in the room that is no reply, and has a turn of its own.
pub(super) fn notice(text: String, turn: &Turn, context: &mut ReplyContext<'_>, step: &mut StepContext<'_>) {
    let (own, ask) = (step.counters.turn.take_next(), step.counters.ask);
    let mut parcel = Parcel::new(Errand::Notice, context.room, own, ask, text);
    parcel.scope.cause = Some(turn.cause);
    // A room that takes nothing more has a line of its own for that.
    let _ = context.outbox.post(parcel, step);
}

fn words(kind: AskFailureKind) -> Option<&'static str> {
    use AskFailureKind as Kind;
    Some(match kind {
        Kind::RateLimited => {
            "My model is asked more than it takes at the moment, so I have no answer. Ask me again in a little while."
        }
        Kind::ServerError => {
            "The service of my model has trouble at the moment, so I have no answer. Ask me again in a little while."
        }
        Kind::Unreachable => {
            "I cannot reach my model at the moment, so I have no answer. Ask me again in a little while."
        }
        Kind::TimedOut | Kind::NoFirstByte | Kind::StreamStalled => {
            "My model took too long, so I have no answer. Ask me again in a little while."
        }
        Kind::Malformed => {
            "The answer of my model broke off or made no sense, so I have none for you. Ask me again in a little while."
        }
        Kind::KeyRefused => {
            "The service of my model does not accept my key, so I cannot answer. Whoever looks after me can see to that."
        }
        Kind::RegionRefused => {
            "The service of my model answers nobody from where I am, so I cannot answer. Whoever looks after me can see to that."
        }
        Kind::Rejected | Kind::UnknownModel | Kind::Unavailable => {
            "The service of my model does not take what I ask of it, so I cannot answer. Whoever looks after me can see to that."
        }
        Kind::OutOfRoom => {
            "My model used up what it may write before a sentence was whole, so I have no answer. Whoever looks after me can give it more room."
        }
        Kind::EmptyAnswer => {
            "My model answers without a word, however I ask it, so I have no answer. Whoever looks after me can see to that."
        }
        Kind::Refused => "My model declined to answer that.",
        Kind::ContextTooLong => {
            "What I would have to read for that is too much for my model, so I cannot answer."
        }
        // These are told by whoever keeps count, and a question that was lost is asked again.
        Kind::QuotaSpent | Kind::BudgetSpent | Kind::Interrupted => return None,
    })
}

fn words_of_rest(cause: RestCause, wait: &str) -> String {
    let (trouble, seen_to) = match cause {
        RestCause::Asked => {
            return format!(
                "My model has asked to be left alone. I try it again in {wait}, and cannot answer until then."
            );
        }
        RestCause::Spent => ("The account of my model has no credit or quota left", true),
        RestCause::Mute => (
            "My model spends all that it may write on thinking and says nothing",
            true,
        ),
        RestCause::Empty => ("My model answers without a word, however I ask it", true),
        RestCause::Key => ("The service of my model does not accept my key", true),
        RestCause::TooLong => ("All that I would have to read is too much for my model", true),
        RestCause::Down => ("The service of my model has trouble", false),
        RestCause::Limited => ("My model is asked more than it takes at the moment", false),
        RestCause::Region => ("The service of my model answers nobody from where I am", true),
        RestCause::Gone => ("The service of my model does not know that model", true),
        RestCause::Rejected => ("The service of my model does not take what I ask of it", true),
        RestCause::Garbled => ("What comes from my model is no answer", false),
        RestCause::Unreachable => ("I cannot reach my model", false),
        RestCause::Hanging => ("My model takes too long", false),
    };
    let who = match seen_to {
        true => " Whoever looks after me can see to that;",
        false => "",
    };
    format!("{trouble}, so I cannot answer.{who} I try again in {wait}.")
}

#[cfg(test)]
#[path = "telling_tests.rs"]
mod telling_tests;
