//! Where each input goes: to the faculty it concerns, or to several.

use std::collections::{BTreeMap, BTreeSet};

use vocabulary::{AskOutcome, Forget, Message, MessageId, RoomId, Span, TurnKey};

use crate::ambient::{Ambient, RoomLookup, RoomSeen, RoomsInView};
use crate::attention::Attention;
use crate::effect::Effect;
use crate::input::{Answer, Forgotten, Input, MemoryEvent, OperatorWish, RoomEvent, ShellEvent};
use crate::journal::{JournalEvent, Scope};
use crate::memory::gems::scrub::ScrubBrief;
use crate::memory::triggers::SessionEnding;
use crate::memory::{Memory, forgotten_notice};
use crate::reasons::ForgottenKind;
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
    match input {
        Input::Room(room, event) => room_event(faculties, room, event, step),
        Input::Answer(answer) => route_answer(faculties, answer, step),
        Input::Memory(event) => memory_event(faculties, event, step),
        Input::Operator(wish) => operator_wish(faculties, wish, step),
        Input::Shell(event) => shell_event(faculties, event, step),
    }
    hand_out(faculties.rooms, step);
}

/// What is to be said goes to the outbox of its room.
pub(crate) fn hand_out(rooms: &mut BTreeMap<RoomId, TextRoom>, step: &mut StepContext<'_>) {
    for parcel in std::mem::take(&mut step.outgoing) {
        room(rooms, parcel.room.clone()).say(parcel, step);
    }
}

fn room_event(faculties: &mut Faculties<'_>, id: RoomId, event: RoomEvent, step: &mut StepContext<'_>) {
    let Faculties {
        rooms,
        memory,
        ambient,
        ..
    } = faculties;
    match event {
        RoomEvent::Described(facts) => room(rooms, id).described(facts),
        RoomEvent::Ended => {
            rooms.remove(&id);
        }
        RoomEvent::MessageArrived(message) => message_arrived(faculties, id, message, step),
        RoomEvent::MessageEdited { id: message, text } => {
            for turn in turns_of(&message, step) {
                memory.edited(turn.as_str(), &text);
            }
            if let Some(room) = rooms.get_mut(&id) {
                room.message_edited(&message, text, step);
            }
        }
        RoomEvent::MessageDeleted { id: message } => {
            for turn in turns_of(&message, step) {
                memory.deleted(turn.as_str(), step);
            }
            if let Some(room) = rooms.get_mut(&id) {
                room.message_deleted(&message, step);
            }
        }
        RoomEvent::ReactionChanged {
            message,
            person,
            emoji,
            added,
        } => {
            let event = JournalEvent::ReactionChanged {
                person: person.clone(),
                added,
            };
            step.ledger.write(Scope::room(&id).about(&message), event);
            ambient.reaction_changed(&message, (&person, &emoji), added, step);
        }
        // The sign comes before the first message of a room does.
        RoomEvent::TypingChanged { person, typing } => room(rooms, id).typing_changed(person, typing, step),
        // Nobody speaks or is heard before there is a voice: no adapter brings these yet.
        RoomEvent::PersonJoined(_)
        | RoomEvent::PersonLeft { .. }
        | RoomEvent::SpeechStarted { .. }
        | RoomEvent::SpeechEnded { .. }
        | RoomEvent::UtteranceHeard(_)
        | RoomEvent::PlaybackStarted { .. }
        | RoomEvent::PlaybackEnded { .. } => {}
        RoomEvent::NoteTaken { shared_by, text } => room(rooms, id).note_taken(&shared_by, &text, step),
        // A screen can be shared before the first message of a room is written.
        RoomEvent::ShareStarted(share) => room(rooms, id).share_started(share, step),
        RoomEvent::FrameArrived { share, glimpse } => {
            step.counters.frame = step.counters.frame.max(glimpse.frame);
            if let Some(room) = rooms.get_mut(&id) {
                room.frame_arrived(&share, glimpse, step);
            }
        }
        RoomEvent::ShareEnded { share, reason } => {
            if let Some(room) = rooms.get_mut(&id) {
                room.share_ended(&share, reason, step);
            }
        }
        RoomEvent::WatchChosen { share } => {
            if let Some(room) = rooms.get_mut(&id) {
                room.watch_chosen(share.as_ref(), step);
            }
        }
        RoomEvent::FrameRefused {
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
            step.ledger.write(Scope::room(&id), event);
        }
        RoomEvent::SessionEnded => {
            if let Some(room) = rooms.get_mut(&id) {
                room.session_ended(step);
            }
            memory.room_ended(&id, SessionEnding::Ended, step);
        }
    }
}

