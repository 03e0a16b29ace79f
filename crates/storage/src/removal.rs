//! Removing a community: everything that is kept of it, in small pieces, so that others never wait long.

use runtime::ports::{RemovedCommunity, StoreError};
use rusqlite::{Connection, params};
use vocabulary::CommunityId;

use crate::community::{self, Key};
use crate::fault::Fault;
use crate::number::key_of;
use crate::sqlite::Sqlite;
use crate::{journal, settings_versions, vacuum};

const REMOVING: &str = "removing a community";
/// Rows that one write deletes at most.
const PIECE: i64 = 500;
/// The same for rows that may be megabytes each.
const PIECE_OF_LARGE: i64 = 20;

/// What goes piece by piece, in an order in which nothing refers to what is gone.
const TABLES: [(&str, &str, i64); 9] = [
    ("due", "number", PIECE),
    ("messages", "seq", PIECE),
    ("rooms", "key", PIECE),
    ("attachments", "rowid", PIECE_OF_LARGE),
    ("inputs", "key", PIECE),
    ("journal", "key", PIECE),
    ("states", "rowid", PIECE_OF_LARGE),
    ("segments", "rowid", PIECE_OF_LARGE),
    ("asks", "key", PIECE_OF_LARGE),
];

/// Removes it. Safe to repeat after a failure: the community itself goes last.
pub(crate) async fn remove(sqlite: &Sqlite, id: &CommunityId) -> Result<RemovedCommunity, StoreError> {
    let mut removed = RemovedCommunity::default();
    let wanted = id.clone();
    let Some(key) = sqlite
        .read(REMOVING, move |connection| community::find(connection, &wanted))
        .await?
    else {
        return Ok(removed);
    };
    for (table, row, piece) in TABLES {
        loop {
            let went = sqlite
                .write(REMOVING, move |connection| {
                    delete(connection, table, row, key, piece)
                })
                .await?;
            match table {
                "messages" => removed.messages += went,
                "journal" => removed.journal_lines += went,
                "asks" => removed.asks += went,
                _ => {}
            }
            if went == 0 {
                break;
            }
        }
    }
    sqlite
        .write(REMOVING, move |connection| finish(connection, key))
        .await?;
    // It is gone from the tables, and the wish to be rid of its bytes is on disk: the next sweep sees to the rest.
    if let Err(error) = sqlite.rewrite(REMOVING).await {
        tracing::warn!(%error, "a community is removed, and its bytes leave the file with the next sweep");
    }
    Ok(removed)
}

fn delete(connection: &Connection, table: &str, row: &str, of: Key, piece: i64) -> Result<u64, Fault> {
    // Where the key tells the community, it is no column that could be looked up.
    let is_of = match table {
        "inputs" | "journal" => "key BETWEEN ?3 AND ?4",
        _ => "community = ?1",
    };
    let went = connection
        .prepare_cached(&format!(
            "DELETE FROM {table} WHERE {row} IN (SELECT {row} FROM {table} WHERE {is_of} AND ?1 + ?3 + ?4 NOTNULL LIMIT ?2)"
        ))?
        .execute(params![of.0, piece, key_of(of, 0), key_of(of, u64::MAX)])?;
    Ok(went as u64)
}

fn finish(connection: &Connection, of: Key) -> Result<(), Fault> {
    vacuum::want_rewrite(connection)?;
    settings_versions::remove(connection, of)?;
    journal::forget_stretches(connection, of)?;
    connection
        .prepare_cached("DELETE FROM communities WHERE key = ?1")?
        .execute([of.0])?;
    Ok(())
}
