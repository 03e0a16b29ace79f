//! Work that nobody waits for: gathered for a moment, done in its order, and tried again as long as the disk takes nothing.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use runtime::ports::StoreError;
use rusqlite::Connection;

use crate::arriving::{Arriving, Stands, Taken};
use crate::community::Numbers;
use crate::due::Counters;
use crate::fault::Fault;
use crate::job::alone;
use crate::stuck::Stuck;

/// What is late is written after so long, if nobody wants to read it before.
pub(crate) const LATE_FOR: Duration = Duration::from_millis(200);
/// Where there is more, it is written at once. Inputs and changes count: a batch may hold one, or a hundred.
const LATE_MAX: usize = 512;
/// So much is written at once, and what is left of a batch; whoever waits gets their turn in between.
const SLICE: usize = 96;
/// The wait after the disk took nothing.
pub(crate) const AGAIN_AFTER: Duration = Duration::from_secs(1);
/// Where so much waits, all else waits for it; and where it cannot be written either, nothing more is taken in.
const FAR_BEHIND: usize = 2 * LATE_MAX;
pub(crate) const WRITING: &str = "writing what is late";

type Work = Box<dyn Fn(&Connection, &mut Numbers) -> Result<(), Fault> + Send>;

/// One of what is late, for as long as it is not written: whoever wants to read it sees that there is some.
#[derive(Debug)]
pub(crate) struct Counted(Arc<AtomicUsize>);

