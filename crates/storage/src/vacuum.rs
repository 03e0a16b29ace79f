//! Giving freed space back to the disk.
//!
//! Freed pages are used again by what comes next, so in steady state nothing needs to shrink, and a shrinking
//! file would only grow again. Only when a large part of the file is free (retention was shortened, say) is it
//! cut, some pages at a time: a plain `VACUUM` would hold the writer up for as long as the file is large. When
//! something is forgotten, that is the price.

use rusqlite::Connection;

use crate::fault::Fault;

/// Free space below this is never worth the work: 16 MiB.
const FREE_PAGES_MIN: i64 = 4_096;
/// A database up to this size is written anew by way of memory, a larger one by way of a file.
const IN_MEMORY_BYTES_MAX: i64 = 256 << 20;
/// Pages that one write gives back at most: a mebibyte, and four in an older file.
const PIECE_PAGES: i64 = 1_024;

/// Gives back one piece of whatever is free, for what was there to be gone; whether there is more to do.
pub(crate) fn give_back_everything(connection: &Connection) -> Result<bool, Fault> {
    let free = pages(connection, "freelist_count")?;
    if free == 0 {
        return Ok(false);
    }
    give_back(connection)?;
    Ok((1..free).contains(&pages(connection, "freelist_count")?))
}

/// Notes that the file is to be written anew, in the write that makes it necessary.
pub(crate) fn want_rewrite(connection: &Connection) -> Result<(), Fault> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO rewrite_wanted (only_one) VALUES (1)")?
        .execute([])?;
    Ok(())
}

pub(crate) fn is_rewrite_wanted(connection: &Connection) -> Result<bool, Fault> {
    Ok(connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM rewrite_wanted)")?
        .query_row([], |row| row.get(0))?)
}

/// Writes the file anew; only outside a transaction. Rows that moved between pages, and were deleted where they went,
/// may have left their bytes in the unused parts of pages: nothing less than this is sure to remove those.
pub(crate) fn rewrite(connection: &Connection) -> Result<(), Fault> {
    let bytes = pages(connection, "page_count")?.saturating_mul(pages(connection, "page_size")?);
    let is_large = bytes > IN_MEMORY_BYTES_MAX;
    if is_large {
        connection.pragma_update(None, "temp_store", "FILE")?;
    }
    let rewritten = connection.execute_batch("VACUUM");
    if is_large {
        connection.pragma_update(None, "temp_store", "MEMORY")?;
    }
    rewritten?;
    Ok(())
}

/// The file is written anew, and its log is empty: nothing of it is wanted any more.
pub(crate) fn is_rewritten(connection: &Connection) -> Result<(), Fault> {
    connection.execute_batch("DELETE FROM rewrite_wanted")?;
    Ok(())
}

/// Copies the log into the file and makes it empty; only outside a transaction.
pub(crate) fn empty_the_log(connection: &Connection) -> Result<(), Fault> {
    let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if busy != 0 {
        return Err(Fault::Told(
            "it is deleted, but a long read of the database keeps the old pages in its log. \
             Do it again when the copy or the export that reads is done"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Gives back one piece if much of the file is free; whether there is more to do.
pub(crate) fn give_back_a_piece(connection: &Connection) -> Result<bool, Fault> {
    let free = pages(connection, "freelist_count")?;
    if free < FREE_PAGES_MIN || free * 4 < pages(connection, "page_count")? {
        return Ok(false);
    }
    give_back(connection)?;
    Ok(pages(connection, "freelist_count")? < free)
}

/// Each page that is given back is a row of this pragma, which goes no further than somebody reads.
fn give_back(connection: &Connection) -> Result<(), Fault> {
    let mut given = connection.prepare(&format!("PRAGMA incremental_vacuum({PIECE_PAGES})"))?;
    let mut rows = given.query([])?;
    while rows.next()?.is_some() {}
    Ok(())
}

fn pages(connection: &Connection, pragma: &str) -> Result<i64, Fault> {
    Ok(connection.pragma_query_value(None, pragma, |row| row.get(0))?)
}
