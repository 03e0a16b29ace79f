//! What every faculty has at hand during one step.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskId, Moment, Now, RecallId, ToolRunId, TurnId};

use crate::addressing::Identity;
use crate::dice::Dice;
use crate::journal::Ledger;

/// Numbers given out so far; they only grow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub turn: TurnId,
    pub ask: AskId,
    pub recall: RecallId,
    pub tool_run: ToolRunId,
}

/// One step's surroundings: the time, the settings, the ledger, and what the whole mind shares.
#[derive(Debug)]
pub(crate) struct Desk<'a> {
    pub settings: &'a Settings,
    pub identity: &'a Identity,
    pub ledger: Ledger<'a>,
    pub counters: &'a mut Counters,
    pub dice: &'a mut Dice,
}

impl Desk<'_> {
    pub fn now(&self) -> Now {
        self.ledger.now
    }

    pub fn moment(&self) -> Moment {
        self.ledger.now.moment
    }
}