impl Counted {
    pub fn in_count(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(count.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A piece of work that can be done again.
pub(crate) struct LateWork {
    doing: &'static str,
    work: Work,
    _counted: Counted,
}

impl LateWork {
    pub fn new(
        doing: &'static str,
        counted: Counted,
        work: impl Fn(&Connection, &mut Numbers) -> Result<(), Fault> + Send + 'static,
    ) -> Self {
        Self {
            doing,
            work: Box::new(work),
            _counted: counted,
        }
    }
}

enum Piece {
    Work(LateWork),
    Taken(Box<Taken>),
}

impl Piece {
    fn doing(&self) -> &'static str {
        match self {
            Self::Work(work) => work.doing,
            Self::Taken(taken) => taken.doing(),
        }
    }

    /// How much there is to write.
    fn weight(&self) -> usize {
        match self {
            Self::Work(_) => 1,
            Self::Taken(taken) => taken.weight(),
        }
    }

    fn write(&self, connection: &Connection, numbers: &mut Numbers) -> Result<(), Fault> {
        match self {
            Self::Work(work) => (work.work)(connection, numbers),
            Self::Taken(taken) => taken.settle(connection, numbers),
        }
    }
}

/// What is late.
pub(crate) struct Late {
    waiting: VecDeque<Piece>,
    /// Of all that waits.
    weight: usize,
    /// The first so many were done in the transaction that is open.
    done: usize,
    /// So many at the end came with that transaction.
    came_with_it: usize,
    due: Option<Instant>,
    counters: Counters,
    numbers: Numbers,
    /// Something could not be done: each is done by itself, so that the others are.
    is_careful: bool,
    /// Whether some of it was tried in the transaction that is open.
    is_tried: bool,
    stuck: Stuck,
}

impl Late {
    pub fn new(connection: &Connection) -> Self {
        Self {
            waiting: VecDeque::new(),
            weight: 0,
            done: 0,
            came_with_it: 0,
            due: None,
            counters: Counters::new(connection),
            numbers: Numbers::default(),
            is_careful: false,
            is_tried: false,
            stuck: Stuck::default(),
        }
    }

    pub fn add(&mut self, work: LateWork) {
        self.wait(Piece::Work(work));
    }

    fn wait(&mut self, piece: Piece) {
        self.weight += piece.weight();
        self.waiting.push_back(piece);
        self.due.get_or_insert_with(|| Instant::now() + LATE_FOR);
    }

    /// Takes in a batch that is not waited for; the places of its new messages. One without any is never refused: whoever
    /// handed it in was told that it is taken in.
    pub fn take_in(
        &mut self,
        connection: &Connection,
        arriving: Arriving,
    ) -> Result<Vec<Option<u64>>, Fault> {
        if arriving.adds_messages() {
            self.stuck.refuse(self.is_far_behind())?;
        }
        let (taken, places) = self.taken_in(connection, arriving)?;
        self.wait(Piece::Taken(Box::new(taken)));
        Ok(places)
    }

    fn taken_in(
        &mut self,
        connection: &Connection,
        arriving: Arriving,
    ) -> Result<(Taken, Vec<Option<u64>>), Fault> {
        let community = arriving.community.clone();
        let waiting = &self.waiting;
        let is_pending = |id: &_| {
            let mut taken = waiting.iter().filter_map(|piece| match piece {
                Piece::Taken(taken) => Some(taken),
                Piece::Work(_) => None,
            });
            taken.any(|taken| taken.is_of(&community) && taken.adds(id))
        };
        arriving.take_in(connection, &mut self.counters, is_pending)
    }

    /// Writes the inputs of a batch in the open transaction, after those that wait; the rest of it waits.
    pub fn record(
        &mut self,
        connection: &Connection,
        arriving: Arriving,
        by_itself: bool,
    ) -> Result<Vec<Option<u64>>, Fault> {
        self.stuck.refuse(self.is_far_behind())?;
        let community = arriving.community.clone();
        let (mut taken, places) = self.taken_in(connection, arriving)?;
        let Self {
            waiting,
            counters,
            done,
            ..
        } = self;
        // Those that are done in this transaction are in it with their inputs.
        for piece in waiting.iter_mut().skip(*done) {
            if let Piece::Taken(before) = piece
                && before.stands == Stands::Waiting
                && before.is_of(&community)
            {
                record(connection, before, counters, by_itself)?;
            }
        }
        record(connection, &mut taken, counters, by_itself)?;
        self.wait(Piece::Taken(Box::new(taken)));
        self.came_with_it += 1;
        Ok(places)
    }

    /// When it has to be written.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether some of it has to be written now, however much else there is to do: its time has come, or there is much.
    pub fn is_wanted(&self) -> bool {
        let is_time = || self.due.is_some_and(|due| due <= Instant::now());
        (self.weight >= LATE_MAX && !self.stuck.is_failing()) || is_time()
    }

    /// Whether so much waits that all else waits for it: it must not come in faster than it is written.
    pub fn is_far_behind(&self) -> bool {
        self.weight >= FAR_BEHIND
    }

    /// Whether one commit would be too little for it.
    pub fn is_more_than_a_slice(&self) -> bool {
        self.weight > SLICE
    }

    /// Whether it is to be done in another transaction than those before it: it would be a large one, or they would fail
    /// with it.
    pub fn wants_its_own(&self) -> bool {
        self.is_more_than_a_slice() || self.stuck.is_failing()
    }

    /// Whether there are inputs in memory alone.
    pub fn has_inputs(&self) -> bool {
        let mut waiting = self.waiting.iter();
        waiting.any(|piece| matches!(piece, Piece::Taken(taken) if taken.stands == Stands::Waiting))
    }

    /// By when those have to be written, if there are any.
    pub fn inputs_due(&self) -> Option<Instant> {
        self.due.filter(|_| self.has_inputs())
    }

    /// Does what was not done yet in the open transaction: no more than a slice, where all that may be left to other
    /// commits was.
    pub fn run(&mut self, connection: &Connection, path: &Path) {
        self.run_some(connection, path, usize::MAX);
    }

    /// Does the first of it.
    pub fn run_slice(&mut self, connection: &Connection, path: &Path) {
        self.run_some(connection, path, SLICE);
    }

    fn run_some(&mut self, connection: &Connection, path: &Path, most: usize) {
        self.is_tried |= !self.waiting.is_empty();
        let was_careful = self.is_careful;
        let Err(fault) = self.try_some(connection, path, most) else {
            return;
        };
        // All of it is done again, later: nothing is lost because there is no room for it now.
        if !connection.is_autocommit() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        // A try that was not careful is followed by one that is, and may leave out what cannot be done.
        if was_careful || !self.is_careful {
            self.failed(&fault.tell(WRITING, path));
        }
    }

    fn try_some(&mut self, connection: &Connection, path: &Path, most: usize) -> Result<(), Fault> {
        let mut weight = 0;
        while weight < most
            && let Some(next) = self.waiting.get(self.done)
        {
            let numbers = &mut self.numbers;
            let done = match self.is_careful {
                true => alone(connection, |connection| next.write(connection, numbers)),
                false => next.write(connection, numbers),
            };
            if let Err(fault) = done {
                if fault.is_of_the_disk() || connection.is_autocommit() {
                    return Err(fault);
                }
                if !self.is_careful {
                    self.is_careful = true;
                    return Err(fault);
                }
                let doing = next.doing();
                let lost = |fault: Fault| {
                    let error = fault.tell(doing, path);
                    tracing::error!(%error, "something could not be kept");
                };
                match next {
                    Piece::Work(_) => lost(fault),
                    Piece::Taken(taken) => taken.settle_what_can_be(connection, numbers, &lost)?,
                }
            }
            weight += next.weight();
            self.done += 1;
        }
        self.numbers.keep(connection)
    }

    /// It could not be written, and is tried again.
    pub fn failed(&mut self, error: &StoreError) {
        self.stuck.note(error);
        self.is_tried = true;
    }

    /// The transaction is committed.
    pub fn committed(&mut self) {
        let is_slice = self.done + self.came_with_it < self.waiting.len();
        self.came_with_it = 0;
        self.is_careful = false;
        self.waiting.drain(..self.done);
        for piece in &mut self.waiting {
            if let Piece::Taken(taken) = piece
                && taken.stands == Stands::BeingRecorded
            {
                taken.is_recorded();
            }
        }
        if self.done > 0 {
            self.stuck = Stuck::default();
            // What is left of a slice does not wait any longer.
            let wait = if is_slice { Duration::ZERO } else { LATE_FOR };
            self.due = self.waiting.front().map(|_| Instant::now() + wait);
        }
        self.end_transaction();
    }

    /// The transaction is taken back: all of it is done again, but for what came with it.
    pub fn taken_back(&mut self) {
        self.numbers = Numbers::default();
        self.waiting.truncate(self.waiting.len() - self.came_with_it);
        self.came_with_it = 0;
        for piece in &mut self.waiting {
            if let Piece::Taken(taken) = piece
                && taken.stands == Stands::BeingRecorded
            {
                taken.stands = Stands::Waiting;
            }
        }
        if self.is_tried || self.waiting.is_empty() {
            self.due = self.waiting.front().map(|_| Instant::now() + AGAIN_AFTER);
        }
        self.end_transaction();
    }

    fn end_transaction(&mut self) {
        self.done = 0;
        self.is_tried = false;
        self.weight = self.waiting.iter().map(Piece::weight).sum();
    }

    /// Has each piece done by itself until the next commit, so that one that cannot be done takes nothing else back.
    pub fn be_careful(&mut self) {
        self.is_careful = true;
    }

    pub fn is_careful(&self) -> bool {
        self.is_careful
    }
}

fn record(
    connection: &Connection,
    taken: &mut Taken,
    counters: &mut Counters,
    by_itself: bool,
) -> Result<(), Fault> {
    match by_itself {
        true => taken.record(connection, counters)?,
        false => alone(connection, |connection| taken.record(connection, counters))?,
    }
    taken.stands = Stands::BeingRecorded;
    Ok(())
}
