//! Where each input goes: to the faculty it concerns, or to several.

mod answers;
mod shell;

use vocabulary::{Forget, MessageId, RoomId, TurnKey};

use crate::ambient::{Ambient, RoomsInView};
use crate::input::{Forgotten, Input, MemoryEvent, OperatorWish, RoomEvent};
use crate::journal::{JournalEvent, Scope};
use crate::memory::{Memory, forgotten_notice, triggers::SessionEnding};
use crate::promises::{Promises, Waking};
use crate::reasons::{ForgottenKind, RoomEnding};
use crate::room::{Obeyed, Rooms, quiet_chosen, tell_quiet};
use crate::step_context::StepContext;
use gist::gems::scrub::ScrubBrief;

pub(crate) use answers::{give_up_overdue, restarted};
use answers::{models_answered, rests_lifted, route_answer};
use shell::shell_event;

/// Whom an input may concern.
pub(crate) struct Faculties<'a> {
    pub rooms: &'a mut Rooms,
    pub memory: &'a mut Memory,
    pub ambient: &'a mut Ambient,
    pub promises: &'a mut Promises,
    pub waking: &'a mut Option<Waking>,
    pub attention: &'a crate::attention::Attention,
}

pub(crate) fn route(faculties: &mut Faculties<'_>, input: Input, step: &mut StepContext<'_>) {
    match input {
        Input::Room(room, event) => room_event(faculties, &room, event, step),
        Input::Answer(answer) => route_answer(faculties, answer, step),
        Input::Memory(event) => memory_event(faculties, event, step),
        Input::Operator(wish) => operator_wish(faculties, wish, step),
        Input::Shell(event) => shell_event(faculties, event, step),
    }
    for room in faculties.rooms.take_ended() {
        faculties.memory.room_ended(&room, SessionEnding::Ended, step);
    }
    hand_out(faculties.rooms, faculties.ambient, step);
}

/// What is to be said goes to the outbox of its room, and what became of thoughts back to whoever had them.
pub(crate) fn hand_out(rooms: &mut Rooms, ambient: &mut Ambient, step: &mut StepContext<'_>) {
    for parcel in std::mem::take(&mut step.outgoing) {
        rooms.open(&parcel.room.clone(), step).say(parcel, step);
    }
    for report in std::mem::take(&mut step.reports) {
        ambient.post_ended(report, step);
    }
    for news in std::mem::take(&mut step.aloud) {
        ambient.aloud(news, step.now());
    }
}

fn room_event(faculties: &mut Faculties<'_>, id: &RoomId, event: RoomEvent, step: &mut StepContext<'_>) {
    told_beside_the_room(faculties, id, &event, step);
    let rooms = &mut *faculties.rooms;
    let room = if opens_a_room(&event) {
        Some(rooms.open(id, step))
    } else {
        rooms.touch(id)
    };
    match room.and_then(|room| room.happened(event, step)) {
        Some(Obeyed::SessionEnded(ending)) => faculties.memory.room_ended(id, ending, step),
        Some(Obeyed::Forget(what)) => faculties.promises.make(what, id.clone(), step),
        Some(Obeyed::Quiet(person, wish)) => {
            let cause = quiet_chosen(faculties.rooms, id, Some(person), wish, step);
            if let Some(room) = faculties.rooms.touch(id) {
                tell_quiet(room, cause, step);
            }
        }
        None => {}
    }
}

