//! What somebody who called Denizen hears when no answer comes of it: once for each trouble, and then nothing more of it
//! until a reply was said.

use serde::{Deserialize, Serialize};
use vocabulary::{AskFailureKind, Moment, Span};

use super::ReplyContext;
use super::turn::Turn;
use crate::parcel::{Errand, Parcel};
use crate::step_context::StepContext;

/// A trouble that nobody has called in for so long is told like a new one.
const FORGOTTEN_AFTER: Span = Span::hours(24);
/// A provider that answers every other time is told of no more often than this.
const PAUSE_MIN: Span = Span::minutes(10);

/// What a room was told of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct ToldTroubles(Vec<Told>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Told {
    of: TroubleOf,
    at: Moment,
    /// A reply was said since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    over: bool,
}

/// What is one trouble for people in a room: an outage has many faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TroubleOf {
    /// It passes by itself.
    Outage,
    /// Somebody has to see to it.
    Setup,
    /// What was asked is not answered.
    Question,
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

    fn is_news(&mut self, of: TroubleOf, now: Moment) -> bool {
        let known = self.0.iter_mut().find(|told| told.of == of);
        let fresh = Told {
            of,
            at: now,
            over: false,
        };
        let Some(told) = known else {
            self.0.push(fresh);
            return true;
        };
        let quiet = if told.over { PAUSE_MIN } else { FORGOTTEN_AFTER };
        let is_news = now.since(told.at) >= quiet;
        if is_news {
            *told = fresh;
        }
        is_news
    }

    /// Tells whoever spoke to Denizen that no answer came, where that is news in the room.
    pub fn tell(
        &mut self,
        kind: AskFailureKind,
        turn: &Turn,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some((of, words)) = words(kind).filter(|_| turn.forced) else {
            return;
        };
        if self.is_news(of, step.moment()) {
            notice(words.to_owned(), turn, context, step);
        }
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

fn words(kind: AskFailureKind) -> Option<(TroubleOf, &'static str)> {
    use AskFailureKind as Kind;
    use TroubleOf::{Outage, Question, Setup};
    Some(match kind {
        Kind::RateLimited => (
            Outage,
            "My model is asked more than it takes at the moment, so I have no answer. Ask me again in a little while.",
        ),
        Kind::ServerError => (
            Outage,
            "The service of my model has trouble at the moment, so I have no answer. Ask me again in a little while.",
        ),
        Kind::Unreachable => (
            Outage,
            "I cannot reach my model at the moment, so I have no answer. Ask me again in a little while.",
        ),
        Kind::TimedOut | Kind::NoFirstByte | Kind::StreamStalled => (
            Outage,
            "My model took too long, so I have no answer. Ask me again in a little while.",
        ),
        Kind::Malformed => (
            Outage,
            "The answer of my model broke off or made no sense, so I have none for you. Ask me again in a little while.",
        ),
        Kind::KeyRefused => (
            Setup,
            "The service of my model does not accept my key, so I cannot answer. Whoever looks after me can see to that.",
        ),
        Kind::RegionRefused => (
            Setup,
            "The service of my model answers nobody from where I am, so I cannot answer. Whoever looks after me can see to that.",
        ),
        Kind::Rejected | Kind::UnknownModel | Kind::Unavailable => (
            Setup,
            "The service of my model does not take what I ask of it, so I cannot answer. Whoever looks after me can see to that.",
        ),
        Kind::OutOfRoom => (
            Setup,
            "My model used up what it may write before a sentence was whole, so I have no answer. Whoever looks after me can give it more room.",
        ),
        Kind::Refused => (Question, "My model declined to answer that."),
        Kind::ContextTooLong => (
            Question,
            "What I would have to read for that is too much for my model, so I cannot answer.",
        ),
        // These are told by whoever keeps count, and a question that was lost is asked again.
        Kind::QuotaSpent | Kind::BudgetSpent | Kind::Interrupted => return None,
    })
}

#[cfg(test)]
#[path = "telling_tests.rs"]
mod telling_tests;
