//! A realtime service that hears and speaks for Denizen, where one does: what it thinks is its own all the same.

use serde::{Deserialize, Serialize};
use settings::{RealtimeReplyStrategy, VoiceMode};
use vocabulary::{DeliveryId, RoomId, Span};

use super::native::NativeLink;
use super::session::VoiceSession;
use super::turn::{STALE, VoiceTurn};
use super::{Voice, VoiceContext};
use crate::input::ServiceEvents;
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;

/// With a service, an answer that would begin later than this after the end of what was said is not given any more: it is
/// there for its quickness.
pub(super) const STALE_BY_SERVICE: Span = Span(2_200);

/// The service of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Seat {
    pub service: String,
    /// What it calls the event by which it is asked to say something.
    pub event: String,
}

/// It hears and speaks from now on, or cannot; people are told that it cannot, and that it can again.
pub(crate) fn stands(
    voice: &mut Voice,
    seat: Seat,
    native: Option<ServiceEvents>,
    works: bool,
    detail: &str,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if !voice.session.is_in() {
        return;
    }
    let (did, failed) = (voice.session.service.is_some(), voice.session.service_failed);
    let (was, thought) = (voice.session.service.as_ref(), voice.session.native.as_ref());
    let is_same = was == Some(&seat) && thought.map(|link| &link.events) == native.as_ref();
    // Nobody's name: settings choose none any more.
    let is_gone = seat.service.is_empty();
    if (works && did && is_same) || (!works && failed && !is_gone) || (is_gone && !did && !failed) {
        return;
    }
    let mode = match works {
        true => VoiceMode::Realtime,
        false => VoiceMode::SttPipeline,
    };
    let strategy = match native {
        Some(_) => RealtimeReplyStrategy::Native,
        None => RealtimeReplyStrategy::Brain,
    };
    let event = JournalEvent::VoiceServiceChanged {
        service: seat.service.clone(),
        event: seat.event.clone(),
        works,
        mode: mode.name().to_owned(),
        strategy: works.then(|| strategy.name().to_owned()),
        detail: detail.to_owned(),
    };
    let cause = step.ledger.write(Scope::room(context.room), event);
    let wall = step.now().wall;
    voice.session.native = native
        .filter(|_| works)
        .map(|events| NativeLink::new(events, wall));
    voice.session.service = works.then_some(seat);
    voice.session.service_failed = !works && !is_gone;
    let text = match works {
        false if is_gone => return,
        false => {
            "The realtime service that I hear and speak by does not answer. I go on with my own ears and voice until it does."
        }
        true if failed => "The realtime service that I hear and speak by answers again.",
        true => return,
    };
    context.signs.push((text.to_owned(), cause));
}

/// For how long an answer to what nobody said to it by name is worth giving.
pub(super) fn stale(session: &VoiceSession) -> Span {
    match session.service {
        Some(_) => STALE_BY_SERVICE,
        None => STALE,
    }
}

/// An answer is given to the service to be said.
pub(super) fn requested(
    session: &VoiceSession,
    delivery: Option<&DeliveryId>,
    turn: &VoiceTurn,
    room: &RoomId,
    step: &mut StepContext<'_>,
) {
    if let (Some(seat), Some(delivery)) = (&session.service, delivery) {
        let event = JournalEvent::RealtimeReplyRequested {
            delivery: delivery.clone(),
            ask: turn.ask,
            service: seat.service.clone(),
            event: seat.event.clone(),
            knows: None,
        };
        step.ledger.write(turn.scope(room), event);
    }
}
