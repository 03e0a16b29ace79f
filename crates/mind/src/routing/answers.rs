//! Where answers go: by their id to whoever asked; and what becomes of questions that are overdue, or lost with the process.

use vocabulary::{AskOutcome, AskPurpose, RecallId, Span};

use super::Faculties;
use crate::ambient::RoomsInView;
use crate::effect::Effect;
use crate::input::{Answer, Recollection};
use crate::journal::{JournalEvent, Scope};
use crate::replies::media_ended;
use crate::room::{Room, Rooms};
use crate::spending::AskedModel;
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, LookUp, Owner, interrupted, timed_out};

pub(super) fn route_answer(faculties: &mut Faculties<'_>, answer: Answer, step: &mut StepContext<'_>) {
    let Faculties {
        rooms,
        memory,
        ambient,
        attention,
        ..
    } = faculties;
    match answer {
        Answer::MessageSent { delivery, message } => {
            if let Some(room) = rooms.touch(&message.room) {
                room.message_sent(&delivery, message, step);
            }
        }
        Answer::SendFailed {
            delivery,
            detail,
            retryable,
        } => {
            let room = step.deliveries.room_of(&delivery).cloned();
            if let Some(room) = room.and_then(|room| rooms.touch(&room)) {
                room.send_failed(&delivery, &detail, retryable, step);
            }
        }
        Answer::AskProgressed { ask, text } => {
            if let Some(owner @ (Owner::Replies(room) | Owner::Voice(room))) =
                &step.flights.owner(ask).cloned()
                && let Some(room) = rooms.touch(room)
            {
                room.ask_progressed(owner, ask, &text, step);
            }
        }
        Answer::AskEnded { ask, outcome } => match step.flights.land(ask) {
            Some(flight) => landed(faculties, flight, outcome, step),
            None => {
                step.ledger
                    .write(Scope::default(), JournalEvent::AskDiscarded { ask });
            }
        },
        Answer::Recalled { recall, found } => match step.flights.found(LookUp::Recall(recall)) {
            Some(Owner::Memory) => memory.recalled(recall, &found, step),
            Some(Owner::Ambient) => {
                ambient.recalled(
                    recall,
                    &found,
                    RoomsInView::new(*rooms, attention, step.now(), step.settings),
                    step,
                );
            }
            Some(owner @ (Owner::Replies(_) | Owner::Voice(_))) => {
                recalled(rooms, &owner, recall, Some(found), step);
            }
            Some(Owner::Folding(_) | Owner::Watch(_)) | None => {}
        },
        Answer::ToolEnded { run, result } => match step.flights.found(LookUp::Tool(run)) {
            Some(Owner::Ambient) => {
                ambient.tool_ended(
                    run,
                    &result,
                    RoomsInView::new(*rooms, attention, step.now(), step.settings),
                    step,
                );
            }
            Some(ref owner @ (Owner::Replies(ref room) | Owner::Voice(ref room))) => {
                if let Some(room) = rooms.touch(room) {
                    room.tool_ended(owner, run, &result, step);
                }
            }
            _ => {}
        },
        Answer::SurroundingsGathered { gather, found } => {
            step.flights.found(LookUp::Gather(gather));
            ambient.surroundings_gathered(
                gather,
                found,
                RoomsInView::new(*rooms, attention, step.now(), step.settings),
                step,
            );
        }
        Answer::MediaEnded { media, outcome } => match step.flights.found(LookUp::Media(media)) {
            Some(Owner::Ambient) => {
                ambient.media_ended(
                    media,
                    outcome,
                    RoomsInView::new(*rooms, attention, step.now(), step.settings),
                    step,
                );
            }
            Some(Owner::Replies(room)) => {
                if let Some((replies, mut context)) = rooms.touch(&room).map(Room::lend) {
                    media_ended(replies, media, Some(outcome), &mut context, step);
                }
            }
            _ => {}
        },
        Answer::GemsStored { extraction, outcome } => memory.gems_stored(extraction, outcome, step),
    }
}

