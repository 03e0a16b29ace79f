//! Conversations as memory is told of them: turns that wait, how full a context is, that one is over, what to forget.

use std::collections::BTreeMap;

use gist::gems::redaction::redact;
use serde::{Deserialize, Serialize};
use settings::MemorySettings;
use vocabulary::{CapturedTurn, Moment, RoomId, SessionId, TurnKey, TurnKind, WallTime};

use super::extraction::RunningSummaries;
use super::recall::is_small_talk;
use super::run::ExtractionRun;
use super::stream::Stream;
use super::triggers::{ContextUse, SessionEnding};
use crate::journal::Scope;
use crate::step_context::StepContext;

/// Conversations that are remembered for what they have used and how they ended; spent ones go first.
const STREAMS_MAX: usize = 256;
/// Conversations of which something was said and no turn came yet.
const EARLY_MAX: usize = 64;

/// The conversations that gems are made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Streams {
    streams: BTreeMap<SessionId, Stream>,
    /// What was said of conversations whose turns are still on their way.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    early: BTreeMap<SessionId, Early>,
    /// When the last conversation of a room was ended, and how: turns of it may still be on their way.
    #[serde(default)]
    endings: BTreeMap<RoomId, (WallTime, SessionEnding)>,
}

/// What another agent said of a conversation before its turns came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Early {
    context: Option<ContextUse>,
    ended: bool,
    /// When something was last said of it.
    #[serde(default)]
    said_at: Moment,
}

