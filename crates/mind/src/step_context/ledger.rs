//! Collects what a step wants, and numbers its journal lines.

use vocabulary::{CommunityId, JournalSeq, Now};

use crate::effect::Effect;
use crate::journal::{JournalEntry, JournalEvent, Scope};

/// The effects of one step in the making.
#[derive(Debug)]
pub(crate) struct Ledger<'a> {
    pub now: Now,
    community: &'a CommunityId,
    seq: &'a mut JournalSeq,
    effects: Vec<Effect>,
}

impl<'a> Ledger<'a> {
    pub fn new(now: Now, community: &'a CommunityId, seq: &'a mut JournalSeq) -> Self {
        Self {
            now,
            community,
            seq,
            effects: Vec::new(),
        }
    }

    pub fn community(&self) -> &CommunityId {
        self.community
    }

    /// Wants something done.
    pub fn want(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Writes a line; its number can be the cause of further ones.
    pub fn write(&mut self, scope: Scope, event: JournalEvent) -> JournalSeq {
        let seq = self.seq.take_next();
        self.effects.push(Effect::Journal(Box::new(JournalEntry {
            seq,
            moment: self.now.moment,
            wall: self.now.wall,
            community: self.community.clone(),
            scope,
            event,
        })));
        seq
    }

    pub fn into_effects(self) -> Vec<Effect> {
        self.effects
    }
}
