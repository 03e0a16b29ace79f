//! Opening connections: what every one of them is set to.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::fault::Fault;
use crate::migrate;

/// How long a writer waits for another process, such as a command that saves settings.
const BUSY_WAIT: Duration = Duration::from_secs(5);
const CACHED_STATEMENTS: usize = 128;
/// A page of a new file.
const PAGE_BYTES: i64 = 1_024;

/// Opens the one connection of this process that writes, and brings the schema up to date.
pub(crate) fn open_to_write(path: &Path) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    prepare(&connection)?;
    migrate::refuse_foreign(&connection)?;
    // Before the first table, or it has no effect: a commit writes whole pages, and what a reply changes is scattered over
    // many. A file from before keeps the size that it has.
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    // The same holds for this: pages that retention frees can be given back to the disk.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        return Err(Fault::Told(format!(
            "the file system of {} has no shared memory (journal mode stays {mode}). Use a --data folder on a local disk",
            path.display()
        )));
    }
    // FULL waits for the disk at every commit; NORMAL would lose the last ones in a power cut.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What was deleted is overwritten where that costs no extra write.
    connection.pragma_update_and_check(None, "secure_delete", "FAST", |_| Ok(()))?;
    connection.pragma_update_and_check(None, "journal_size_limit", 64 << 20, |_| Ok(()))?;
    migrate::bring_up_to_date(&mut connection, migrate::MIGRATIONS)?;
    Ok(connection)
}

/// Opens a connection that can only read.
pub(crate) fn open_to_read(path: &Path) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    prepare(&connection)?;
    Ok(connection)
}

fn prepare(connection: &Connection) -> Result<(), Fault> {
    connection.busy_timeout(BUSY_WAIT)?;
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    // A plan is made once for a statement, and not again for each value that is bound: nearly all of ours name a key or a
    // limit by a parameter, and each use of such a one would be compiled anew.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // A file that came from elsewhere cannot make us run functions from its schema.
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(())
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod connection_tests;
