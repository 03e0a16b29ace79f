//! The one thread that writes. Jobs that wait at the same time share one commit, and so one wait for the disk.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use runtime::ports::StoreError;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::fault::{self, Fault};

/// Jobs that may wait before callers have to.
const WAITING_MAX: usize = 256;
/// Jobs that share one commit at most.
const GROUP_MAX: usize = 64;

/// The door to the writing thread; dropping it ends the thread once everything that waits is written.
#[derive(Debug)]
pub(crate) struct Writer {
    jobs: Option<mpsc::Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub fn start(connection: Connection, path: PathBuf) -> Result<Self, StoreError> {
        let (jobs, waiting) = mpsc::channel(WAITING_MAX);
        let thread = std::thread::Builder::new()
            .name("storage-writer".to_owned())
            .spawn(move || write_all(&connection, &path, waiting))
            .map_err(|error| StoreError::Failed {
                doing: "starting the writing thread",
                detail: format!("{error}. Too many threads or too little memory?"),
            })?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }

    /// Does a piece of work whole or not at all; when this returns, it is on the disk.
    pub async fn write<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.enqueue(doing, Transaction::InTransaction, work).await
    }

    /// Does what no transaction may be around of: giving pages back, emptying the log.
    pub async fn tidy<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.enqueue(doing, Transaction::Outside, work).await
    }

    async fn enqueue<T: Send + 'static>(
        &self,
        doing: &'static str,
        transaction: Transaction,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let stopped = || StoreError::Failed {
            doing,
            detail: "the writing thread has stopped. Start Denizen again; what was stored is safe".to_owned(),
        };
        let (answer, result) = oneshot::channel();
        let job = Box::new(Task {
            doing,
            transaction,
            work: Some(work),
            outcome: None,
            answer,
        });
        let jobs = self.jobs.as_ref().ok_or_else(stopped)?;
        jobs.send(job).await.map_err(|_| stopped())?;
        result.await.map_err(|_| stopped())?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the writing thread of the store broke off");
        }
    }
}

fn write_all(connection: &Connection, path: &Path, mut waiting: mpsc::Receiver<Box<dyn Job>>) {
    let mut group: Vec<Box<dyn Job>> = Vec::with_capacity(GROUP_MAX);
    while waiting.blocking_recv_many(&mut group, GROUP_MAX) > 0 {
        while !group.is_empty() {
            let done = write_group(connection, path, &mut group);
            for job in group.drain(..done) {
                job.answer();
            }
        }
    }
}

/// Does jobs from the front in one transaction; returns how many have their outcome.
fn write_group(connection: &Connection, path: &Path, group: &mut [Box<dyn Job>]) -> usize {
    let together = group
        .iter()
        .take_while(|job| job.transaction() == Transaction::InTransaction)
        .count();
    if together == 0 {
        group[0].run(connection, path);
        return 1;
    }
    let group = &mut group[..together];
    if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
        fail(group, |doing| fault::tell_sql(&error, doing, path));
        return group.len();
    }
    for index in 0..group.len() {
        group[index].run(connection, path);
        if connection.is_autocommit() {
            // A full or failing disk makes SQLite take the whole transaction back, the jobs before included.
            fail(&mut group[..index], taken_back);
            return index + 1;
        }
    }
    if let Err(error) = connection.execute_batch("COMMIT") {
        if !connection.is_autocommit()
            && let Err(error) = connection.execute_batch("ROLLBACK")
        {
            tracing::error!(%error, "a failed commit could not be taken back");
        }
        fail(group, |doing| fault::tell_sql(&error, doing, path));
    }
    group.len()
}

fn fail(group: &mut [Box<dyn Job>], tell: impl Fn(&'static str) -> StoreError) {
    for job in group {
        job.fail(&tell);
    }
}

fn taken_back(doing: &'static str) -> StoreError {
    StoreError::Failed {
        doing,
        detail: "it was taken back together with another write that failed. Check the disk and try again"
            .to_owned(),
    }
}

/// Where a piece of work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transaction {
    InTransaction,
    Outside,
}

/// A piece of work with somebody who waits for it.
trait Job: Send {
    fn transaction(&self) -> Transaction;
    /// Does the work; if it fails, nothing of it stays.
    fn run(&mut self, connection: &Connection, path: &Path);
    /// Makes a success a failure after all.
    fn fail(&mut self, tell: &dyn Fn(&'static str) -> StoreError);
    fn answer(self: Box<Self>);
}

struct Task<T, W> {
    doing: &'static str,
    transaction: Transaction,
    work: Option<W>,
    outcome: Option<Result<T, StoreError>>,
    answer: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, W> Job for Task<T, W>
where
    T: Send,
    W: FnOnce(&Connection) -> Result<T, Fault> + Send,
{
    fn transaction(&self) -> Transaction {
        self.transaction
    }

    fn run(&mut self, connection: &Connection, path: &Path) {
        let Some(work) = self.work.take() else { return };
        let done = match self.transaction {
            Transaction::InTransaction => alone(connection, work),
            Transaction::Outside => work(connection),
        };
        self.outcome = Some(done.map_err(|fault| fault.tell(self.doing, path)));
    }

    fn fail(&mut self, tell: &dyn Fn(&'static str) -> StoreError) {
        if !matches!(self.outcome, Some(Err(_))) {
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
fn alone<T>(connection: &Connection, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, Fault> {
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

#[cfg(test)]
#[path = "writer_tests.rs"]
mod writer_tests;
