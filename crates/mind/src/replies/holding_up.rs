//! A model that holds a room up: those who wait meanwhile can be told what they wait for, and what they waited for.

use serde::{Deserialize, Serialize};
use vocabulary::{AskFailureKind, JournalSeq, MessageId, Now, RoomId, Span};

use super::Replies;
use super::queue::Queue;
use super::turn::Stage;
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, Flights};

/// Waiting for somebody else's reply is told of from then on.
const HELD_UP_FROM: Span = Span::seconds(10);

/// A question to a model that a message waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskUnderWay {
    /// It is asked for somebody else's turn, and the message is in line behind it.
    pub for_another: bool,
    pub asked_ago: Span,
    /// It is given up after so long.
    pub at_most: Span,
    /// Words of the answer have come.
    pub begun: bool,
}

/// The question to a model that a message waits for, if there is one.
pub(crate) fn ask_under_way(
    replies: &Replies,
    id: &MessageId,
    flights: &Flights,
    now: Now,
) -> Option<AskUnderWay> {
    let turn = replies.turn.as_ref()?;
    let (waits, answering) = replies.holds(id);
    let flight = flights.ask(turn.ask()?).filter(|_| waits || answering)?;
    Some(AskUnderWay {
        for_another: !answering,
        asked_ago: now.moment.since(flight.launched),
        at_most: flight.deadline.since(flight.launched),
        begun: matches!(&turn.stage, Stage::Asking { draft, .. } if !draft.is_empty()),
    })
}

/// A question is over that took long or came to nothing slowly: whoever waits behind it has a line about that.
pub(super) fn tell_held_up(
    queue: &Queue,
    flight: &Flight,
    failure: Option<(AskFailureKind, Option<Span>)>,
    cause: JournalSeq,
    room: &RoomId,
    step: &mut StepContext<'_>,
) {
    let took = step.took(flight.launched);
    let in_vain = failure.is_some_and(|(kind, _)| kind.took_its_time());
    let mut waiting = queue.message_ids().peekable();
    if waiting.peek().is_none() || (took < HELD_UP_FROM && !in_vain) {
        return;
    }
    let scope = Scope::room(room).about_all(waiting).because(Some(cause));
    let event = JournalEvent::ReplyHeldUp {
        ask: flight.ask,
        took,
        failure: failure.map(|(kind, _)| kind),
        retry_in: failure.and_then(|(_, retry_in)| retry_in),
    };
    step.ledger.write(scope, event);
}
