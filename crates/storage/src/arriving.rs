//! Inputs on their way into the store, with all that they lead to.

use std::path::Path;

use runtime::ports::{Batch, Committed, MessageChange, RecordedInput, StoreError};
use rusqlite::Connection;
use tokio::sync::oneshot;
use vocabulary::{CommunityId, MessageId};

use crate::commit;
use crate::community::{self, Numbers, Used};
use crate::due::{self, Counters, Due};
use crate::fault::Fault;
use crate::job::{Job, Place, alone};
use crate::late::{Counted, Late};
use crate::pending::Waits;

/// A batch with inputs, as it is handed in.
pub(crate) struct Arriving {
    pub doing: &'static str,
    pub community: CommunityId,
    pub batch: Batch,
    /// Until what it leads to is in the tables.
    pub waits: Waits,
    pub counted: Counted,
}

impl Arriving {
    /// Whether somebody has to be told which places new messages have.
    pub fn adds_messages(&self) -> bool {
        let mut changes = self.batch.changes.iter();
        changes.any(|change| matches!(change, MessageChange::Added { .. }))
    }

    /// Gives its new messages their places, and makes it wait.
    pub fn take_in(
        mut self,
        connection: &Connection,
        counters: &mut Counters,
        is_pending: impl FnMut(&MessageId) -> bool,
    ) -> Result<(Taken, Vec<Option<u64>>), Fault> {
        let places = match self.adds_messages() {
            true => {
                let key = community::find(connection, &self.community)?;
                counters.places(connection, key, &self.batch.changes, is_pending)?
            }
            false => vec![None; self.batch.changes.len()],
        };
        let taken = Taken {
            doing: self.doing,
            used: Used::by_batch(&self.batch),
            due: Due::of(&mut self.batch, &places),
            community: self.community,
            inputs: self.batch.inputs,
            row: None,
            stands: Stands::Waiting,
            _waits: self.waits,
            _counted: self.counted,
        };
        Ok((taken, places))
    }
}

/// How far a batch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stands {
    /// In memory alone.
    Waiting,
    /// In the transaction that is open.
    BeingRecorded,
    /// Its inputs are in the file, with what is due because of them.
    Recorded,
}

/// A batch that was taken in: recorded at once where somebody waits for it, and settled a moment later.
pub(crate) struct Taken {
    doing: &'static str,
    community: CommunityId,
    /// None once they are in the file.
    inputs: Vec<RecordedInput>,
    due: Due,
    used: Used,
    /// The row that says what is due.
    row: Option<i64>,
    pub stands: Stands,
    _waits: Waits,
    _counted: Counted,
}

impl Taken {
    pub fn doing(&self) -> &'static str {
        self.doing
    }

    pub fn is_of(&self, community: &CommunityId) -> bool {
        self.community == *community
    }

    /// How much there is to write.
    pub fn weight(&self) -> usize {
        (self.inputs.len() + self.due.changes.len()).max(1)
    }

    /// Its inputs are in the file, and nobody needs them here.
    pub fn is_recorded(&mut self) {
        self.stands = Stands::Recorded;
        self.inputs = Vec::new();
    }

    /// Whether it brings a message that is new.
    pub fn adds(&self, id: &MessageId) -> bool {
        let mut changes = self.due.changes.iter();
        changes.any(|(_, change)| matches!(change, MessageChange::Added { message, .. } if message.id == *id))
    }

    /// Writes the inputs, and what is due because of them.
    pub fn record(&mut self, connection: &Connection, counters: &mut Counters) -> Result<(), Fault> {
        let key = community::find_or_add(connection, &self.community)?;
        commit::add_inputs(connection, key, &self.inputs)?;
        self.row = match self.due.is_empty() {
            true => None,
            false => Some(counters.keep(connection, key, &self.due)?),
        };
        Ok(())
    }

    /// Does what is due, with the inputs themselves where they are not recorded.
    pub fn settle(&self, connection: &Connection, numbers: &mut Numbers) -> Result<(), Fault> {
        let key = community::find_or_add(connection, &self.community)?;
        if self.stands == Stands::Waiting {
            commit::add_inputs(connection, key, &self.inputs)?;
        } else if let Some(row) = self.row
            && !due::is_taken(connection, row)?
        {
            return Ok(());
        }
        self.due.settle(connection, &self.community, key)?;
        numbers.note(key, self.used);
        Ok(())
    }

    /// Where it cannot be settled whole: does as much of it as can be done. Its inputs are in the file in any case, since
    /// those that come after them must follow them.
    pub fn settle_what_can_be(
        &self,
        connection: &Connection,
        numbers: &mut Numbers,
        lost: &dyn Fn(Fault),
    ) -> Result<(), Fault> {
        let key = community::find_or_add(connection, &self.community)?;
        if self.stands == Stands::Waiting {
            alone(connection, |connection| {
                commit::add_inputs(connection, key, &self.inputs)
            })?;
        } else if let Some(row) = self.row
            && !due::is_there(connection, row)?
        {
            return Ok(());
        }
        let is_over = self.due.settle_each(connection, &self.community, key, lost)?;
        if let Some(row) = self.row
            && is_over
        {
            due::is_taken(connection, row)?;
        }
        numbers.note(key, self.used);
        Ok(())
    }
}

/// Somebody waits until a batch is recorded.
pub(crate) struct Awaited {
    pub arriving: Option<Arriving>,
    pub doing: &'static str,
    pub outcome: Option<Result<Committed, StoreError>>,
    pub answer: oneshot::Sender<Result<Committed, StoreError>>,
}

impl Awaited {
    pub fn new(arriving: Arriving, answer: oneshot::Sender<Result<Committed, StoreError>>) -> Self {
        Self {
            doing: arriving.doing,
            arriving: Some(arriving),
            outcome: None,
            answer,
        }
    }
}

impl Job for Awaited {
    fn place(&self) -> Place {
        Place::Ahead
    }

    fn waits_for_inputs_of(&self) -> Option<&CommunityId> {
        self.arriving.as_ref().map(|arriving| &arriving.community)
    }

    fn run(&mut self, connection: &Connection, path: &Path, late: &mut Late, by_itself: bool) {
        let Some(arriving) = self.arriving.take() else {
            return;
        };
        let recorded = late.record(connection, arriving, by_itself);
        let committed = recorded.map(|places| Committed { places });
        self.outcome = Some(committed.map_err(|fault| fault.tell(self.doing, path)));
    }

    fn has_failed(&self) -> bool {
        matches!(self.outcome, Some(Err(_)))
    }

    fn fail(&mut self, tell: &dyn Fn(&'static str) -> StoreError) {
        if !self.has_failed() {
            self.outcome = Some(Err(tell(self.doing)));
        }
    }

    fn answer(self: Box<Self>) {
        if let Some(outcome) = self.outcome {
            let _ = self.answer.send(outcome);
        }
    }
}

#[cfg(test)]
#[path = "arriving_tests.rs"]
mod arriving_tests;
