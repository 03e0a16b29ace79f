//! The one thread that writes. Jobs that wait at the same time share one commit, and so one wait for the disk.
//!
//! What is done again where it is lost need not be waited for either: it is in the file before it returns, so that a killed
//! process loses nothing of it, and reaches the disk with the next write that is waited for.
//! What follows from something that is on the disk already, or is only there to be looked at, may be *late*: nobody waits
//! for it, it is gathered for a moment, and its commit does not wait for the disk. SQLite's log is read in order after a
//! power cut, so whatever was committed before something that was waited for is there, too.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use runtime::ports::StoreError;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::disk::Disk;
use crate::fault::{self, Fault};
use crate::job::{Job, Place, Task};
use crate::late::{Late, LateWork};

/// Jobs that may wait before callers have to.
const WAITING_MAX: usize = 256;
/// Jobs that share one commit at most.
const GROUP_MAX: usize = 64;

/// The door to the writing thread; dropping it ends the thread once everything that waits is written.
#[derive(Debug)]
pub(crate) struct Writer {
    jobs: Option<mpsc::Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    disk: Disk,
    /// What is late and not committed yet.
    late: Arc<AtomicUsize>,
}

impl Writer {
    pub fn start(mut connection: Connection, path: PathBuf) -> Result<Self, StoreError> {
        const STARTING: &str = "starting the writing thread";
        let failed = |error: std::io::Error| StoreError::Failed {
            doing: STARTING,
            detail: format!("{error}. Too many threads or too little memory?"),
        };
        let (jobs, waiting) = mpsc::channel(WAITING_MAX);
        let disk = Disk::default();
        let watched = disk.watch(&mut connection);
        watched.map_err(|error| fault::tell_sql(&error, STARTING, &path))?;
        let late = Arc::new(AtomicUsize::new(0));
        let clock = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(failed)?;
        let (counted, count) = (disk.clone(), late.clone());
        let thread = std::thread::Builder::new()
            .name("storage-writer".to_owned())
            .spawn(move || {
                let mut pen = Pen::new(&connection, &path, &counted, Late::counted_by(count));
                pen.write_all(&clock, waiting);
            })
            .map_err(failed)?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
            disk,
            late,
        })
    }

    /// What the disk was asked for.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Does a piece of work whole or not at all, after what is late; when this returns, it is on the disk.
    pub async fn write<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.enqueue(doing, Place::InOrder, work).await
    }

    /// The same without what is late, for work that has nothing to do with that.
    pub async fn write_ahead<T: Send + 'static>(
        &self,
        doing: &'static str,
        is_waited_for: bool,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let place = match is_waited_for {
            true => Place::Ahead,
            false => Place::AheadUnwaited,
        };
        self.enqueue(doing, place, work).await
    }

    /// Does a piece of work that is done again where it is lost: it outlives the process, and a power cut only together
    /// with a later one that is waited for.
    pub async fn write_unwaited<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.enqueue(doing, Place::InOrderUnwaited, work).await
    }

    /// Does what no transaction may be around of: giving pages back, emptying the log.
    pub async fn tidy<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.enqueue(doing, Place::Outside, work).await
    }

    /// Has a piece of work done within a moment, in the order in which it is handed in. A killed process may lose it.
    pub async fn write_late(
        &self,
        doing: &'static str,
        work: impl Fn(&Connection) -> Result<(), Fault> + Send + 'static,
    ) -> Result<(), StoreError> {
        let jobs = self.jobs.as_ref().ok_or_else(|| stopped(doing))?;
        self.late.fetch_add(1, Ordering::AcqRel);
        let sent = jobs.send(Order::Late(LateWork::new(doing, work))).await;
        sent.map_err(|_| {
            self.late.fetch_sub(1, Ordering::AcqRel);
            stopped(doing)
        })
    }

    /// Has everything written that is late, so that it can be read.
    pub async fn catch_up(&self, doing: &'static str) -> Result<(), StoreError> {
        if self.late.load(Ordering::Acquire) == 0 {
            return Ok(());
        }
        self.enqueue(doing, Place::CatchUp, |_| Ok(())).await
    }

    async fn enqueue<T: Send + 'static>(
        &self,
        doing: &'static str,
        place: Place,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, result) = oneshot::channel();
        let job = Box::new(Task {
            doing,
            place,
            work: Some(work),
            outcome: None,
            answer,
        });
        let jobs = self.jobs.as_ref().ok_or_else(|| stopped(doing))?;
        jobs.send(Order::Now(job)).await.map_err(|_| stopped(doing))?;
        result.await.map_err(|_| stopped(doing))?
    }
}

