//! A run under way, from the look-up of what is known to the gems being stored.

use std::collections::BTreeMap;

use gist::Gathered;
use gist::gems::fingerprint;
use serde::{Deserialize, Serialize};
use vocabulary::{AskId, CapturedTurn, ExtractionId, Gem, JournalSeq, Moment, RecallId, SessionId, TurnKey};

use super::streams::Streams;
use crate::journal::JournalEvent;
use crate::reasons::ExtractionDrop;
use crate::step_context::StepContext;

/// A run under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ExtractionRun {
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
    /// The running summary of the conversation, without secrets.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// How the turns read when gems were made of them: they may be edited before the gems are there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub heard: BTreeMap<TurnKey, u64>,
    pub stage: Stage,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Stage {
    /// What is known already is looked up, so that the model can tell what is new.
    LookingUp {
        recall: RecallId,
    },
    Asking {},
    /// What was gathered waits for the store's word; `again_at` when it could not be stored.
    Storing {
        gems: Vec<Gathered>,
        again_at: Option<Moment>,
        failures: u32,
    },
}

impl ExtractionRun {
    pub fn looks_up(&self, recall: RecallId) -> bool {
        matches!(self.stage, Stage::LookingUp { recall: open } if open == recall)
    }

    /// It ends without gems, and says so: those of its turns that still wait are read by another run.
    pub fn end(self, because: ExtractionDrop, streams: &Streams, step: &mut StepContext<'_>) {
        let scope = streams.scope_of(&self.session).because(Some(self.cause));
        let event = JournalEvent::MemoryExtractionDropped {
            extraction: self.extraction,
            session: self.session,
            because,
            turns: self.turns.len(),
        };
        step.ledger.write(scope, event);
    }

    /// Keeps in mind how the turns read now, when gems are made of them.
    pub fn hear(&mut self, batch: &[CapturedTurn]) {
        let heard = batch
            .iter()
            .map(|turn| (turn.id.clone(), fingerprint(&turn.text)));
        self.heard = heard.collect();
    }

    /// Whether a turn reads otherwise than when gems were made of it.
    pub fn is_changed(&self, turn: &CapturedTurn) -> bool {
        let heard = self.heard.get(&turn.id);
        heard.is_some_and(|heard| *heard != fingerprint(&turn.text))
    }

    pub fn asks(&self, ask: AskId) -> bool {
        self.ask == Some(ask) && matches!(self.stage, Stage::Asking { .. })
    }
}
