//! Everything that went into a mind and came out of it, step by step: what the checkers look at.

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use mind::ambient::view::AmbientView;
use mind::context::compaction::SessionOutline;
use mind::{Answer, Effect, Genesis, Input, JournalEntry, RoomEvent, Wake};
use settings::{Document, Settings};
use vocabulary::{Now, RoomId, WallTime};

use crate::memory::Remembered;

/// When simulated time begins: Monday, 6 January 2025, 12:00 UTC.
pub const WALL_START: WallTime = WallTime(1_736_164_800_000);

/// One step of a mind.
#[derive(Clone, Debug)]
pub struct Stepped {
    pub now: Now,
    pub input: Input,
    pub effects: Vec<Effect>,
    pub wake: Option<Wake>,
    pub settings: Arc<Settings>,
    /// The sessions of the rooms it concerned, as they are after it.
    pub sessions: Vec<SessionSketch>,
}

/// A session in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSketch {
    pub room: RoomId,
    pub session: SessionOutline,
}

impl Deref for SessionSketch {
    type Target = SessionOutline;

    fn deref(&self) -> &SessionOutline {
        &self.session
    }
}

impl DerefMut for SessionSketch {
    fn deref_mut(&mut self) -> &mut SessionOutline {
        &mut self.session
    }
}

/// A whole run.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// What its mind was born from.
    pub genesis: Option<Genesis>,
    /// The settings as they were saved, one after the other: the place of each is its version.
    pub saved_settings: Vec<Document>,
    pub steps: Vec<Stepped>,
    /// Rooms in which something was still under way at the end.
    pub busy_rooms: usize,
    /// Snapshots that did not come back as they were.
    pub broken_snapshots: Vec<String>,
    /// Its own thoughts at the end.
    pub ambient: Option<AmbientView>,
    /// What memory holds at the end.
    pub memory: Remembered,
}

impl Stepped {
    pub fn journal(&self) -> impl Iterator<Item = &JournalEntry> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::Journal(entry) => Some(&**entry),
            _ => None,
        })
    }
}

impl Trace {
    pub fn journal(&self) -> impl Iterator<Item = &JournalEntry> {
        self.steps.iter().flat_map(Stepped::journal)
    }

    /// The journal as it would be stored, a line each.
    pub fn journal_lines(&self) -> Vec<String> {
        lines(self.journal())
    }
}

/// Lines of a journal as they would be stored.
pub(crate) fn lines<'a>(journal: impl Iterator<Item = &'a JournalEntry>) -> Vec<String> {
    journal
        .map(|entry| serde_json::to_string(entry).expect("journal entries are plain data"))
        .collect()
}

/// The rooms that a step was about.
pub(crate) fn rooms_of<'a>(input: &'a Input, effects: &'a [Effect]) -> BTreeSet<&'a RoomId> {
    let of_input = match input {
        Input::Room(
            room,
            RoomEvent::MessageArrived(_)
            | RoomEvent::MessageMissed(_)
            | RoomEvent::UtteranceHeard { .. }
            | RoomEvent::MessageEdited { .. }
            | RoomEvent::MessageDeleted { .. }
            | RoomEvent::NoteTaken { .. }
            | RoomEvent::SessionEnded,
        ) => Some(room),
        Input::Answer(Answer::MessageSent { message, .. }) => Some(&message.room),
        _ => None,
    };
    let of_effects = effects.iter().filter_map(|effect| match effect {
        Effect::Journal(entry) => entry.scope.room.as_ref(),
        Effect::Ask(asking) => Some(&asking.room),
        _ => None,
    });
    of_input.into_iter().chain(of_effects).collect()
}
