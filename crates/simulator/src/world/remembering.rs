//! The world's part in memory: what the mind wants stored, forgotten or kept of a conversation that has ended.

use mind::{Answer, Gathering, Input, MemoryEvent, StoredGems, StoringOutcome};
use vocabulary::{CapturedTurn, Forget, RoomId, Span};

use super::World;
use crate::director::Director;

impl<D: Director> World<D> {
    pub(super) fn store_gems(&mut self, gathering: &Gathering) {
        let plan = self.director.store(gathering);
        let stored = if plan.lands {
            self.trace.memory.store(gathering)
        } else {
            StoredGems::default()
        };
        let outcome = match plan.report {
            None => return,
            Some(true) => StoringOutcome::Stored(stored),
            Some(false) => StoringOutcome::Failed {
                detail: "the store is locked".to_owned(),
            },
        };
        let extraction = gathering.extraction;
        self.later(
            plan.after,
            Input::Answer(Answer::GemsStored { extraction, outcome }),
        );
    }

    /// The mind hears of a captured turn a moment after it is on disk.
    pub(super) fn tell_of(&mut self, turn: Option<CapturedTurn>) {
        if let Some(turn) = turn {
            self.later(
                Span::ZERO,
                Input::Memory(MemoryEvent::TurnsBuffered { turns: vec![turn] }),
            );
        }
    }

    pub(super) fn forget(&mut self, what: &Forget, asked_in: &RoomId) {
        let forgotten = self.trace.memory.forget(what, asked_in);
        self.later(
            Span::ZERO,
            Input::Memory(MemoryEvent::Forgotten(Box::new(forgotten))),
        );
    }

    pub(super) fn keep_summary(&mut self, room: &RoomId, text: &str, seen_with: Option<&str>) {
        let (settings, at) = (self.settings.clone(), self.wall());
        let turn = self
            .trace
            .memory
            .capture_summary(&self.mind, room, text, seen_with, &settings, at);
        self.tell_of(turn);
    }
}