/// Whether a room that was not known is, once this has happened in it.
fn opens_a_room(event: &RoomEvent) -> bool {
    match event {
        RoomEvent::Described(_)
        | RoomEvent::MessageArrived(_)
        | RoomEvent::MessageMissed(_)
        | RoomEvent::NoteTaken { .. }
        // A screen can be shared before the first message of a room is written.
        | RoomEvent::ShareStarted(_)
        // So can people come to talk in it.
        | RoomEvent::PersonJoined(_)
        | RoomEvent::UtteranceHeard { .. }
        // Whoever does not want to be listened to may say so before anybody speaks.
        | RoomEvent::ListeningChosen { .. }
        | RoomEvent::QuietChosen { .. }
        // The sign comes before the first message of a room does.
        | RoomEvent::TypingChanged { .. } => true,
        RoomEvent::Ended
        | RoomEvent::CaughtUp
        | RoomEvent::MessageEdited { .. }
        | RoomEvent::MessageDeleted { .. }
        | RoomEvent::ReactionChanged { .. }
        | RoomEvent::ReactionFailed { .. }
        | RoomEvent::PersonLeft { .. }
        | RoomEvent::SpeechStarted { .. }
        | RoomEvent::SpeechEnded { .. }
        | RoomEvent::SpeechContinues { .. }
        | RoomEvent::SpeechPartial { .. }
        | RoomEvent::UtteranceMissed { .. }
        | RoomEvent::VoiceLoads
        | RoomEvent::VoiceServiceStands { .. }
        | RoomEvent::VoiceServiceKnows(_)
        | RoomEvent::SpeakersOverlapped { .. }
        | RoomEvent::VoiceJoined { .. }
        | RoomEvent::VoiceAsked { .. }
        | RoomEvent::SpeechPaid { .. }
        | RoomEvent::PlaybackProgressed { .. }
        | RoomEvent::VoiceLeft { .. }
        | RoomEvent::SoundPlayed { .. }
        | RoomEvent::SoundFailed { .. }
        | RoomEvent::PlaybackFailed { .. }
        | RoomEvent::PlaybackStarted { .. }
        | RoomEvent::PlaybackEnded { .. }
        | RoomEvent::FrameArrived { .. }
        | RoomEvent::ShareEnded { .. }
        | RoomEvent::WatchChosen { .. }
        | RoomEvent::FrameRefused { .. }
        | RoomEvent::SessionEnded => false,
    }
}

