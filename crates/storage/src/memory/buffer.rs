//! The buffer of captured turns in the embedded store.
//!
//! Only one process runs on a data folder, so what is held is held by this one, or was by the one before it, whose
//! work this one takes up.

use std::sync::Arc;

use async_trait::async_trait;
use runtime::ports::{BufferCount, MemoryFault, Outbox, TurnBuffer, WhoseTurns};
use rusqlite::Connection;
use vocabulary::{CapturedTurn, CommunityId, Forget, TurnKey};

use super::captured;
use super::fault::told;
use crate::fault::Fault;
use crate::pending::Pending;
use crate::sqlite::Sqlite;

const READING: &str = "reading the memory buffer";
const EMPTYING: &str = "emptying the memory buffer";

/// Turns that wait in the embedded store until gems were made of them.
#[derive(Clone, Debug)]
pub struct SqliteBuffer {
    sqlite: Arc<Sqlite>,
}

impl SqliteBuffer {
    /// The buffer of an open store; any number of them are the same one.
    pub fn new(sqlite: Arc<Sqlite>) -> Self {
        Self { sqlite }
    }

    /// Reads the buffer, with the turns that are captured and not in it yet.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, MemoryFault> {
        self.sqlite.catch_up_if(READING, Pending::has_captures).await;
        self.sqlite.read_at_once(READING, work).await.map_err(told)
    }

    /// The oldest turns that nobody holds, left where they are: what a shared buffer takes over.
    pub async fn peek_waiting(&self, max: usize) -> Result<Vec<CapturedTurn>, MemoryFault> {
        self.read(move |connection| captured::waiting(connection, &WhoseTurns::All, max))
            .await
    }

    /// Takes turns out that another buffer has now; they do not come in again.
    pub async fn remove(&self, turns: &[TurnKey]) -> Result<(), MemoryFault> {
        let turns = turns.to_vec();
        let written = self.sqlite.write(EMPTYING, move |connection| {
            captured::settle(connection, &turns, runtime::wall())
        });
        written.await.map_err(told)
    }
}

#[async_trait]
impl TurnBuffer for SqliteBuffer {
    fn describe(&self) -> String {
        format!("the embedded buffer in {}", self.sqlite.path().display())
    }

    async fn push(&self, turns: &[CapturedTurn]) -> Result<(), MemoryFault> {
        let turns = turns.to_vec();
        let written = self.sqlite.write("keeping turns for memory", move |connection| {
            captured::add(connection, &turns)
        });
        written.await.map_err(told)
    }

    async fn claim(&self, whose: &WhoseTurns, max: usize) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let whose = whose.clone();
        // Lost in a power cut, they wait again.
        let written = self
            .sqlite
            .write_unwaited("taking turns out of the memory buffer", move |connection| {
                captured::claim(connection, &whose, max)
            });
        written.await.map_err(told)
    }

    async fn held(&self, whose: &WhoseTurns) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let whose = whose.clone();
        self.read(move |connection| captured::held(connection, &whose))
            .await
    }

    async fn waiting(&self) -> Result<Vec<CommunityId>, MemoryFault> {
        self.read(captured::communities_waiting).await
    }

    async fn settle(&self, turns: &[TurnKey]) -> Result<(), MemoryFault> {
        // Lost, their gems are found to be there already.
        let turns = turns.to_vec();
        let settled_at = runtime::wall();
        let writer = self.sqlite.writer(EMPTYING).map_err(told)?;
        let waits = writer.pending().note_turns();
        let written = writer.write_late(EMPTYING, move |connection, _| {
            let _waits = &waits;
            captured::settle(connection, &turns, settled_at)
        });
        written.await.map_err(told)
    }

    async fn forget(&self, what: &Forget) -> Result<usize, MemoryFault> {
        const FORGETTING: &str = "forgetting turns in the memory buffer";
        let what = what.clone();
        let written = self.sqlite.write(FORGETTING, move |connection| {
            captured::forget(connection, &what, runtime::wall())
        });
        let went = written.await.map_err(told)?;
        self.sqlite.scrub(FORGETTING).await.map_err(told)?;
        Ok(went)
    }

    async fn edit(&self, turn: &TurnKey, text: &str) -> Result<(), MemoryFault> {
        let (turn, text) = (turn.clone(), text.to_owned());
        let written = self
            .sqlite
            .write("changing a turn in the memory buffer", move |connection| {
                captured::edit(connection, &turn, &text)
            });
        written.await.map_err(told)
    }

    async fn count(&self, whose: &WhoseTurns) -> Result<BufferCount, MemoryFault> {
        let whose = whose.clone();
        self.read(move |connection| captured::count(connection, &whose))
            .await
    }
}

#[async_trait]
impl Outbox for SqliteBuffer {
    async fn peek(&self, max: usize) -> Result<Vec<CapturedTurn>, MemoryFault> {
        self.peek_waiting(max).await
    }

    async fn remove(&self, turns: &[TurnKey]) -> Result<(), MemoryFault> {
        SqliteBuffer::remove(self, turns).await
    }
}
