//! What the writing thread does: jobs that came at the same time in one commit, and a moment later what is late in another.

use std::path::Path;
use std::time::Instant;

use runtime::ports::{Committed, StoreError};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use vocabulary::CommunityId;

use crate::arriving::Arriving;
use crate::crowd::Crowd;
use crate::disk::Disk;
use crate::fault;
use crate::job::{Job, Place};
use crate::late::{self, AGAIN_AFTER, Late, LateWork};

/// Jobs that share one commit at most.
const GROUP_MAX: usize = 64;
const WAITING: &str = "waiting for the disk";

/// What is handed to the thread.
pub(crate) enum Order {
    Now(Box<dyn Job>),
    Late(LateWork),
    /// Nobody waits for it, but perhaps for the places of its messages.
    Arriving(Arriving, Option<oneshot::Sender<Result<Committed, StoreError>>>),
}

impl Order {
    fn waits_for_inputs_of(&self) -> Option<&CommunityId> {
        match self {
            Self::Now(job) => job.waits_for_inputs_of(),
            Self::Late(_) | Self::Arriving(..) => None,
        }
    }
}

/// What the thread writes with.
pub(crate) struct Pen<'a> {
    connection: &'a Connection,
    path: &'a Path,
    disk: &'a Disk,
    pub late: Late,
    /// Whether commits wait for the disk at the moment.
    waits: Option<bool>,
    /// By when inputs that are in the log, and that nobody waits for, have to be on the disk: a power cut takes back the last
    /// moment of them, and not the last minute.
    unsettled: Option<Instant>,
    /// What the disk said when it failed while it was waited for, for as long as nobody knows what of the log is on it.
    doubt: Option<String>,
    crowd: Crowd,
}

impl<'a> Pen<'a> {
    pub fn new(connection: &'a Connection, path: &'a Path, disk: &'a Disk) -> Self {
        Self {
            connection,
            path,
            disk,
            late: Late::new(connection),
            waits: None,
            unsettled: None,
            doubt: None,
            crowd: Crowd::default(),
        }
    }

    pub fn write_all(&mut self, clock: &tokio::runtime::Runtime, mut waiting: mpsc::Receiver<Order>) {
        let mut orders: Vec<Order> = Vec::with_capacity(GROUP_MAX);
        loop {
            let came = match self.due() {
                None => waiting.blocking_recv_many(&mut orders, GROUP_MAX),
                Some(due) => {
                    let came = async {
                        tokio::time::timeout_at(due.into(), waiting.recv_many(&mut orders, GROUP_MAX)).await
                    };
                    match clock.block_on(came) {
                        Ok(came) => came,
                        Err(_) => {
                            self.write_what_is_due(Instant::now());
                            continue;
                        }
                    }
                }
            };
            if came == 0 {
                break;
            }
            self.gather(clock, &mut waiting, &mut orders);
            let mut group: Vec<Box<dyn Job>> = Vec::with_capacity(orders.len());
            for order in orders.drain(..) {
                match order {
                    Order::Now(job) => group.push(job),
                    // Whoever waits already may come before it: it is late.
                    Order::Late(work) => self.late.add(work),
                    Order::Arriving(arriving, answer) => self.take_in(arriving, answer),
                }
            }
            while !group.is_empty() {
                let done = self.write_group(&mut group);
                for job in group.drain(..done) {
                    job.answer();
                }
            }
            if self.late.is_wanted() {
                while self.write_late() && self.late.is_far_behind() {}
            }
            self.settle(Instant::now());
            if let Err(error) = self.disk.copy_the_log(self.connection) {
                self.doubt_after(&error);
            }
        }
        self.write_whole_late();
        self.settle(Instant::now() + AGAIN_AFTER);
        if !self.late.is_empty() {
            tracing::error!(
                "what was to be written in the end could not be; the next start decides it again"
            );
        }
    }