/// What happens in a room may concern the rest of the mind too.
fn told_beside_the_room(
    faculties: &mut Faculties<'_>,
    id: &RoomId,
    event: &RoomEvent,
    step: &mut StepContext<'_>,
) {
    let Faculties {
        rooms,
        memory,
        ambient,
        ..
    } = faculties;
    match event {
        RoomEvent::UtteranceHeard { message, .. }
            if !rooms
                .known(id)
                .is_none_or(|room| room.view().is_listened_to(&message.author.id)) => {}
        RoomEvent::MessageArrived(message)
        | RoomEvent::MessageMissed(message)
        | RoomEvent::UtteranceHeard { message, .. } => {
            let known = rooms.get(id).is_some_and(|room| room.has(&message.id));
            ambient.message_arrived(message, known, step);
        }
        RoomEvent::MessageEdited { id, text } => {
            for turn in turns_of(id, step) {
                memory.edited(turn.as_str(), text);
            }
        }
        RoomEvent::MessageDeleted { id } => {
            for turn in turns_of(id, step) {
                memory.deleted(turn.as_str(), step);
            }
        }
        RoomEvent::ReactionChanged {
            message,
            person,
            emoji,
            added,
        } => {
            // Its own is told by the turn that chose it.
            if *person == step.identity.id {
                return;
            }
            let event = JournalEvent::ReactionChanged {
                person: person.clone(),
                added: *added,
            };
            step.ledger.write(Scope::room(id).about(message), event);
            ambient.reaction_changed(message, (person, emoji), *added, step);
        }
        RoomEvent::FrameArrived { glimpse, .. } => {
            step.counters.frame = step.counters.frame.max(glimpse.frame);
        }
        RoomEvent::FrameRefused {
            share,
            reason,
            detail,
            folded,
        } => {
            let event = JournalEvent::FrameRefused {
                share: share.clone(),
                reason: *reason,
                detail: detail.clone(),
                folded: *folded,
            };
            step.ledger.write(Scope::room(id), event);
        }
        RoomEvent::QuietChosen { person, wish } => {
            quiet_chosen(rooms, id, person.clone(), *wish, step);
        }
        RoomEvent::SessionEnded => memory.room_ended(id, SessionEnding::Ended, step),
        RoomEvent::Ended => rooms.end(id, RoomEnding::Gone, step),
        RoomEvent::Described(facts) => {
            rooms.open(id, step);
            rooms.inherit_quiet(id, facts);
        }
        RoomEvent::CaughtUp
        | RoomEvent::ReactionFailed { .. }
        | RoomEvent::TypingChanged { .. }
        | RoomEvent::NoteTaken { .. }
        | RoomEvent::ShareStarted(_)
        | RoomEvent::ShareEnded { .. }
        | RoomEvent::WatchChosen { .. }
        | RoomEvent::PersonJoined(_)
        | RoomEvent::PersonLeft { .. }
        | RoomEvent::SpeechStarted { .. }
        | RoomEvent::SpeechEnded { .. }
        | RoomEvent::SpeechContinues { .. }
        | RoomEvent::SpeechPartial { .. }
        | RoomEvent::UtteranceMissed { .. }
        | RoomEvent::VoiceLoads
        | RoomEvent::VoiceServiceStands { .. }
        | RoomEvent::VoiceServiceKnows(_)
        | RoomEvent::SpeakersOverlapped { .. }
        | RoomEvent::VoiceJoined { .. }
        | RoomEvent::VoiceAsked { .. }
        | RoomEvent::SpeechPaid { .. }
        | RoomEvent::PlaybackProgressed { .. }
        | RoomEvent::VoiceLeft { .. }
        | RoomEvent::ListeningChosen { .. }
        | RoomEvent::SoundPlayed { .. }
        | RoomEvent::SoundFailed { .. }
        | RoomEvent::PlaybackFailed { .. }
        | RoomEvent::PlaybackStarted { .. }
        | RoomEvent::PlaybackEnded { .. } => {}
    }
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

fn memory_event(faculties: &mut Faculties<'_>, event: MemoryEvent, step: &mut StepContext<'_>) {
    let memory = &mut *faculties.memory;
    match event {
        MemoryEvent::TurnsBuffered { turns } => memory.turns_buffered(turns, step),
        MemoryEvent::ContextUsed { session, context } => memory.context_used(&session, context, step),
        MemoryEvent::ConversationEnded { session } => memory.conversation_ended(&session, step),
        MemoryEvent::Forgotten(forgotten) => {
            faculties.ambient.forget(&forgotten, step);
            forget(faculties, &forgotten, step);
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
        OperatorWish::ThinkNow => ambient.think_now(
            RoomsInView::new(*rooms, attention, step.now(), step.settings),
            step,
        ),
        OperatorWish::ThoughtDropped => ambient.thought_dropped(step),
        OperatorWish::SourceDropped { source } => ambient.source_dropped(&source, step),
        OperatorWish::ModelsTried => {
            let models = step.rests.lift(step.ledger.now.moment);
            rests_lifted(models, step);
        }
        OperatorWish::ModelsAnswered { purposes } => models_answered(&purposes, step),
        OperatorWish::ReplyAgain { room, message } => {
            if let Some(room) = rooms.touch(&room) {
                room.reply_again(&message, step);
            }
        }
    }
}

/// Something is gone from memory: it goes from the conversations and their summaries too.
fn forget(faculties: &mut Faculties<'_>, forgotten: &Forgotten, step: &mut StepContext<'_>) {
    let turns = Forget::Turns(forgotten.turn_ids.clone());
    for what in [&forgotten.what, &turns] {
        faculties.memory.forget(what, step);
    }
    let brief = ScrubBrief {
        names: &forgotten.names,
        texts: &forgotten.texts,
    };
    let mut summaries = 0;
    for room in faculties.rooms.touch_all() {
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
    let cause = step.ledger.write(scope, event);
    faculties.promises.ended(forgotten);
    let asked_in = forgotten.asked_in.as_ref();
    if let Some(room) = asked_in.and_then(|room| faculties.rooms.touch(room)) {
        room.notice(&forgotten_notice(forgotten), cause, step);
    }
}
