//! A conversation ends, or its room does: what waits is closed with a reason, and what was understood is kept.

use super::Room;
use super::talking::talk;
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{CancelReason, RoomEnding};
use crate::reply::SkipReason;
use crate::step_context::StepContext;

/// Notes that have left the rolling ones wait to be folded into the summary, where there is one.
pub(super) fn hold_evicted_notes(room: &mut Room, step: &mut StepContext<'_>) {
    let gone = room.watch.take_evicted();
    let Some(oldest) = gone.first() else { return };
    let event = JournalEvent::NotesEvicted {
        notes: gone.len(),
        oldest: oldest.seq,
        to_be_folded: room.log.folds(step.settings),
    };
    step.ledger.write(Scope::room(&room.id), event);
    for note in gone {
        room.log.hold_note(&note.shared_by, &note.with_why(), step);
    }
}

/// The conversation is over: its summary is handed to memory.
pub(super) fn session_ended(room: &mut Room, step: &mut StepContext<'_>) {
    room.sessions_ended += 1;
    talk(room, step, |voice, context, step| {
        voice.conversation_ended(context, step)
    });
    room.watch.session_ended();
    hold_evicted_notes(room, step);
    room.log.end_session(step);
}

/// The room is gone, but for what must not be forgotten of it.
pub(super) fn room_ended(room: &mut Room, because: RoomEnding, step: &mut StepContext<'_>) {
    let event = JournalEvent::RoomEnded { because };
    let cause = step.ledger.write(Scope::room(&room.id), event);
    for report in room.outbox.room_ended(cause, step) {
        room.said(report, None, step);
    }
    let (replies, mut context) = room.lend();
    let (reason, why) = (SkipReason::RoomEnded, CancelReason::RoomEnded);
    replies.give_up_all(reason, why, cause, &mut context, step);
    talk(room, step, |voice, context, step| voice.room_ended(context, step));
    room.watch.room_ended(&room.id, step);
    hold_evicted_notes(room, step);
    room.log.room_ended(step);
    *room = Room {
        facts: room.facts.take(),
        voice: room.voice.choices(),
        quiet: room.quiet,
        sessions_ended: room.sessions_ended + 1,
        is_gone: true,
        ..Room::new(room.id.clone())
    };
}