/// A room by its id; the first thing that happens in it makes it known.
fn room(rooms: &mut BTreeMap<RoomId, TextRoom>, id: RoomId) -> &mut TextRoom {
    rooms.entry(id.clone()).or_insert_with(|| TextRoom::new(id))
}

/// The keys that a message's turn may have: recordings of before there were many communities have the message's own id.
fn turns_of(message: &MessageId, step: &StepContext<'_>) -> Vec<TurnKey> {
    let mut keys = vec![
        TurnKey::of_message(step.ledger.community(), message),
        TurnKey::from(message.as_str()),
    ];
    keys.dedup();
    keys
}

fn message_arrived(faculties: &mut Faculties<'_>, id: RoomId, message: Message, step: &mut StepContext<'_>) {
    let known = faculties.rooms.get(&id).is_some_and(|room| room.has(&message.id));
    faculties.ambient.message_arrived(&message, known, step);
    let ending = room(faculties.rooms, id.clone()).message_arrived(message, step);
    if let Some(ending) = ending {
        faculties.memory.room_ended(&id, ending, step);
    }
}

fn route_answer(faculties: &mut Faculties<'_>, answer: Answer, step: &mut StepContext<'_>) {
    let Faculties {
        rooms,
        memory,
        ambient,
        attention,
    } = faculties;
    match answer {
        Answer::MessageSent { delivery, message } => {
            ambient.message_sent(&delivery, &message, step);
            // It may be the first to write in a room.
            room(rooms, message.room.clone()).message_sent(&delivery, message, step);
        }
        Answer::SendFailed {
            delivery,
            detail,
            retryable,
        } => {
            ambient.send_failed(&delivery, &detail, retryable, step);
            let room = step.deliveries.room_of(&delivery).cloned();
            if let Some(room) = room.and_then(|room| rooms.get_mut(&room)) {
                room.send_failed(&delivery, &detail, retryable, step);
            }
        }
        Answer::AskProgressed { ask, text } => {
            if let Some(room) = rooms.values_mut().find(|room| room.waits_for_ask(ask)) {
                room.ask_progressed(&text, step);
            }
        }
        Answer::AskEnded { ask, outcome } if step.flights.owner(ask).is_some() => {
            if let Some(flight) = step.flights.land(ask) {
                landed(faculties, flight, outcome, step);
            }
        }
        Answer::AskEnded { ask, outcome } => match rooms.values_mut().find(|room| room.waits_for_ask(ask)) {
            Some(room) => room.ask_ended(ask, outcome, step),
            None => {
                step.ledger
                    .write(Scope::default(), JournalEvent::AskDiscarded { ask });
            }
        },
        Answer::Recalled { recall, found } => {
            match step.flights.found(LookUp::Recall(recall)) {
                Some(Owner::Memory) => return memory.recalled(recall, &found, step),
                Some(Owner::Ambient) => {
                    return ambient.recalled(recall, &found, RoomsInView::new(*rooms, attention), step);
                }
                _ => {}
            }
            for room in rooms.values_mut() {
                room.recalled(recall, &found, step);
            }
        }
        Answer::ToolEnded { run, result } => match step.flights.found(LookUp::Tool(run)) {
            Some(Owner::Ambient) => {
                ambient.tool_ended(run, &result, RoomsInView::new(*rooms, attention), step);
            }
            Some(Owner::Replies(room)) => {
                if let Some(room) = rooms.get_mut(&room) {
                    room.tool_ended(run, &result, step);
                }
            }
            _ => {}
        },
        Answer::SurroundingsGathered { gather, found } => {
            step.flights.found(LookUp::Gather(gather));
            ambient.surroundings_gathered(gather, found, RoomsInView::new(*rooms, attention), step);
        }
        Answer::MediaEnded { media, outcome } => {
            step.flights.found(LookUp::Media(media));
            ambient.media_ended(media, outcome, RoomsInView::new(*rooms, attention), step);
        }
        Answer::GemsStored { extraction, outcome } => memory.gems_stored(extraction, outcome, step),
    }
}

fn memory_event(faculties: &mut Faculties<'_>, event: MemoryEvent, step: &mut StepContext<'_>) {
    let memory = &mut *faculties.memory;
    match event {
        MemoryEvent::TurnsBuffered { turns } => memory.turns_buffered(turns, step),
        MemoryEvent::ContextUsed { session, context } => memory.context_used(&session, context, step),
        MemoryEvent::ConversationEnded { session } => memory.conversation_ended(&session),
        MemoryEvent::Forgotten(forgotten) => {
            faculties.ambient.forget(&forgotten, step);
            forget(faculties.rooms, memory, &forgotten, step);
        }
    }
}

