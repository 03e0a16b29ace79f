//! A receipt for every tick: whether a model was asked, else what stopped it. Equal ones in a row are one.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use vocabulary::{JournalSeq, Moment, TurnId, WallTime};

use super::gates::AmbientGate;
use super::view::Receipt;
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;

/// Receipts that are kept for the page.
const RECEIPTS_MAX: usize = 240;
const HOUR: u64 = 3_600_000;
const HOURS_KEPT: u64 = 24;

/// How a tick went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ticked {
    pub gate: Option<AmbientGate>,
    pub revisits: bool,
    /// What was rolled, and what it had to be below.
    pub roll: Option<(u64, u64)>,
    pub turn: Option<TurnId>,
}

impl Ticked {
    /// A tick that a gate stopped.
    pub fn stopped(gate: AmbientGate, roll: Option<(u64, u64)>) -> Self {
        Self {
            gate: Some(gate),
            revisits: false,
            roll,
            turn: None,
        }
    }
}

/// The receipts, and how many ticks each gate stopped, by the hour.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReceiptBook {
    receipts: VecDeque<Receipt>,
    /// What stopped the newest tick, and how many equal ones since its line was written.
    newest: Option<AmbientGate>,
    untold: u64,
    stopped: BTreeMap<u64, BTreeMap<AmbientGate, u64>>,
}

impl ReceiptBook {
    /// Writes a tick down; the line of the journal where one was written.
    pub fn write(&mut self, ticked: Ticked, step: &mut StepContext<'_>) -> Option<JournalSeq> {
        let now = step.now();
        if let Some(gate) = ticked.gate {
            let hour = now.moment.0 / HOUR;
            *self.stopped.entry(hour).or_default().entry(gate).or_default() += 1;
            self.stopped.retain(|then, _| then + HOURS_KEPT >= hour);
        }
        let same = ticked.gate.is_some() && ticked.gate == self.newest;
        // Those of voice that came between are no ticks.
        let ticks = |receipt: &&mut Receipt| receipt.room.is_none();
        if let Some(last) = self.receipts.iter_mut().rev().find(ticks).filter(|_| same) {
            last.last_at = now.wall;
            last.ticks += 1;
            (last.roll, last.below) = ticked.roll.unzip();
            self.untold += 1;
            return None;
        }
        self.close(step);
        self.newest = ticked.gate;
        let words = match ticked.gate {
            Some(gate) => gate.words(),
            None if ticked.revisits => "looked at the thought it holds",
            None => "looked for a fresh thought",
        };
        self.push(Receipt {
            ran: ticked.gate.is_none(),
            gate: ticked.gate.map(|gate| gate.name().to_owned()),
            words: words.to_owned(),
            roll: ticked.roll.map(|(roll, _)| roll),
            below: ticked.roll.map(|(_, below)| below),
            turn: ticked.turn,
            ..Receipt::at(now.wall)
        });
        let event = JournalEvent::AmbientTickDecided {
            ran: ticked.gate.is_none(),
            gate: ticked.gate,
            revisits: ticked.revisits,
            roll: ticked.roll.map(|(roll, _)| roll),
            below: ticked.roll.map(|(_, below)| below),
            repeated: 0,
        };
        let scope = ticked
            .turn
            .map_or_else(Scope::default, |turn| Scope::default().turn(turn));
        Some(step.ledger.write(scope, event))
    }

    /// Takes over a receipt of the voice of a room, which has its own line in the journal.
    pub fn aloud(&mut self, receipt: Receipt, now: WallTime) {
        let equal = |last: &&mut Receipt| {
            !receipt.ran && !last.ran && (&last.room, &last.gate) == (&receipt.room, &receipt.gate)
        };
        match self.receipts.back_mut().filter(equal) {
            Some(last) => {
                last.last_at = now;
                last.ticks += 1;
                (last.roll, last.below) = (receipt.roll, receipt.below);
            }
            None => {
                self.push(receipt);
            }
        }
    }

    fn push(&mut self, receipt: Receipt) {
        self.receipts.push_back(receipt);
        if self.receipts.len() > RECEIPTS_MAX {
            self.receipts.pop_front();
        }
    }

    /// Says how often the newest receipt was given again, before something else happens.
    fn close(&mut self, step: &mut StepContext<'_>) {
        let repeated = std::mem::take(&mut self.untold);
        let last = self.receipts.iter().rev().find(|receipt| receipt.room.is_none());
        let Some(last) = last.filter(|_| repeated > 0) else {
            return;
        };
        let event = JournalEvent::AmbientTickDecided {
            ran: false,
            gate: self.newest,
            revisits: false,
            roll: last.roll,
            below: last.below,
            repeated,
        };
        step.ledger.write(Scope::default(), event);
    }

    /// What came of the run of a turn.
    pub fn came_of(&mut self, turn: TurnId, action: &str) {
        if let Some(receipt) = self.receipts.iter_mut().rev().find(|own| own.turn == Some(turn)) {
            receipt.action = Some(action.to_owned());
        }
    }

    /// Newest first.
    pub fn newest_first(&self) -> Vec<Receipt> {
        self.receipts.iter().rev().cloned().collect()
    }

    /// Ticks that each gate stopped within the last 24 hours or so.
    pub fn stopped(&self, now: Moment) -> BTreeMap<AmbientGate, u64> {
        let hour = now.0 / HOUR;
        let mut ticks = BTreeMap::new();
        for (_, gates) in self.stopped.iter().filter(|(then, _)| **then + HOURS_KEPT > hour) {
            for (gate, count) in gates {
                *ticks.entry(*gate).or_default() += count;
            }
        }
        ticks
    }
}

#[cfg(test)]
#[path = "receipts_tests.rs"]
mod receipts_tests;