/// Takes up again what the process that ended had under way.
pub(crate) fn restarted(faculties: &mut Faculties<'_>, down_for: Span, step: &mut StepContext<'_>) {
    let Faculties {
        rooms,
        memory,
        ambient,
        attention,
        ..
    } = faculties;
    let event = JournalEvent::Restarted {
        down_for,
        asks_lost: step.flights.asks(),
        deliveries_repeated: rooms.iter().map(|(_, room)| room.deliveries_under_way()).sum(),
    };
    let cause = step.ledger.write(Scope::default(), event);
    let lost = step.flights.lose_all(cause);
    for room in rooms.touch_all() {
        room.restarted(cause, step);
    }
    rooms.heed_choices(step);
    memory.restarted(step);
    ambient.restarted(
        RoomsInView::new(*rooms, attention, step.now(), step.settings),
        step,
    );
    for flight in lost {
        landed(faculties, flight, interrupted(), step);
    }
    for room in faculties.rooms.touch_all() {
        room.let_go_of_what_is_lost(step);
    }
    faculties.memory.let_go_of_what_is_lost(step);
}

/// Hands a question that is over to whoever asked it.
fn landed(faculties: &mut Faculties<'_>, flight: Flight, outcome: AskOutcome, step: &mut StepContext<'_>) {
    match &flight.owner {
        Owner::Memory => faculties.memory.ask_ended(flight, outcome, step),
        Owner::Ambient => {
            let rooms = RoomsInView::new(faculties.rooms, faculties.attention, step.now(), step.settings);
            faculties.ambient.ask_ended(&flight, outcome, rooms, step);
        }
        Owner::Replies(room) | Owner::Folding(room) | Owner::Watch(room) | Owner::Voice(room) => {
            match faculties.rooms.touch(room) {
                Some(room) => room.ask_ended(flight, outcome, step),
                None => drop(flight.closed(&outcome, step)),
            }
        }
    }
}

/// What has had its time is not waited for any more: whoever asked goes on without it.
pub(crate) fn give_up_overdue(faculties: &mut Faculties<'_>, step: &mut StepContext<'_>) {
    for ask in step.flights.overdue_asks(step.moment()) {
        if let Some(flight) = step.flights.land(ask) {
            step.ledger.want(Effect::CancelAsk { ask });
            landed(faculties, flight, timed_out(), step);
        }
    }
    for look_up in step.flights.overdue_look_ups(step.moment()) {
        match (step.flights.found(look_up), look_up) {
            (Some(Owner::Memory), LookUp::Recall(recall)) => {
                faculties.memory.recall_overdue(recall, step);
            }
            (Some(Owner::Ambient), look_up) => {
                let rooms = RoomsInView::new(faculties.rooms, faculties.attention, step.now(), step.settings);
                faculties.ambient.look_up_overdue(look_up, rooms, step);
            }
            (Some(owner @ (Owner::Replies(_) | Owner::Voice(_))), LookUp::Recall(recall)) => {
                recalled(faculties.rooms, &owner, recall, None, step);
            }
            (Some(Owner::Replies(room)), LookUp::Media(media)) => {
                if let Some((replies, mut context)) = faculties.rooms.touch(&room).map(Room::lend) {
                    media_ended(replies, media, None, &mut context, step);
                }
            }
            // A round of tools has one deadline for all of them; nobody else waits for anything in this way.
            _ => {}
        }
    }
}

/// Tells the part of a room that looked for something what was found; none: it has not come in time.
fn recalled(
    rooms: &mut Rooms,
    owner: &Owner,
    recall: RecallId,
    found: Option<Recollection>,
    step: &mut StepContext<'_>,
) {
    let (Owner::Replies(room) | Owner::Voice(room)) = owner else {
        return;
    };
    if let Some(room) = rooms.touch(room) {
        room.recalled(owner, recall, found, step);
    }
}

/// Models have answered somebody else.
pub(super) fn models_answered(purposes: &[AskPurpose], step: &mut StepContext<'_>) {
    let asked = |purpose: &AskPurpose| step.asked_model(&step.settings.choice_for(*purpose), *purpose);
    let models: Vec<AskedModel> = purposes.iter().map(asked).collect();
    let now = step.ledger.now.moment;
    rests_lifted(step.rests.answered_elsewhere(&models, now), step);
}

pub(super) fn rests_lifted(models: usize, step: &mut StepContext<'_>) {
    if models > 0 {
        let event = JournalEvent::ModelRestsLifted { models };
        step.ledger.write(Scope::default(), event);
    }
}
