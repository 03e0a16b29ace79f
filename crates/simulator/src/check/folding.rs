//! Nothing is lost: every turn is summarised or stands word for word, every note is folded or held, and whatever had
//! to go is in the journal.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Answer, Input, JournalEvent, MemoryEvent, RoomEvent};
use vocabulary::{Message, MessageId, RoomId};

use super::{Report, was_left_out};
use crate::trace::{SessionSketch, Stepped, Trace};

/// What should be in a room's session, kept apart from what is.
#[derive(Debug, Default)]
struct Expected {
    cursor: u64,
    turns: u64,
    verbatim: BTreeSet<u64>,
    numbers: BTreeMap<MessageId, u64>,
    heard: BTreeSet<MessageId>,
    notes_taken: u64,
    notes: BTreeSet<u64>,
}

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut rooms: BTreeMap<RoomId, Expected> = BTreeMap::new();
    for step in &trace.steps {
        // A room that has ended begins anew, should it come back.
        rooms.retain(|room, _| {
            !events(step, room).any(|event| matches!(event, JournalEvent::RoomEnded { .. }))
        });
        for sketch in &step.sessions {
            let expected = rooms.entry(sketch.room.clone()).or_default();
            let mut wrong = |property, what| report.add(property, step.now.moment, what);
            expected.turns(step, sketch, &mut wrong);
            expected.notes(step, sketch, &mut wrong);
        }
    }
}

type Wrong<'a> = dyn FnMut(&'static str, String) + 'a;

impl Expected {
    fn turns(&mut self, step: &Stepped, sketch: &SessionSketch, wrong: &mut Wrong<'_>) {
        let room = &sketch.room;
        self.said(step, sketch, wrong);
        if let Input::Room(of, RoomEvent::MessageDeleted { id }) = &step.input
            && of == room
            && let Some(number) = self.numbers.get(id)
        {
            self.verbatim.remove(number);
        }
        let (mut dropped, mut may_move) = (0, false);
        for event in events(step, room) {
            match event {
                JournalEvent::CompactionCompleted { cursor, .. } => {
                    may_move = true;
                    self.verbatim = self.verbatim.split_off(&cursor.0);
                }
                JournalEvent::ContextSessionEnded { turns, .. } => {
                    may_move = true;
                    self.verbatim = self.verbatim.split_off(turns);
                }
                JournalEvent::ContextTurnsDropped {
                    dropped_turn_count, ..
                } => {
                    may_move = true;
                    dropped += dropped_turn_count;
                }
                _ => {}
            }
        }
        // What somebody wants forgotten leaves without being summarised; scenarios say what has to go.
        let is_forgetting = matches!(step.input, Input::Memory(MemoryEvent::Forgotten(_)));
        let (gone, back) = moved(&mut self.verbatim, &sketch.verbatim, is_forgetting);
        let property = "turns_summarised_or_verbatim";
        if gone.len() != dropped {
            let what = format!("{room}: turns {gone:?} are gone, and {dropped} were said to be dropped");
            wrong(property, what);
        }
        if !back.is_empty() {
            wrong(
                property,
                format!("{room}: turns {back:?} stand there again, although they are in the summary"),
            );
        }
        if sketch.cursor < self.cursor {
            let what = format!("{room}: from {} to {}", self.cursor, sketch.cursor);
            wrong("cursor_only_advances", what);
        } else if sketch.cursor > self.cursor && !may_move {
            let what = format!("{room}: to {}, and the journal does not say why", sketch.cursor);
            wrong("cursor_only_advances", what);
        }
        self.cursor = sketch.cursor;
    }

