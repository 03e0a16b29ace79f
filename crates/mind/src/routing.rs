//! Where each input goes: to the faculty it concerns, or to several.

use std::collections::BTreeMap;

use vocabulary::{AskOutcome, Forget, RoomId};

use crate::ambient::{Ambient, Around};
use crate::attention::Attention;
use crate::effect::Effect;
use crate::input::{Forgotten, Input};
use crate::journal::{JournalEvent, Scope};
use crate::memory::gems::scrub::ScrubBrief;
use crate::memory::triggers::SessionEnding;
use crate::memory::{Memory, forgotten_notice};
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, LookUp, Owner, interrupted, timed_out};
use crate::text::TextRoom;

/// Whom an input may concern.
pub(crate) struct Faculties<'a> {
    pub rooms: &'a mut BTreeMap<RoomId, TextRoom>,
    pub memory: &'a mut Memory,
    pub ambient: &'a mut Ambient,
    pub attention: &'a Attention,
}

pub(crate) fn route(faculties: &mut Faculties<'_>, input: Input, step: &mut StepContext<'_>) {
    let Faculties {
        rooms,
        memory,
        ambient,
        attention,
    } = faculties;
    match input {
        Input::MessageArrived(message) => {
            let id = message.room.clone();
            let known = rooms.get(&id).is_some_and(|room| room.has(&message.id));
            ambient.message_arrived(&message, known, step);
            let ending = rooms
                .entry(id.clone())
                .or_insert_with(|| TextRoom::new(id.clone()))
                .message_arrived(message, step);
            if let Some(ending) = ending {
                memory.room_ended(&id, ending, step);
            }
        }
        Input::MessageEdited { room, id, text } => {
            memory.edited(id.as_str(), &text);
            if let Some(room) = rooms.get_mut(&room) {
                room.message_edited(&id, text, step);
            }
        }
        Input::MessageDeleted { room, id } => {
            memory.deleted(id.as_str(), step);
            if let Some(room) = rooms.get_mut(&room) {
                room.message_deleted(&id, step);
            }
        }
        Input::TypingChanged { room, person, typing } => {
            // The sign comes before the first message of a room does.
            rooms
                .entry(room.clone())
                .or_insert_with(|| TextRoom::new(room))
                .typing_changed(person, typing, step);
        }
        Input::MessageSent { delivery, message } => {
            ambient.message_sent(&delivery, &message, step);
            // It may be the first to write in a room.
            rooms
                .entry(message.room.clone())
                .or_insert_with(|| TextRoom::new(message.room.clone()))
                .message_sent(&delivery, message, step);
        }
        Input::SendFailed {
            delivery,
            detail,
            retryable,
        } => {
            ambient.send_failed(&delivery, &detail, retryable, step);
            for room in rooms.values_mut() {
                room.send_failed(&delivery, &detail, retryable, step);
            }
        }
        Input::AskProgressed { ask, text } => {
            if let Some(room) = rooms.values_mut().find(|room| room.waits_for_ask(ask)) {
                room.ask_progressed(&text, step);
            }
        }
        Input::AskEnded { ask, outcome } if step.flights.owner(ask).is_some() => {
            if let Some(flight) = step.flights.land(ask) {
                landed(faculties, flight, outcome, step);
            }
        }
        Input::AskEnded { ask, outcome } if ambient.waits_for_ask(ask) => {
            ambient.ask_ended(ask, outcome, Around { rooms, attention }, step);
        }
        Input::AskEnded { ask, outcome } if rooms.values().any(|room| room.compacts_with(ask)) => {
            if let Some(room) = rooms.values_mut().find(|room| room.compacts_with(ask)) {
                room.compaction_ended(outcome, step);
            }
        }
        Input::AskEnded { ask, outcome } if rooms.values().any(|room| room.sees_with(ask)) => {
            if let Some(room) = rooms.values_mut().find(|room| room.sees_with(ask)) {
                room.screen_ask_ended(ask, outcome, step);
            }
        }
        Input::AskEnded { ask, outcome } => match rooms.values_mut().find(|room| room.waits_for_ask(ask)) {
            Some(room) => room.ask_ended(ask, outcome, step),
            None => {
                step.ledger
                    .write(Scope::default(), JournalEvent::AskDiscarded { ask });
            }
        },
        Input::Recalled { recall, found } => {
            if step.flights.found(LookUp::Recall(recall)) == Some(Owner::Memory) {
                return memory.recalled(recall, &found, step);
            }
            ambient.recalled(recall, &found, Around { rooms, attention }, step);
            for room in rooms.values_mut() {
                room.recalled(recall, &found, step);
            }
        }
        Input::ToolEnded { run, result } => {
            ambient.tool_ended(run, &result, Around { rooms, attention }, step);
            for room in rooms.values_mut() {
                room.tool_ended(run, &result, step);
            }
        }
        Input::NoteTaken {
            room,
            shared_by,
            text,
        } => {
            rooms
                .entry(room.clone())
                .or_insert_with(|| TextRoom::new(room))
                .note_taken(&shared_by, &text, step);
        }
        Input::ShareStarted(share) => {
            // A screen can be shared before the first message of a room is written.
            rooms
                .entry(share.room.clone())
                .or_insert_with(|| TextRoom::new(share.room.clone()))
                .share_started(share, step);
        }
        Input::FrameArrived { room, share, glimpse } => {
            step.counters.frame = step.counters.frame.max(glimpse.frame);
            if let Some(room) = rooms.get_mut(&room) {
                room.frame_arrived(&share, glimpse, step);
            }
        }
        Input::ShareEnded { room, share, reason } => {
            if let Some(room) = rooms.get_mut(&room) {
                room.share_ended(&share, reason, step);
            }
        }
        Input::WatchChosen { room, share } => {
            if let Some(room) = rooms.get_mut(&room) {
                room.watch_chosen(share.as_ref(), step);
            }
        }
        Input::FrameRefused {
            room,
            share,
            reason,
            detail,
            folded,
        } => {
            let event = JournalEvent::FrameRefused {
                share,
                reason,
                detail,
                folded,
            };
            step.ledger.write(Scope::room(&room), event);
        }
        Input::SessionEnded { room: id } => {
            if let Some(room) = rooms.get_mut(&id) {
                room.session_ended(step);
            }
            memory.room_ended(&id, SessionEnding::Ended, step);
        }
        Input::TurnsBuffered { turns } => memory.turns_buffered(turns, step),
        Input::ContextUsed { session, context } => memory.context_used(&session, context, step),
        Input::ConversationEnded { session } => memory.conversation_ended(&session),
        Input::GemsStored { extraction, outcome } => memory.gems_stored(extraction, outcome, step),
        Input::Forgotten(forgotten) => {
            ambient.forget(&forgotten, step);
            forget(rooms, memory, &forgotten, step);
        }
        Input::RequestRefused {
            method,
            path,
            status,
            code,
            folded,
        } => {
            let event = JournalEvent::RequestRefused {
                method,
                path,
                status,
                code,
                folded,
            };
            step.ledger.write(Scope::default(), event);
        }
        Input::SettingsChanged { version, changed } => {
            step.ledger.write(
                Scope::default(),
                JournalEvent::SettingsChanged { version, changed },
            );
        }
        Input::Restarted { down_for } => {
            let under_way = rooms.values().map(TextRoom::under_way);
            let (asks_lost, deliveries_repeated) =
                under_way.fold((0, 0), |(a, d), (asks, sends)| (a + asks, d + sends));
            let event = JournalEvent::Restarted {
                down_for,
                asks_lost: asks_lost + step.flights.asks() + ambient.asks_under_way(),
                deliveries_repeated,
            };
            let cause = step.ledger.write(Scope::default(), event);
            let lost = step.flights.lose_all(cause);
            for room in rooms.values_mut() {
                room.restarted(cause, step);
            }
            memory.restarted(step);
            ambient.restarted(Around { rooms, attention }, step);
            for flight in lost {
                landed(faculties, flight, interrupted(), step);
            }
        }
        Input::ShutdownRequested => {
            let at = step.now().wall;
            step.ledger
                .write(Scope::default(), JournalEvent::ShutdownRequested { at });
        }
        Input::CapabilitiesChanged { tools, media } => {
            let tools = tools.into_iter().map(|tool| tool.spec.name).collect();
            let event = JournalEvent::CapabilitiesChanged { tools, media };
            step.ledger.write(Scope::default(), event);
        }
        Input::SurroundingsGathered { gather, found } => {
            ambient.surroundings_gathered(gather, found, Around { rooms, attention }, step);
        }
        Input::MediaEnded { media, outcome } => {
            ambient.media_ended(media, outcome, Around { rooms, attention }, step);
        }
        Input::ReactionChanged {
            room,
            message,
            person,
            emoji,
            added,
        } => {
            let event = JournalEvent::ReactionChanged {
                person: person.clone(),
                added,
            };
            step.ledger.write(Scope::room(&room).about(&message), event);
            ambient.reaction_changed(&message, (&person, &emoji), added, step);
        }
        Input::ThinkNow => ambient.think_now(Around { rooms, attention }, step),
        Input::ThoughtDropped => ambient.thought_dropped(step),
        Input::SourceDropped { source } => ambient.source_dropped(&source, step),
        Input::WakeReached => {}
    }
}

