//! Chance, seeded and part of the mind's state: the same seed rolls the same numbers.

use serde::{Deserialize, Serialize};

use super::Ledger;
use crate::journal::{JournalEvent, Scope};

/// A SplitMix64 generator: small enough to keep in every snapshot, good enough for a roll of a hundred.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dice {
    state: u64,
}

impl Dice {
    pub fn seeded(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Rolls 0–99 and says whether it came below `percent`; the roll is journaled.
    pub(crate) fn chance(
        &mut self,
        percent: u64,
        purpose: &str,
        scope: Scope,
        ledger: &mut Ledger<'_>,
    ) -> bool {
        let roll = self.roll();
        let hit = roll < percent;
        ledger.write(
            scope,
            JournalEvent::DiceRolled {
                purpose: purpose.to_owned(),
                roll,
                below: percent,
                hit,
            },
        );
        hit
    }

    /// Rolls 0–99, for whoever writes it down.
    pub(crate) fn roll(&mut self) -> u64 {
        self.next() % 100
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
