//! The faculty, put together of its parts: conversations with turns waiting, and whoever makes gems of them.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskOutcome, CapturedTurn, ExtractionId, Forget, RecallId, RoomId, SessionId};

use super::extraction::{Extractor, RunningSummaries};
use super::streams::Streams;
use super::triggers::{ContextUse, SessionEnding};
use crate::effect::Wake;
use crate::input::{Recollection, StoringOutcome};
use crate::step_context::StepContext;
use crate::step_context::flight::Flight;

/// Everything the mind knows about making memories.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Memory {
    #[serde(flatten)]
    streams: Streams,
    #[serde(flatten)]
    extractor: Extractor,
}

impl Memory {
    /// Turns are in the buffer and held by this process; those that are known already are no news.
    pub fn turns_buffered(&mut self, turns: Vec<CapturedTurn>, step: &StepContext<'_>) {
        self.streams.turns_buffered(turns, step);
    }

    /// A prompt for the newest conversation of a room took so much of its model's window.
    pub fn room_used_context(&mut self, room: &RoomId, context: ContextUse, step: &StepContext<'_>) {
        self.streams.room_used_context(room, context, step);
    }

    /// Another agent says how full its context is.
    pub fn context_used(&mut self, session: &SessionId, context: ContextUse, step: &StepContext<'_>) {
        self.streams.context_used(session, context, step);
    }

    /// The conversations of a room are over.
    pub fn room_ended(&mut self, room: &RoomId, ending: SessionEnding, step: &StepContext<'_>) {
        self.streams.room_ended(room, ending, step);
    }

    /// A conversation of another agent's is over.
    pub fn conversation_ended(&mut self, session: &SessionId, step: &StepContext<'_>) {
        self.streams.conversation_ended(session, step);
    }

    /// Replaces the words of a turn that waits.
    pub fn edited(&mut self, id: &str, text: &str) {
        self.streams.edited(id, text);
    }

    /// A message was taken back: it becomes no gem.
    pub fn deleted(&mut self, id: &str, step: &mut StepContext<'_>) {
        self.drop_turns(|turn| turn.id.as_str() == id, step);
    }

    /// Something is gone from memory for good: no gem is made of it any more.
    pub fn forget(&mut self, what: &Forget, step: &mut StepContext<'_>) {
        self.extractor.forget_known();
        match what {
            Forget::Person {
                person, community, ..
            } => {
                let is_there = |turn: &CapturedTurn| {
                    let community = community.as_ref();
                    community.is_none_or(|community| turn.place.community == *community)
                };
                self.drop_turns(|turn| turn.speaker.id == *person && is_there(turn), step);
            }
            Forget::Turns(turns) => self.drop_turns(|turn| turns.contains(&turn.id), step),
            Forget::Session(session) => {
                self.streams.forget_early(session);
                self.drop_turns(|turn| turn.session == *session, step);
            }
            Forget::Room { community, room } => {
                let is_there =
                    |turn: &CapturedTurn| turn.place.community == *community && turn.place.room == *room;
                self.drop_turns(is_there, step);
            }
            Forget::Community(community) => {
                self.drop_turns(|turn| turn.place.community == *community, step);
            }
            // Turns that gems were made of do not wait any more.
            Forget::Gems(_) => {}
        }
    }

    /// Lets turns go. A run that reads any of them is given up: its answer would bring them back.
    fn drop_turns(&mut self, is_dropped: impl Fn(&CapturedTurn) -> bool, step: &mut StepContext<'_>) {
        let dropped = self.streams.drop_turns(is_dropped);
        self.extractor.give_up(&dropped, &self.streams, step);
    }

    /// What is known already of what a run is about.
    pub fn recalled(&mut self, recall: RecallId, found: &Recollection, step: &mut StepContext<'_>) {
        self.extractor.recalled(recall, found, &self.streams, step);
    }

    /// What is known already was not said in time.
    pub fn recall_overdue(&mut self, recall: RecallId, step: &mut StepContext<'_>) {
        self.extractor.recall_overdue(recall, &self.streams, step);
    }

    /// A model's answer to a question for gems, or none.
    pub fn ask_ended(&mut self, flight: Flight, outcome: AskOutcome, step: &mut StepContext<'_>) {
        self.extractor.ask_ended(&flight, outcome, &self.streams, step);
    }

    /// What came of storing the gems of a run; stored, its turns do not wait any more.
    pub fn gems_stored(
        &mut self,
        extraction: ExtractionId,
        outcome: StoringOutcome,
        step: &mut StepContext<'_>,
    ) {
        if let Some(done) = self
            .extractor
            .gems_stored(extraction, outcome, &self.streams, step)
        {
            // What was edited while its gems were stored is read again.
            let changed = self.streams.changed_since(&done);
            let turns = done.turns.into_iter().filter(|turn| !changed.contains(turn));
            self.streams.forget(&done.session, &turns.collect::<Vec<_>>());
        }
    }

    /// Looks at every conversation; the first that is due begins a run.
    pub fn advance(&mut self, rooms: &dyn RunningSummaries, step: &mut StepContext<'_>) {
        self.extractor.advance(&mut self.streams, rooms, step);
        self.streams.prune(self.extractor.session());
    }

    /// The process is back.
    pub fn restarted(&mut self, step: &mut StepContext<'_>) {
        self.extractor.restarted(&self.streams, step);
    }

    pub fn let_go_of_what_is_lost(&mut self, step: &mut StepContext<'_>) {
        self.extractor.let_go_of_lost_run(&self.streams, step);
    }

    pub fn next_wake(&self, settings: &Settings) -> Option<Wake> {
        self.extractor.next_wake(&self.streams, settings)
    }
}