/// Hands a question that is over to whoever asked it.
fn landed(faculties: &mut Faculties<'_>, flight: Flight, outcome: AskOutcome, step: &mut StepContext<'_>) {
    match &flight.owner {
        Owner::Memory => faculties.memory.ask_ended(flight, outcome, step),
        Owner::Folding(_) | Owner::Watch(_) | Owner::Replies(_) | Owner::Ambient => {
            flight.closed(&outcome, step);
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
            // Nobody else waits for anything in this way.
            _ => {}
        }
    }
}

/// Something is gone from memory: it goes from the conversations and their summaries too.
fn forget(
    rooms: &mut BTreeMap<RoomId, TextRoom>,
    memory: &mut Memory,
    forgotten: &Forgotten,
    step: &mut StepContext<'_>,
) {
    let turns = Forget::Turns(forgotten.turn_ids.clone());
    for what in [&forgotten.what, &turns] {
        memory.forget(what, step);
    }
    let brief = ScrubBrief {
        names: &forgotten.names,
        texts: &forgotten.texts,
    };
    let mut summaries = 0;
    for room in rooms.values_mut() {
        summaries += usize::from(room.forget(forgotten, &brief, step));
    }
    let scope = forgotten
        .asked_in
        .as_ref()
        .map_or_else(Scope::default, Scope::room);
    let event = JournalEvent::MemoryForgotten {
        kind: kind_of(&forgotten.what).to_owned(),
        gems: forgotten.gems,
        turns: forgotten.turns,
        summaries,
        failure: forgotten.failure.clone(),
    };
    step.ledger.write(scope, event);
    if let Some(room) = forgotten.asked_in.as_ref().and_then(|room| rooms.get_mut(room)) {
        room.forgetting_ended(forgotten);
        room.notice(&forgotten_notice(forgotten), step);
    }
}

fn kind_of(what: &Forget) -> &'static str {
    match what {
        Forget::Person { .. } => "person",
        Forget::Gems(_) => "gems",
        Forget::Turns(_) => "turns",
        Forget::Session(_) => "session",
        Forget::Room { .. } => "room",
        Forget::Community(_) => "community",
    }
}