impl Streams {
    /// Turns are in the buffer and held by this process; those that are known already are no news.
    pub fn turns_buffered(&mut self, turns: Vec<CapturedTurn>, step: &StepContext<'_>) {
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
            None => self.early(session, step).context = Some(context),
        }
    }

    /// The conversations of a room are over.
    pub fn room_ended(&mut self, room: &RoomId, ending: SessionEnding, step: &StepContext<'_>) {
        self.endings.insert(room.clone(), (step.now().wall, ending));
        while self.endings.len() > STREAMS_MAX {
            let oldest = self.endings.iter().min_by_key(|(_, (at, _))| *at);
            let Some(oldest) = oldest.map(|(room, _)| room.clone()) else {
                break;
            };
            self.endings.remove(&oldest);
        }
        for stream in self.streams.values_mut() {
            // Another agent's room may have the same name.
            if stream.is_of(step.ledger.community(), room) {
                stream.ended.get_or_insert(ending);
            }
        }
    }

    pub fn conversation_ended(&mut self, session: &SessionId, step: &StepContext<'_>) {
        match self.streams.get_mut(session) {
            Some(stream) => {
                stream.ended.get_or_insert(SessionEnding::Ended);
            }
            None => self.early(session, step).ended = true,
        }
    }

    /// What is said of a conversation that is not known yet: its turns come by way of the buffer, and may be slower.
    /// Of too many, the one goes of which nothing was said for longest.
    fn early(&mut self, session: &SessionId, step: &StepContext<'_>) -> &mut Early {
        if self.early.len() >= EARLY_MAX && !self.early.contains_key(session) {
            let oldest = self.early.iter().min_by_key(|(_, early)| early.said_at);
            if let Some(oldest) = oldest.map(|(session, _)| session.clone()) {
                self.early.remove(&oldest);
            }
        }
        let early = self.early.entry(session.clone()).or_default();
        early.said_at = step.moment();
        early
    }

    /// Replaces the words of a turn that waits.
    pub fn edited(&mut self, id: &str, text: &str) {
        let pending = self.streams.values_mut().flat_map(|stream| &mut stream.pending);
        for turn in pending.filter(|turn| turn.id.as_str() == id) {
            turn.text = redact(text).text;
        }
    }

    /// What another agent said of a conversation is forgotten with it.
    pub fn forget_early(&mut self, session: &SessionId) {
        self.early.remove(session);
    }

    /// Lets turns go; which they were.
    pub fn drop_turns(&mut self, is_dropped: impl Fn(&CapturedTurn) -> bool) -> Vec<TurnKey> {
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
        dropped
    }

    /// Gems were made of these turns.
    pub fn forget(&mut self, session: &SessionId, turns: &[TurnKey]) {
        if let Some(stream) = self.streams.get_mut(session) {
            stream.forget(turns);
        }
    }

    /// Every conversation, in the order in which they are looked at.
    pub fn each_mut(&mut self) -> impl Iterator<Item = (&SessionId, &mut Stream)> {
        self.streams.iter_mut()
    }

    /// The turns of a run that are still wanted; none when all of them were forgotten meanwhile.
    pub fn batch(&self, session: &SessionId, turns: &[TurnKey]) -> Option<Vec<CapturedTurn>> {
        let stream = self.streams.get(session)?;
        let turns = stream.pending.iter().filter(|turn| turns.contains(&turn.id));
        let batch: Vec<CapturedTurn> = turns.cloned().collect();
        (!batch.is_empty()).then_some(batch)
    }

    /// Whether a run is shown more than its turns: what is known, a summary, or what was said before.
    pub fn has_more_than_turns(&self, run: &ExtractionRun) -> bool {
        let mut batch = self.batch(&run.session, &run.turns).into_iter().flatten();
        !run.known.is_empty() || !run.summary.is_empty() || batch.all(|turn| turn.number > 1)
    }

    /// The turns of a run that read otherwise than when gems were made of them.
    pub fn changed_since(&self, run: &ExtractionRun) -> Vec<TurnKey> {
        let batch = self.batch(&run.session, &run.turns).unwrap_or_default();
        let changed = batch.into_iter().filter(|turn| run.is_changed(turn));
        changed.map(|turn| turn.id).collect()
    }

    /// The running summary of the conversation, where it goes on in a room of this community; secrets are not told.
    pub fn summary_for(
        &self,
        session: &SessionId,
        rooms: &dyn RunningSummaries,
        step: &StepContext<'_>,
    ) -> String {
        let stream = self
            .streams
            .get(session)
            .filter(|stream| stream.ended.is_none() && stream.place.community == *step.ledger.community());
        let summary = stream.map(|stream| rooms.running_summary(&stream.place.room, step.settings));
        redact(&summary.unwrap_or_default()).text
    }

    /// Whether nothing but greetings and thanks was said in these turns.
    pub fn is_small_talk(&self, session: &SessionId, turns: &[TurnKey], step: &StepContext<'_>) -> bool {
        let name = &step.settings.identity.name;
        let batch = self.batch(session, turns).unwrap_or_default();
        batch.iter().all(|turn| is_small_talk(&turn.text, name))
    }

    /// What lines about a conversation are about.
    pub fn scope_of(&self, session: &SessionId) -> Scope {
        self.streams
            .get(session)
            .map_or_else(Scope::default, Stream::scope)
    }

    /// Whether any turn waits.
    pub fn anything_waits(&self) -> bool {
        self.streams.values().any(|stream| !stream.is_spent())
    }

    /// When the first conversation counts as idle.
    pub fn idle_at(&self, settings: &MemorySettings) -> Option<Moment> {
        let streams = self.streams.values();
        streams.filter_map(|stream| stream.idle_at(settings)).min()
    }

    /// Keeps the number of conversations within bounds; one with turns waiting is never let go, nor one that is `read`.
    pub fn prune(&mut self, read: Option<&SessionId>) {
        while self.streams.len() > STREAMS_MAX {
            let oldest = self
                .streams
                .iter()
                .filter(|(session, stream)| stream.is_spent() && read != Some(session))
                .min_by_key(|(_, stream)| stream.last_turn_at)
                .map(|(session, _)| session.clone());
            let Some(oldest) = oldest else { return };
            self.streams.remove(&oldest);
        }
    }
}

#[cfg(test)]
#[path = "streams_tests.rs"]
mod streams_tests;
