//! Work that nobody waits for: gathered for a moment, done in its order, and tried again as long as the disk takes nothing.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use tokio::time::Instant;

use crate::fault::Fault;
use crate::job::alone;

/// What is late is written after so long, if nobody wants to read it before.
pub(crate) const LATE_FOR: Duration = Duration::from_millis(200);
/// Where there is more, it is written at once.
const LATE_MAX: usize = 512;
/// The wait after the disk took nothing.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

type Work = Box<dyn Fn(&Connection) -> Result<(), Fault> + Send>;

/// A piece of work that can be done again.
pub(crate) struct LateWork {
    doing: &'static str,
    work: Work,
}

impl LateWork {
    pub fn new(
        doing: &'static str,
        work: impl Fn(&Connection) -> Result<(), Fault> + Send + 'static,
    ) -> Self {
        Self {
            doing,
            work: Box::new(work),
        }
    }
}

/// What is late.
#[derive(Default)]
pub(crate) struct Late {
    waiting: Vec<LateWork>,
    /// The first so many were done in the transaction that is open.
    done: usize,
    due: Option<Instant>,
    /// How many there are, with those that are still on their way here.
    count: Arc<AtomicUsize>,
}

impl Late {
    pub fn counted_by(count: Arc<AtomicUsize>) -> Self {
        Self {
            count,
            ..Self::default()
        }
    }

    pub fn add(&mut self, work: LateWork) {
        self.waiting.push(work);
        self.due.get_or_insert_with(|| Instant::now() + LATE_FOR);
    }

    /// When it has to be written.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub fn is_much(&self) -> bool {
        self.waiting.len() >= LATE_MAX
    }

    /// Does what was not done yet in the open transaction. What can never be written is let go, and the rest is not.
    pub fn run(&mut self, connection: &Connection, path: &Path) {
        while let Some(next) = self.waiting.get(self.done) {
            let done = alone(connection, &next.work);
            if done.as_ref().is_err_and(Fault::is_of_the_disk) && !connection.is_autocommit() {
                // All of it is done again, later: nothing is lost because there is no room for it now.
                let _ = connection.execute_batch("ROLLBACK");
            }
            if connection.is_autocommit() {
                return;
            }
            if let Err(fault) = done {
                let error = fault.tell(next.doing, path);
                tracing::error!(%error, "something could not be kept");
            }
            self.done += 1;
        }
    }

    /// The transaction is committed.
    pub fn committed(&mut self) {
        if self.done == 0 {
            return;
        }
        self.waiting.drain(..self.done);
        self.count.fetch_sub(self.done, Ordering::AcqRel);
        self.done = 0;
        self.due = self.waiting.first().map(|_| Instant::now() + LATE_FOR);
    }

    /// The transaction is taken back: all of it is done again.
    pub fn taken_back(&mut self) {
        self.done = 0;
        self.due = self.waiting.first().map(|_| Instant::now() + AGAIN_AFTER);
    }
}
