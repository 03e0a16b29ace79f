//! A piece of work for the writing thread, with somebody who waits for what came of it.

use std::path::Path;

use runtime::ports::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;
use vocabulary::CommunityId;

use crate::fault::Fault;
use crate::late::Late;

/// When a piece of work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a transaction with others, after what is late.
    InOrder,
    /// In a transaction with others, whatever is late.
    Ahead,
    /// In order; in the file when it returns, and on the disk with the next write that is waited for.
    InOrderUnwaited,
    /// After what is late, and nothing of its own: the disk is not waited for.
    CatchUp,
    /// In no transaction.
    Outside,
}

impl Place {
    /// Whether what is late is done before it.
    pub fn is_after_late(self) -> bool {
        self != Self::Ahead
    }

    /// Whether a commit with it waits for the disk.
    pub fn waits(self) -> bool {
        matches!(self, Self::InOrder | Self::Ahead | Self::Outside)
    }
}

/// A piece of work with somebody who waits for it.
pub(crate) trait Job: Send {
    fn place(&self) -> Place;
    /// Whose inputs somebody waits for, where it is that.
    fn waits_for_inputs_of(&self) -> Option<&CommunityId> {
        None
    }
    /// Does the work; if it fails, nothing of it stays. Where it is `by_itself` in its transaction, that is for whoever
    /// began it to see to.
    fn run(&mut self, connection: &Connection, path: &Path, late: &mut Late, by_itself: bool);
    fn has_failed(&self) -> bool;
    /// Makes a success a failure after all.
    fn fail(&mut self, tell: &dyn Fn(&'static str) -> StoreError);
    fn answer(self: Box<Self>);
}

pub(crate) struct Task<T, W> {
    pub doing: &'static str,
    pub place: Place,
    pub work: Option<W>,
    pub outcome: Option<Result<T, StoreError>>,
    pub answer: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, W> Job for Task<T, W>
where
    T: Send,
    W: FnOnce(&Connection) -> Result<T, Fault> + Send,
{
    fn place(&self) -> Place {
        self.place
    }

    fn run(&mut self, connection: &Connection, path: &Path, _: &mut Late, by_itself: bool) {
        let Some(work) = self.work.take() else { return };
        let done = match by_itself {
            true => work(connection),
            false => alone(connection, work),
        };
        self.outcome = Some(done.map_err(|fault| fault.tell(self.doing, path)));
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
        // Nobody waits any more when a caller was cancelled: the work is done all the same.
        if let Some(outcome) = self.outcome {
            let _ = self.answer.send(outcome);
        }
    }
}

/// Work that leaves nothing behind when it fails, although others share its transaction.
pub(crate) fn alone<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    connection.prepare_cached("SAVEPOINT job")?.execute([])?;
    let result = work(connection);
    if result.is_err() && !connection.is_autocommit() && connection.execute_batch("ROLLBACK TO job").is_err()
    {
        // Half of it must not be committed with the others: then rather all goes.
        connection.execute_batch("ROLLBACK")?;
    }
    if !connection.is_autocommit() {
        connection.prepare_cached("RELEASE job")?.execute([])?;
    }
    result
}
