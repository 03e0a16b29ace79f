//! Bringing the schema up to date, one numbered step at a time, by `user_version`.

use runtime::ports::StoreError;
use rusqlite::{Connection, TransactionBehavior};

use crate::fault::Fault;

/// Every step in order; the schema's number is how many were taken. Released steps never change.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("schema/001_first.sql"),
    include_str!("schema/002_memory.sql"),
    include_str!("schema/003_reactions.sql"),
    include_str!("schema/004_town.sql"),
    include_str!("schema/005_known_time.sql"),
    include_str!("schema/006_people.sql"),
    include_str!("schema/007_signs.sql"),
    include_str!("schema/008_packed.sql"),
    include_str!("schema/009_due.sql"),
    include_str!("schema/010_lasting.sql"),
    include_str!("schema/011_lines.sql"),
];

/// Takes the steps that are missing, each whole or not at all. Refuses a schema from a newer Denizen.
pub(crate) fn bring_up_to_date(connection: &mut Connection, steps: &[&str]) -> Result<(), Fault> {
    let known = version_of(steps);
    // Looked at first without the write lock: opening must not wait for a busy writer of another process.
    while found(connection)? != known {
        refuse_newer(connection, known)?;
        let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have taken steps while we waited for the lock.
        let version = found(&step)?;
        if let Some(sql) = usize::try_from(version).ok().and_then(|taken| steps.get(taken)) {
            step.execute_batch(sql)?;
            step.pragma_update(None, "user_version", version + 1)?;
        }
        step.commit()?;
    }
    Ok(())
}

/// For a reader, which cannot take steps itself.
pub(crate) fn refuse_any_other(connection: &Connection, steps: &[&str]) -> Result<(), Fault> {
    refuse_foreign(connection)?;
    let known = version_of(steps);
    refuse_newer(connection, known)?;
    let found = found(connection)?;
    if found == known {
        return Ok(());
    }
    Err(Fault::Told(format!(
        "the database has schema {found}, this Denizen needs {known}. Start the server once to bring it up to date"
    )))
}

/// Refuses a database that some other program made.
pub(crate) fn refuse_foreign(connection: &Connection) -> Result<(), Fault> {
    if found(connection)? > 0 {
        let ours: i64 = 0x4445_4E5A;
        let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if application == ours {
            return Ok(());
        }
    } else {
        let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if tables == 0 {
            return Ok(());
        }
    }
    Err(Fault::Told(
        "the file belongs to another program. Move it away, or use another --data folder".to_owned(),
    ))
}

fn refuse_newer(connection: &Connection, known: i64) -> Result<(), Fault> {
    let found = found(connection)?;
    if found > known {
        return Err(StoreError::TooNew { found, known }.into());
    }
    Ok(())
}

fn version_of(steps: &[&str]) -> i64 {
    i64::try_from(steps.len()).unwrap_or(i64::MAX)
}

fn found(connection: &Connection) -> Result<i64, Fault> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

#[cfg(test)]
#[path = "migrate_tests.rs"]
mod migrate_tests;