    /// A message that is heard for the first time is the next turn; nothing else is.
    fn said(&mut self, step: &Stepped, sketch: &SessionSketch, wrong: &mut Wrong<'_>) {
        let message: Option<&Message> = match &step.input {
            Input::Room(
                _,
                RoomEvent::MessageArrived(message)
                | RoomEvent::MessageMissed(message)
                | RoomEvent::UtteranceHeard { message, .. },
            )
            | Input::Answer(Answer::MessageSent { message, .. }) => Some(message),
            _ => None,
        };
        // A command is carried out; it is no part of the conversation.
        let is_command = step
            .journal()
            .any(|entry| matches!(entry.event, mind::JournalEvent::CommandTaken { .. }));
        let is_turn =
            |message: &&Message| mind::memory::command::read(&message.text).is_none() && !is_command;
        let message = message
            .filter(|message| message.room == sketch.room)
            .filter(is_turn)
            .filter(|_| !was_left_out(step));
        let first = message.is_some_and(|message| self.heard.insert(message.id.clone()));
        let (more, property) = (sketch.turns.saturating_sub(self.turns), "turns_numbered_in_order");
        // A sign of its own, such as that it listens, is no part of the conversation.
        let message = message.filter(|message| !message.sign);
        let owed = u64::from(first && message.is_some());
        // The mind forgets very old ids, so that one told again after thousands of others is a new turn.
        let may_repeat = u64::from(message.is_some());
        if sketch.turns < self.turns || more < owed || more > owed.max(may_repeat) {
            let what = format!("{}: {more} turns more, {owed} expected", sketch.room);
            wrong(property, what);
        }
        for number in self.turns..sketch.turns {
            self.verbatim.insert(number);
            if let Some(message) = message {
                self.numbers.insert(message.id.clone(), number);
            }
        }
        self.turns = sketch.turns;
    }

    fn notes(&mut self, step: &Stepped, sketch: &SessionSketch, wrong: &mut Wrong<'_>) {
        let room = &sketch.room;
        if let Input::Room(of, RoomEvent::NoteTaken { .. }) = &step.input
            && of == room
            && sketch.folds
        {
            self.notes.insert(self.notes_taken);
            self.notes_taken += 1;
        }
        let mut told = 0;
        for event in events(step, room) {
            match event {
                JournalEvent::NotesEvicted {
                    notes,
                    to_be_folded: true,
                    ..
                } => {
                    for _ in 0..*notes {
                        self.notes.insert(self.notes_taken);
                        self.notes_taken += 1;
                    }
                }
                JournalEvent::CompactionCompleted {
                    folded_note_count, ..
                } => told += folded_note_count,
                JournalEvent::ContextNotesDropped { dropped_note_count } => told += dropped_note_count,
                _ => {}
            }
        }
        let is_forgetting = matches!(step.input, Input::Memory(MemoryEvent::Forgotten(_)));
        let (gone, strange) = moved(&mut self.notes, &sketch.notes, is_forgetting);
        if gone.len() != told || !strange.is_empty() {
            let what = format!(
                "{room}: notes {gone:?} are gone and {strange:?} are there, and {told} were said to be folded or dropped"
            );
            wrong("notes_folded_or_held", what);
        }
    }
}

/// The numbers that are gone and those that are new, and from here on what is there is expected. What is forgotten may go.
fn moved(expected: &mut BTreeSet<u64>, actual: &[u64], is_forgetting: bool) -> (Vec<u64>, Vec<u64>) {
    // After most steps all of them are where they should be.
    if expected.iter().eq(actual) {
        return (Vec::new(), Vec::new());
    }
    let actual: BTreeSet<u64> = actual.iter().copied().collect();
    if is_forgetting {
        expected.retain(|number| actual.contains(number));
    }
    let gone = expected.difference(&actual).copied().collect();
    let new = actual.difference(expected).copied().collect();
    *expected = actual;
    (gone, new)
}

fn events<'a>(step: &'a Stepped, room: &'a RoomId) -> impl Iterator<Item = &'a JournalEvent> {
    let lines = step
        .journal()
        .filter(|entry| entry.scope.room.as_ref() == Some(room));
    lines.map(|entry| &entry.event)
}
