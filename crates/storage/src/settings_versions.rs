//! Settings as they were saved, every version.

use runtime::ports::{SavedSettings, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};
use settings::Document;
use vocabulary::WallTime;

use crate::fault::Fault;
use crate::number::{counted, stored};

/// The newest; version 0 and empty before the first.
pub(crate) fn newest(connection: &Connection) -> Result<SavedSettings, Fault> {
    let mut one = connection
        .prepare_cached("SELECT version, document FROM settings_versions ORDER BY version DESC LIMIT 1")?;
    let mut rows = one.query([])?;
    Ok(rows.next()?.map(read).transpose()?.unwrap_or_default())
}

/// All from a version on, in order.
pub(crate) fn since(connection: &Connection, version: u64) -> Result<Vec<SavedSettings>, Fault> {
    let mut some = connection.prepare_cached(
        "SELECT version, document FROM settings_versions WHERE version >= ?1 ORDER BY version",
    )?;
    let mut rows = some.query([stored(version)])?;
    let mut versions = Vec::new();
    while let Some(row) = rows.next()? {
        versions.push(read(row)?);
    }
    Ok(versions)
}

/// Saves a document on top of the version it was made from.
pub(crate) fn save(
    connection: &Connection,
    based_on: u64,
    document: &Document,
    now: WallTime,
) -> Result<u64, Fault> {
    let newest = connection
        .prepare_cached("SELECT max(version) FROM settings_versions")?
        .query_row([], |row| row.get::<_, Option<i64>>(0))
        .optional()?
        .flatten()
        .map_or(0, counted);
    if newest != based_on {
        return Err(StoreError::StaleSettings {
            yours: based_on,
            newest,
        }
        .into());
    }
    let json = serde_json::to_string(document).map_err(Fault::json("the settings"))?;
    connection
        .prepare_cached("INSERT INTO settings_versions (version, saved_at, document) VALUES (?1, ?2, ?3)")?
        .execute(params![stored(newest + 1), now.0, json])?;
    Ok(newest + 1)
}

fn read(row: &Row<'_>) -> Result<SavedSettings, Fault> {
    let version = counted(row.get(0)?);
    let json: String = row.get(1)?;
    Ok(SavedSettings {
        version,
        document: serde_json::from_str(&json)
            .map_err(Fault::json(format!("version {version} of the settings")))?,
    })
}