    /// Where many communities write at once, waits a little for others, so that they share a wait for the disk.
    fn gather(
        &mut self,
        clock: &tokio::runtime::Runtime,
        waiting: &mut mpsc::Receiver<Order>,
        orders: &mut Vec<Order>,
    ) {
        let now = Instant::now();
        let mut noted = 0;
        loop {
            let awaited = orders[noted..].iter().filter_map(Order::waits_for_inputs_of);
            awaited.for_each(|community| self.crowd.note(community, now));
            let has_awaited = orders.iter().any(|order| order.waits_for_inputs_of().is_some());
            noted = orders.len();
            let Some(until) = self.crowd.gathers_until(now).filter(|_| has_awaited) else {
                return;
            };
            let more = GROUP_MAX.saturating_sub(noted);
            let came = async { tokio::time::timeout_at(until.into(), waiting.recv_many(orders, more)).await };
            if more == 0 || !matches!(clock.block_on(came), Ok(1..)) {
                return;
            }
        }
    }

    fn due(&self) -> Option<Instant> {
        self.late.due().into_iter().chain(self.unsettled).min()
    }

    fn write_what_is_due(&mut self, now: Instant) {
        if self.late.due().is_some_and(|due| due <= now) {
            self.write_late();
        }
        self.settle(now);
    }

    /// Waits for the disk where inputs that nobody waits for are to be on it by now, and takes those along that are still in
    /// memory: there is one such wait in a while, however many communities are busy.
    pub fn settle(&mut self, now: Instant) {
        if self.unsettled.is_none_or(|by| now < by) {
            return;
        }
        if self.late.has_inputs() {
            self.write_late();
        }
        if self.doubt.is_none()
            && let Err(error) = self.disk.settle(self.connection, self.path)
        {
            self.doubt = Some(fault::tell_disk(&error, WAITING, self.path).to_string());
        }
        self.unsettled = self.dispel_doubt().err().map(|error| {
            tracing::warn!(%error, "the disk could not be waited for; it is tried again");
            now + AGAIN_AFTER
        });
    }

    /// A kernel tells once that it could not write something, and may let go of it: waiting again would go well, and would mean
    /// nothing. Only once all of the log is written again, into the database, it is known to be on the disk.
    fn dispel_doubt(&mut self) -> Result<(), String> {
        if self.doubt.is_none() {
            return Ok(());
        }
        self.wait_for_disk(true);
        match self.disk.copy_whole_log(self.connection) {
            Ok(true) => {
                self.doubt = None;
                self.unsettled = None;
            }
            // Somebody reads, or another process copies: what the disk said stays true.
            Ok(false) => {}
            Err(error) => self.doubt = Some(fault::tell_sql(&error, WAITING, self.path).to_string()),
        }
        self.doubt.clone().map_or(Ok(()), Err)
    }

    fn doubt_after(&mut self, error: &rusqlite::Error) {
        if fault::is_of_a_wait(error) {
            self.doubt = Some(fault::tell_sql(error, WAITING, self.path).to_string());
            self.unsettled.get_or_insert_with(Instant::now);
        }
    }

    /// Does jobs from the front in one transaction; returns how many have their outcome.
    pub fn write_group(&mut self, group: &mut [Box<dyn Job>]) -> usize {
        let (connection, path) = (self.connection, self.path);
        let together = group
            .iter()
            .take_while(|job| job.place() != Place::Outside)
            .count();
        if together == 0 {
            self.write_whole_late();
            self.wait_for_disk(true);
            group[0].run(connection, path, &mut self.late, true);
            return 1;
        }
        if group[0].place().is_after_late() && !self.write_all_but_a_slice() {
            let after = group.iter().take_while(|job| job.place().is_after_late());
            let after = after.count().min(together);
            fail(&mut group[..after], fault::taken_back);
            return after;
        }
        let group = &mut group[..together];
        let is_late_done = group.iter().any(|job| job.place().is_after_late());
        let waits = group.iter().any(|job| job.place().waits());
        let unsettled = self.late.inputs_due().filter(|_| is_late_done);
        // What follows on something that is not on the disk is not on it either, whatever the disk says.
        if waits && let Err(error) = self.dispel_doubt() {
            fail(group, |doing| fault::failed(doing, &error));
            return group.len();
        }
        self.wait_for_disk(waits);
        if let Err(error) = execute(connection, "BEGIN IMMEDIATE") {
            fail(group, |doing| fault::tell_sql(&error, doing, path));
            return group.len();
        }
        // What one of several cannot do must not take back what the others did.
        let by_itself = together == 1 && !is_late_done;
        if !by_itself {
            self.late.be_careful();
        }
        let mut done = group.len();
        for index in 0..group.len() {
            if group[index].place().is_after_late() {
                if index > 0 && self.late.wants_its_own() {
                    done = index;
                    break;
                }
                self.late.run(connection, path);
            }
            if !connection.is_autocommit() {
                group[index].run(connection, path, &mut self.late, by_itself);
            }
            if by_itself && group[index].has_failed() {
                self.take_back();
            }
            if connection.is_autocommit() {
                // A full or failing disk makes SQLite take the whole transaction back, the jobs before included.
                self.late.taken_back();
                fail(&mut group[..=index], fault::taken_back);
                return index + 1;
            }
        }
        match self.commit() {
            Ok(is_written) => self.committed(is_written, unsettled),
            Err(error) => {
                self.take_back();
                self.late.taken_back();
                fail(&mut group[..done], |doing| fault::tell_sql(&error, doing, path));
            }
        }
        done
    }

