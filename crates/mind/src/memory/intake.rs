//! What memory is told: turns that were captured, how full a context is, that a conversation is over, what to forget.

use vocabulary::{CapturedTurn, Forget, RoomId, SessionId, TurnKind};

use super::gems::redaction::redact;
use super::state::{Early, Memory, STREAMS_MAX, Stage};
use super::stream::Stream;
use super::triggers::{ContextUse, SessionEnding};
use crate::reasons::CancelReason;
use crate::step_context::StepContext;
use crate::step_context::flight::{LookUp, cancel};

/// Conversations of which something was said and no turn came yet.
const EARLY_MAX: usize = 64;

impl Memory {
    /// Turns are in the buffer and held by this process; those that are known already are no news.
    pub fn turns_buffered(&mut self, turns: Vec<CapturedTurn>, step: &mut StepContext<'_>) {
        let now = step.moment();
        let threshold = step.settings.memory.context_threshold;
        for turn in turns {
            let ending = self
                .endings
                .get(&turn.place.room)
                .filter(|(at, _)| turn.place.community == *step.ledger.community() && turn.at < *at);
            let stream = self
                .streams
                .entry(turn.session.clone())
                .or_insert_with(|| Stream {
                    ended: ending.map(|(_, ending)| *ending),
                    ..Stream::new(turn.place.clone(), now)
                });
            let early = self.early.remove(&turn.session).unwrap_or_default();
            if let Some(context) = early.context {
                stream.context_used(context, threshold);
            }
            if early.ended {
                stream.ended.get_or_insert(SessionEnding::Ended);
            }
            // The final summary comes after the end; nothing follows it.
            let is_summary = turn.kind == TurnKind::Summary;
            if stream.take_in(turn, now) && is_summary {
                stream.ended.get_or_insert(SessionEnding::Ended);
            }
        }
    }

    /// A prompt for the newest conversation of a room took so much of its model's window.
    pub fn room_used_context(&mut self, room: &RoomId, context: ContextUse, step: &StepContext<'_>) {
        let threshold = step.settings.memory.context_threshold;
        let newest = self
            .streams
            .values_mut()
            .filter(|stream| stream.is_of(step.ledger.community(), room) && stream.ended.is_none())
            .max_by_key(|stream| stream.last_turn_at);
        if let Some(stream) = newest {
            stream.context_used(context, threshold);
        }
    }

    /// Another agent says how full its context is.
    pub fn context_used(&mut self, session: &SessionId, context: ContextUse, step: &StepContext<'_>) {
        match self.streams.get_mut(session) {
            Some(stream) => stream.context_used(context, step.settings.memory.context_threshold),
            None => self.early(session).context = Some(context),
        }
    }

    /// The conversations of a room are over.
    pub fn room_ended(&mut self, room: &RoomId, ending: SessionEnding, step: &StepContext<'_>) {
        self.endings.insert(room.clone(), (step.now().wall, ending));
        while self.endings.len() > STREAMS_MAX {
            self.endings.pop_first();
        }
        for stream in self.streams.values_mut() {
            // Another agent's room may have the same name.
            if stream.is_of(step.ledger.community(), room) {
                stream.ended.get_or_insert(ending);
            }
        }
    }

    pub fn conversation_ended(&mut self, session: &SessionId) {
        match self.streams.get_mut(session) {
            Some(stream) => {
                stream.ended.get_or_insert(SessionEnding::Ended);
            }
            None => self.early(session).ended = true,
        }
    }

    /// What is said of a conversation that is not known yet: its turns come by way of the buffer, and may be slower.
    fn early(&mut self, session: &SessionId) -> &mut Early {
        if self.early.len() >= EARLY_MAX && !self.early.contains_key(session) {
            self.early.pop_first();
        }
        self.early.entry(session.clone()).or_default()
    }

    /// Replaces the words of a turn that waits.
    pub fn edited(&mut self, id: &str, text: &str) {
        let pending = self.streams.values_mut().flat_map(|stream| &mut stream.pending);
        for turn in pending.filter(|turn| turn.id.as_str() == id) {
            turn.text = redact(text).text;
        }
    }

    /// A message was taken back: it becomes no gem.
    pub fn deleted(&mut self, id: &str, step: &mut StepContext<'_>) {
        self.drop_turns(|turn| turn.id.as_str() == id, step);
    }

    pub fn forget(&mut self, what: &Forget, step: &mut StepContext<'_>) {
        match what {
            Forget::Person {
                person, community, ..
            } => self.drop_turns(
                |turn| {
                    turn.speaker.id == *person
                        && community
                            .as_ref()
                            .is_none_or(|community| turn.place.community == *community)
                },
                step,
            ),
            Forget::Turns(turns) => self.drop_turns(|turn| turns.contains(&turn.id), step),
            Forget::Session(session) => {
                self.early.remove(session);
                self.drop_turns(|turn| turn.session == *session, step);
            }
            Forget::Room { community, room } => {
                self.drop_turns(
                    |turn| turn.place.community == *community && turn.place.room == *room,
                    step,
                );
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
        let mut dropped = Vec::new();
        for stream in self.streams.values_mut() {
            stream.pending.retain(|turn| {
                let gone = is_dropped(turn);
                if gone {
                    dropped.push(turn.id.clone());
                }
                !gone
            });
        }
        let reads = |turns: &[vocabulary::TurnKey]| turns.iter().any(|turn| dropped.contains(turn));
        let Some(run) = self.run.take_if(|run| reads(&run.turns)) else {
            return;
        };
        let scope = self.scope_of(&run).because(Some(run.cause));
        match (&run.stage, run.ask) {
            (Stage::LookingUp { recall }, _) => drop(step.flights.found(LookUp::Recall(*recall))),
            (Stage::Asking { .. }, Some(ask)) => drop(cancel(ask, CancelReason::Forgotten, scope, step)),
            _ => {}
        }
    }
}

#[cfg(test)]
#[path = "intake_tests.rs"]
mod intake_tests;