fn operator_wish(faculties: &mut Faculties<'_>, wish: OperatorWish, step: &mut StepContext<'_>) {
    let Faculties {
        rooms,
        ambient,
        attention,
        ..
    } = faculties;
    match wish {
        OperatorWish::ThinkNow => ambient.think_now(RoomsInView::new(*rooms, attention), step),
        OperatorWish::ThoughtDropped => ambient.thought_dropped(step),
        OperatorWish::SourceDropped { source } => ambient.source_dropped(&source, step),
    }
}

fn shell_event(faculties: &mut Faculties<'_>, event: ShellEvent, step: &mut StepContext<'_>) {
    let line = match event {
        ShellEvent::WakeReached => return,
        ShellEvent::Restarted { down_for } => return restarted(faculties, down_for, step),
        ShellEvent::StateSalvaged {
            carried,
            lost,
            messages,
        } => {
            let recovered = messages.len();
            recover(faculties.rooms, messages, step);
            JournalEvent::StateSalvaged {
                carried,
                lost,
                messages: recovered,
            }
        }
        ShellEvent::RequestRefused {
            method,
            path,
            status,
            code,
            folded,
        } => JournalEvent::RequestRefused {
            method,
            path,
            status,
            code,
            folded,
        },
        ShellEvent::SettingsChanged { version, changed } => {
            JournalEvent::SettingsChanged { version, changed }
        }
        ShellEvent::ShutdownRequested => JournalEvent::ShutdownRequested { at: step.now().wall },
        ShellEvent::CapabilitiesChanged { tools, media } => JournalEvent::CapabilitiesChanged {
            tools: tools.into_iter().map(|tool| tool.spec.name).collect(),
            media,
        },
    };
    step.ledger.write(Scope::default(), line);
}

/// Tells rooms that have lost what was said of it.
fn recover(rooms: &mut BTreeMap<RoomId, TextRoom>, messages: Vec<Message>, step: &mut StepContext<'_>) {
    let known: BTreeSet<RoomId> = rooms
        .iter()
        .filter(|(_, room)| room.holds_messages())
        .map(|(id, _)| id.clone())
        .collect();
    for message in messages {
        if !known.contains(&message.room) {
            let id = message.room.clone();
            rooms
                .entry(id.clone())
                .or_insert_with(|| TextRoom::new(id))
                .message_recovered(message, step);
        }
    }
}

fn restarted(faculties: &mut Faculties<'_>, down_for: Span, step: &mut StepContext<'_>) {
    let Faculties {
        rooms,
        memory,
        ambient,
        attention,
    } = faculties;
    let under_way = rooms.values().map(TextRoom::under_way);
    let (asks_lost, deliveries_repeated) =
        under_way.fold((0, 0), |(a, d), (asks, sends)| (a + asks, d + sends));
    let event = JournalEvent::Restarted {
        down_for,
        asks_lost: asks_lost + step.flights.asks(),
        deliveries_repeated,
    };
    let cause = step.ledger.write(Scope::default(), event);
    let lost = step.flights.lose_all(cause);
    for room in rooms.values_mut() {
        room.restarted(cause, step);
    }
    memory.restarted(step);
    ambient.restarted(RoomsInView::new(*rooms, attention), step);
    for flight in lost {
        landed(faculties, flight, interrupted(), step);
    }
}

/// Hands a question that is over to whoever asked it.
fn landed(faculties: &mut Faculties<'_>, flight: Flight, outcome: AskOutcome, step: &mut StepContext<'_>) {
    match &flight.owner {
        Owner::Memory => faculties.memory.ask_ended(flight, outcome, step),
        Owner::Ambient => {
            let rooms = RoomsInView::new(faculties.rooms, faculties.attention);
            faculties.ambient.ask_ended(&flight, outcome, rooms, step);
        }
        Owner::Watch(room) => match faculties.rooms.get_mut(room) {
            Some(room) => room.screen_ask_ended(&flight, &outcome, step),
            None => drop(flight.closed(&outcome, step)),
        },
        Owner::Folding(room) => match faculties.rooms.get_mut(room) {
            Some(room) => room.folding_ended(flight, outcome, step),
            None => drop(flight.closed(&outcome, step)),
        },
        Owner::Replies(_) => drop(flight.closed(&outcome, step)),
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
                let rooms = RoomsInView::new(faculties.rooms, faculties.attention);
                faculties.ambient.look_up_overdue(look_up, rooms, step);
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
        kind: ForgottenKind::of(&forgotten.what),
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

impl RoomLookup for BTreeMap<RoomId, TextRoom> {
    fn seen(&self, room: &RoomId) -> Option<RoomSeen<'_>> {
        self.get(room).map(|room| RoomSeen {
            name: room.name(),
            messages: room.newest(usize::MAX).collect(),
            screen: room.screen_in_view(),
        })
    }
}
