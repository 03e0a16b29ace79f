//! Whose vectors the tables hold.

use runtime::ports::{EmbedderIdentity, MemoryFault};
use rusqlite::{Connection, OptionalExtension, params};

use crate::fault::Fault;
use crate::number::{counted, stored};

/// What was declared, and whether there are vectors of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Declared {
    pub identity: Option<EmbedderIdentity>,
    pub has_vectors: bool,
}

impl Declared {
    /// Whose vectors there are.
    pub fn in_use(self) -> Option<EmbedderIdentity> {
        self.identity.filter(|_| self.has_vectors)
    }

    /// Refuses another embedder while there are vectors of this one.
    pub fn refuse_other(&self, wanted: &EmbedderIdentity) -> Result<(), MemoryFault> {
        match self.clone().in_use() {
            Some(stored) if stored != *wanted => Err(MemoryFault::OtherEmbedder {
                stored: stored.name,
                stored_dimensions: stored.dimensions,
                wanted: wanted.name.clone(),
                wanted_dimensions: wanted.dimensions,
            }),
            _ => Ok(()),
        }
    }
}

pub(crate) fn declared(connection: &Connection) -> Result<Declared, Fault> {
    let identity = connection
        .prepare_cached("SELECT name, dimensions FROM memory_embedder")?
        .query_row([], |row| {
            Ok(EmbedderIdentity {
                name: row.get(0)?,
                dimensions: usize::try_from(counted(row.get(1)?)).unwrap_or(usize::MAX),
            })
        })
        .optional()?;
    let has_vectors = connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM memory_gems WHERE vector IS NOT NULL)
                 OR EXISTS (SELECT 1 FROM memory_turns WHERE vector IS NOT NULL)",
        )?
        .query_row([], |row| row.get(0))?;
    Ok(Declared {
        identity,
        has_vectors,
    })
}

/// Declares whose vectors come from now on; `anew`, those that are there go.
pub(crate) fn declare(connection: &Connection, embedder: &EmbedderIdentity, anew: bool) -> Result<(), Fault> {
    if anew {
        connection.execute_batch(
            "UPDATE memory_gems SET vector = NULL WHERE vector IS NOT NULL;
             UPDATE memory_turns SET vector = NULL WHERE vector IS NOT NULL;",
        )?;
    }
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO memory_embedder (only_one, name, dimensions) VALUES (1, ?1, ?2)",
        )?
        .execute(params![embedder.name, stored(embedder.dimensions as u64)])?;
    Ok(())
}