    /// Takes in a batch that is not waited for.
    pub fn take_in(
        &mut self,
        arriving: Arriving,
        answer: Option<oneshot::Sender<Result<Committed, StoreError>>>,
    ) {
        let doing = arriving.doing;
        let taken = self.late.take_in(self.connection, arriving);
        let told = taken
            .map(|places| Committed { places })
            .map_err(|fault| fault.tell(doing, self.path));
        match (answer, told) {
            (Some(answer), told) => {
                let _ = answer.send(told);
            }
            (None, Err(error)) => tracing::error!(%error, "something could not be kept"),
            (None, Ok(_)) => {}
        }
    }

    /// Writes what is late, by itself, or the first of much; whether it could. Nobody waits for that.
    pub fn write_late(&mut self) -> bool {
        if self.late.is_empty() {
            return true;
        }
        let was_careful = self.late.is_careful();
        self.try_late() || (!was_careful && self.late.is_careful() && self.try_late())
    }

    fn write_whole_late(&mut self) {
        while !self.late.is_empty() && self.write_late() {}
    }

    /// Whoever wants to see what is late may have caused much of it: each commit is small all the same.
    fn write_all_but_a_slice(&mut self) -> bool {
        while self.late.is_more_than_a_slice() {
            if !self.write_late() {
                return false;
            }
        }
        true
    }

    fn try_late(&mut self) -> bool {
        let unsettled = self.late.inputs_due();
        self.wait_for_disk(false);
        let (connection, path) = (self.connection, self.path);
        let written = execute(connection, "BEGIN IMMEDIATE").and_then(|()| {
            self.late.run_slice(connection, path);
            // What could not be done took all of it back, and said why.
            match connection.is_autocommit() {
                true => Ok(None),
                false => self.commit().map(Some),
            }
        });
        match &written {
            Ok(Some(is_written)) => self.committed(*is_written, unsettled),
            Ok(None) => self.late.taken_back(),
            Err(error) => {
                self.take_back();
                self.late.failed(&fault::tell_sql(error, late::WRITING, path));
                self.late.taken_back();
            }
        }
        matches!(written, Ok(Some(_)))
    }

    /// Commits; whether that wrote anything. What changed nothing waits for no disk either.
    fn commit(&mut self) -> rusqlite::Result<bool> {
        let before = self.disk.work().commits;
        let committed = execute(self.connection, "COMMIT");
        if let Err(error) = &committed {
            self.doubt_after(error);
        }
        committed.map(|()| self.disk.work().commits > before)
    }

    /// The transaction is committed, with inputs that are to be on the disk by then.
    fn committed(&mut self, is_written: bool, by: Option<Instant>) {
        self.late.committed();
        let is_on_disk = is_written && self.waits == Some(true);
        if is_on_disk {
            self.crowd.is_written(Instant::now());
        }
        self.unsettled = match is_on_disk && self.doubt.is_none() {
            true => None,
            false => self.unsettled.into_iter().chain(by).min(),
        };
    }

    fn take_back(&self) {
        if !self.connection.is_autocommit()
            && let Err(error) = execute(self.connection, "ROLLBACK")
        {
            tracing::error!(%error, "what could not be written could not be taken back");
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

fn execute(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(|_| ())
}

fn fail(group: &mut [Box<dyn Job>], tell: impl Fn(&'static str) -> StoreError) {
    for job in group {
        job.fail(&tell);
    }
}
