//! Where each input goes: to the faculty it concerns, or to several.

mod answers;

use std::collections::{BTreeMap, BTreeSet};

use vocabulary::{Forget, Message, MessageId, RoomId, TurnKey};

use crate::ambient::{Ambient, RoomLookup, RoomSeen, RoomsInView};
use crate::attention::Attention;
use crate::input::{Forgotten, Input, MemoryEvent, OperatorWish, RoomEvent, ShellEvent};
use crate::journal::{JournalEvent, Scope};
use crate::memory::gems::scrub::ScrubBrief;
use crate::memory::triggers::SessionEnding;
use crate::memory::{Memory, forgotten_notice};
use crate::reasons::ForgottenKind;
use crate::step_context::StepContext;
use crate::text::TextRoom;

pub(crate) use answers::give_up_overdue;
use answers::{restarted, route_answer};

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
    hand_out(faculties.rooms, faculties.ambient, step);
}

/// What is to be said goes to the outbox of its room, and what became of thoughts back to whoever had them.
pub(crate) fn hand_out(
    rooms: &mut BTreeMap<RoomId, TextRoom>,
    ambient: &mut Ambient,
    step: &mut StepContext<'_>,
) {
    for parcel in std::mem::take(&mut step.outgoing) {
        room(rooms, parcel.room.clone()).say(parcel, step);
    }
    for report in std::mem::take(&mut step.reports) {
        ambient.post_ended(report, step);
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
            step.deliveries.close_room(&id);
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
