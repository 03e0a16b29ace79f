//! The one thread that writes. Jobs that wait at the same time share one commit, and so one wait for the disk.
//!
//! An input that is waited for is written at once, with a row that says what is due because of it; what it leads to is done
//! late. An input that comes again where it is lost is late altogether, or written with the next that is waited for.
//! What follows from something that is on the disk already, or is only there to be looked at, may be *late*: nobody waits
//! for it, it is gathered for a moment, and its commit does not wait for the disk. SQLite's log is read in order after a
//! power cut, so whatever was committed before something that was waited for is there, too.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use runtime::ports::{Batch, Committed, StoreError};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use vocabulary::CommunityId;

use crate::arriving::{Arriving, Awaited};
use crate::community::Numbers;
use crate::disk::Disk;
use crate::fault::{self, Fault};
use crate::job::{Place, Task};
use crate::late::{Counted, LateWork};
use crate::pen::{Order, Pen};
use crate::pending::Pending;

/// Jobs that may wait before callers have to.
const WAITING_MAX: usize = 256;

/// The door to the writing thread; dropping it ends the thread once everything that waits is written.
#[derive(Debug)]
pub(crate) struct Writer {
    jobs: Option<mpsc::Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    disk: Disk,
    /// What is late and not committed yet.
    late: Arc<AtomicUsize>,
    /// What of that changes messages, and memory's buffer.
    pending: Pending,
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
        let counted = disk.clone();
        let thread = std::thread::Builder::new()
            .name("storage-writer".to_owned())
            .spawn(move || {
                let mut pen = Pen::new(&connection, &path, &counted);
                pen.write_all(&clock, waiting);
            })
            .map_err(failed)?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
            disk,
            late,
            pending: Pending::default(),
        })
    }

    /// What is not in the tables yet.
    pub fn pending(&self) -> &Pending {
        &self.pending
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

    /// Takes in a batch with inputs, before what is late. Where it is waited for, its inputs are on the disk when this
    /// returns, and what they lead to is sure to be done; otherwise all of it is late.
    pub async fn take_in(
        &self,
        doing: &'static str,
        community: &CommunityId,
        batch: Batch,
        is_waited_for: bool,
    ) -> Result<Committed, StoreError> {
        let changes = batch.changes.len();
        let arriving = Arriving {
            doing,
            community: community.clone(),
            waits: self.pending.note(community, &batch),
            counted: Counted::in_count(&self.late),
            batch,
        };
        let jobs = self.jobs.as_ref().ok_or_else(|| stopped(doing))?;
        if !is_waited_for && !arriving.adds_messages() {
            let sent = jobs.send(Order::Arriving(arriving, None)).await;
            return sent.map(|()| none_new(changes)).map_err(|_| stopped(doing));
        }
        let (answer, result) = oneshot::channel();
        let order = match is_waited_for {
            true => Order::Now(Box::new(Awaited::new(arriving, answer))),
            false => Order::Arriving(arriving, Some(answer)),
        };
        jobs.send(order).await.map_err(|_| stopped(doing))?;
        result.await.map_err(|_| stopped(doing))?
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
        work: impl Fn(&Connection, &mut Numbers) -> Result<(), Fault> + Send + 'static,
    ) -> Result<(), StoreError> {
        let jobs = self.jobs.as_ref().ok_or_else(|| stopped(doing))?;
        let work = LateWork::new(doing, Counted::in_count(&self.late), work);
        jobs.send(Order::Late(work)).await.map_err(|_| stopped(doing))
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

fn none_new(changes: usize) -> Committed {
    Committed {
        places: vec![None; changes],
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

#[cfg(test)]
#[path = "writer_tests.rs"]
mod writer_tests;
