//! The faculty's state: conversations with turns waiting, and the one run that is under way.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{
    AskId, ExtractionId, Gem, JournalSeq, Moment, RecallId, RoomId, SessionId, TurnKey, WallTime,
};

use super::stream::Stream;
use super::triggers::{ContextUse, SessionEnding};
use crate::effect::Gathered;
use crate::effect::{Wake, WakeReason};

/// Conversations that are remembered for what they have used and how they ended; spent ones go first.
pub(super) const STREAMS_MAX: usize = 256;

/// Everything the mind knows about making memories.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Memory {
    pub(super) streams: BTreeMap<SessionId, Stream>,
    /// What was said of conversations whose turns are still on their way.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) early: BTreeMap<SessionId, Early>,
    /// At most one run at a time: gems are not in a hurry, and a model is not free.
    pub(super) run: Option<Run>,
    pub(super) extraction: ExtractionId,
    /// When the last conversation of a room was ended, and how: turns of it may still be on their way.
    #[serde(default)]
    pub(super) endings: BTreeMap<RoomId, (WallTime, SessionEnding)>,
    pub(super) failures: u32,
    pub(super) resting_until: Option<Moment>,
}

/// What another agent said of a conversation before its turns came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Early {
    pub context: Option<ContextUse>,
    pub ended: bool,
}

/// A run under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    pub extraction: ExtractionId,
    pub session: SessionId,
    /// The turns it makes gems of.
    pub turns: Vec<TurnKey>,
    pub started: Moment,
    /// The line that says that it began.
    #[serde(default)]
    pub cause: JournalSeq,
    pub ask: Option<AskId>,
    /// What is known already that may be the same or contradicted.
    pub known: Vec<Gem>,
    pub stage: Stage,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Stage {
    /// What is known already is looked up, so that the model can tell what is new.
    LookingUp { recall: RecallId },
    Asking {
        /// Raised each time a model says that there is too much to read.
        history_divisor: usize,
    },
    /// What was gathered waits for the store's word; `again_at` when it could not be stored.
    Storing {
        gems: Vec<Gathered>,
        again_at: Option<Moment>,
        failures: u32,
    },
}

impl Run {
    pub fn looks_up(&self, recall: RecallId) -> bool {
        matches!(self.stage, Stage::LookingUp { recall: open } if open == recall)
    }

    pub fn asks(&self, ask: AskId) -> bool {
        self.ask == Some(ask) && matches!(self.stage, Stage::Asking { .. })
    }
}

impl Memory {
    pub fn next_wake(&self, settings: &Settings) -> Option<Wake> {
        let run = self.run.as_ref().and_then(|run| match &run.stage {
            Stage::Storing { again_at, .. } => again_at.map(|at| (at, WakeReason::MemoryRetry)),
            Stage::LookingUp { .. } | Stage::Asking { .. } => None,
        });
        let at_rest = self
            .resting_until
            .filter(|_| self.run.is_none() && self.streams.values().any(|stream| !stream.is_spent()))
            .map(|at| (at, WakeReason::MemoryRetry));
        // While a run is under way, or after it failed, idleness is looked at when that is over.
        let idle = self
            .streams
            .values()
            .filter_map(|stream| stream.idle_at(&settings.memory))
            .min()
            .filter(|_| self.run.is_none() && at_rest.is_none())
            .map(|at| (at, WakeReason::ConversationIdle));
        run.into_iter()
            .chain(at_rest)
            .chain(idle)
            .map(|(at, reason)| Wake { at, reason })
            .min()
    }

    /// Keeps the number of conversations within bounds; one with turns waiting is never let go.
    pub(super) fn prune(&mut self) {
        while self.streams.len() > STREAMS_MAX {
            let running = self.run.as_ref().map(|run| &run.session);
            let oldest = self
                .streams
                .iter()
                .filter(|(session, stream)| stream.is_spent() && running != Some(session))
                .min_by_key(|(_, stream)| stream.last_turn_at)
                .map(|(session, _)| session.clone());
            let Some(oldest) = oldest else { return };
            self.streams.remove(&oldest);
        }
    }
}