fn stopped(doing: &'static str) -> StoreError {
    StoreError::Failed {
        doing,
        detail: "the writing thread has stopped. Start Denizen again; what was stored is safe".to_owned(),
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

/// What is handed to the thread.
enum Order {
    Now(Box<dyn Job>),
    Late(LateWork),
}

/// What the thread writes with.
struct Pen<'a> {
    connection: &'a Connection,
    path: &'a Path,
    disk: &'a Disk,
    late: Late,
    /// Whether commits wait for the disk at the moment.
    waits: Option<bool>,
    /// Inputs are in the file that the disk was not waited for.
    owes_disk: bool,
}

impl<'a> Pen<'a> {
    fn new(connection: &'a Connection, path: &'a Path, disk: &'a Disk, late: Late) -> Self {
        Self {
            connection,
            path,
            disk,
            late,
            waits: None,
            owes_disk: false,
        }
    }

    fn write_all(&mut self, clock: &tokio::runtime::Runtime, mut waiting: mpsc::Receiver<Order>) {
        let mut orders: Vec<Order> = Vec::with_capacity(GROUP_MAX);
        loop {
            let came = match self.late.due() {
                None => waiting.blocking_recv_many(&mut orders, GROUP_MAX),
                Some(due) => {
                    let came = async {
                        tokio::time::timeout_at(due, waiting.recv_many(&mut orders, GROUP_MAX)).await
                    };
                    match clock.block_on(came) {
                        Ok(came) => came,
                        Err(_) => {
                            self.write_late();
                            continue;
                        }
                    }
                }
            };
            if came == 0 {
                break;
            }
            let mut group: Vec<Box<dyn Job>> = Vec::with_capacity(orders.len());
            for order in orders.drain(..) {
                match order {
                    Order::Now(job) => group.push(job),
                    // Whoever waits already may come before it: it is late.
                    Order::Late(work) => self.late.add(work),
                }
            }
            while !group.is_empty() {
                let done = self.write_group(&mut group);
                for job in group.drain(..done) {
                    job.answer();
                }
            }
            if self.late.is_much() {
                self.write_late();
            }
            self.disk.copy_the_log(self.connection);
        }
        self.write_late();
        if !self.late.is_empty() {
            tracing::error!(
                "what was to be written in the end could not be; the next start decides it again"
            );
        }
    }

    /// Does jobs from the front in one transaction; returns how many have their outcome.
    fn write_group(&mut self, group: &mut [Box<dyn Job>]) -> usize {
        let (connection, path) = (self.connection, self.path);
        let together = group
            .iter()
            .take_while(|job| job.place() != Place::Outside)
            .count();
        if together == 0 {
            self.write_late();
            self.wait_for_disk(true);
            group[0].run(connection, path);
            return 1;
        }
        let group = &mut group[..together];
        let catches_up = group.iter().any(|job| job.place() == Place::CatchUp);
        let waits = (catches_up && self.owes_disk) || group.iter().any(|job| job.place().waits());
        self.wait_for_disk(waits);
        if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
            fail(group, |doing| fault::tell_sql(&error, doing, path));
            return group.len();
        }
        for index in 0..group.len() {
            if group[index].place().is_after_late() {
                self.late.run(connection, path);
            }
            if !connection.is_autocommit() {
                group[index].run(connection, path);
            }
            if connection.is_autocommit() {
                // A full or failing disk makes SQLite take the whole transaction back, the jobs before included.
                self.late.taken_back();
                fail(&mut group[..=index], taken_back);
                return index + 1;
            }
        }
        match connection.execute_batch("COMMIT") {
            Ok(()) => {
                self.late.committed();
                let has_inputs = group.iter().any(|job| job.place() == Place::AheadUnwaited);
                self.owes_disk = !waits && (self.owes_disk || has_inputs);
            }
            Err(error) => {
                if !connection.is_autocommit()
                    && let Err(error) = connection.execute_batch("ROLLBACK")
                {
                    tracing::error!(%error, "a failed commit could not be taken back");
                }
                self.late.taken_back();
                fail(group, |doing| fault::tell_sql(&error, doing, path));
            }
        }
        group.len()
    }

    /// Writes what is late, by itself. Nobody waits for that, so it is where the disk is waited for by inputs that nobody
    /// waits for either: a power cut takes back the last moment of them, and not the last minute.
    fn write_late(&mut self) {
        if self.late.is_empty() {
            return;
        }
        self.wait_for_disk(self.owes_disk);
        let (connection, path) = (self.connection, self.path);
        let written = connection.execute_batch("BEGIN IMMEDIATE").and_then(|()| {
            self.late.run(connection, path);
            connection.execute_batch("COMMIT")
        });
        match written {
            Ok(()) => {
                self.late.committed();
                self.owes_disk = false;
            }
            Err(error) => {
                if !connection.is_autocommit()
                    && let Err(error) = connection.execute_batch("ROLLBACK")
                {
                    tracing::error!(%error, "a failed commit could not be taken back");
                }
                tracing::warn!(%error, "what is late could not be written; it is tried again");
                self.late.taken_back();
            }
        }
    }

    /// FULL waits for the disk at every commit. Without it a power cut may lose the newest ones, in their order.
    fn wait_for_disk(&mut self, waits: bool) {
        if self.waits == Some(waits) {
            return;
        }
        let level = if waits { "FULL" } else { "NORMAL" };
        match self.connection.pragma_update(None, "synchronous", level) {
            Ok(()) => self.waits = Some(waits),
            Err(error) => tracing::error!(%error, "it could not be said whether the disk is waited for"),
        }
        self.disk.waits(waits);
    }
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

#[cfg(test)]
#[path = "writer_tests.rs"]
mod writer_tests;
