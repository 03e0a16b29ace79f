//! Settings as they were saved, every version: of the base, and of what single communities lay over it.
//!
//! All layers count versions together, so a number says what was in force in each of them.

use runtime::ports::{LayeredSettings, SavedSettings, StoreError};
use rusqlite::{Connection, params};
use settings::{Document, Layers};
use vocabulary::WallTime;

use crate::community::Key;
use crate::fault::Fault;
use crate::number::counted;

/// The newest of a layer (none: the base); version 0 and empty before the first.
pub(crate) fn newest(connection: &Connection, layer: Option<Key>) -> Result<SavedSettings, Fault> {
    let mut one = connection.prepare_cached(
        "SELECT version, document FROM settings_versions WHERE community IS ?1 ORDER BY version DESC LIMIT 1",
    )?;
    let mut rows = one.query([layer.map(|key| key.0)])?;
    Ok(match rows.next()? {
        Some(row) => {
            let version = counted(row.get(0)?);
            SavedSettings {
                version,
                document: document(version, row.get(1)?)?,
            }
        }
        None => SavedSettings::default(),
    })
}

/// The newest of both layers of a community; one that nothing was stored for has the base alone.
pub(crate) fn layered(connection: &Connection, community: Option<Key>) -> Result<LayeredSettings, Fault> {
    let base = newest(connection, None)?;
    let own = match community {
        Some(key) => newest(connection, Some(key))?,
        None => SavedSettings::default(),
    };
    Ok(LayeredSettings {
        base_version: base.version,
        own_version: own.version,
        layers: Layers {
            base: base.document,
            own: own.document,
        },
    })
}

/// The greatest version of all layers.
pub(crate) fn greatest(connection: &Connection) -> Result<u64, Fault> {
    Ok(connection
        .prepare_cached("SELECT ifnull(max(version), 0) FROM settings_versions")?
        .query_row([], |row| row.get(0).map(counted))?)
}

/// What was in force in a community, both layers in one document: every version from one on, in order.
pub(crate) fn since(
    connection: &Connection,
    community: Option<Key>,
    version: u64,
) -> Result<Vec<SavedSettings>, Fault> {
    let mut some = connection.prepare_cached(
        "SELECT version, document, community IS NULL FROM settings_versions
         WHERE community IS NULL OR community = ?1 ORDER BY version",
    )?;
    let mut rows = some.query([community.map(|key| key.0)])?;
    let mut layers = Layers::default();
    let mut versions = Vec::new();
    while let Some(row) = rows.next()? {
        let saved = counted(row.get(0)?);
        let document = document(saved, row.get(1)?)?;
        match row.get(2)? {
            true => layers.base = document,
            false => layers.own = document,
        }
        if saved >= version {
            versions.push(SavedSettings {
                version: saved,
                document: layers.effective(),
            });
        }
    }
    Ok(versions)
}

/// Saves a document of a layer on top of the version it was made from.
pub(crate) fn save(
    connection: &Connection,
    layer: Option<Key>,
    based_on: u64,
    document: &Document,
    now: WallTime,
) -> Result<u64, Fault> {
    let newest = newest(connection, layer)?.version;
    if newest != based_on {
        return Err(StoreError::StaleSettings {
            yours: based_on,
            newest,
        }
        .into());
    }
    let json = serde_json::to_string(document).map_err(Fault::json("the settings"))?;
    Ok(connection
        .prepare_cached(
            "INSERT INTO settings_versions (community, saved_at, document) VALUES (?1, ?2, ?3) RETURNING version",
        )?
        .query_row(params![layer.map(|key| key.0), now.0, json], |row| {
            row.get(0).map(counted)
        })?)
}

/// Takes everything out that a community laid over the base.
pub(crate) fn remove(connection: &Connection, community: Key) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached("DELETE FROM settings_versions WHERE community = ?1")?
        .execute([community.0])?)
}

/// Versions that are past their time and that no recording or state needs: each layer keeps the newest, and the one
/// that was in force at the oldest of those.
pub(crate) fn sweep(connection: &Connection, before: i64) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached(
            "DELETE FROM settings_versions WHERE saved_at < ?1 AND EXISTS (
                 SELECT 1 FROM settings_versions newer
                 WHERE newer.community IS settings_versions.community AND newer.version > settings_versions.version
                 AND newer.version <= (SELECT ifnull(min(settings_version), 0) FROM (
                     SELECT settings_version FROM segments UNION ALL SELECT settings_version FROM states)))",
        )?
        .execute([before])?)
}

fn document(version: u64, json: String) -> Result<Document, Fault> {
    serde_json::from_str(&json).map_err(Fault::json(format!("version {version} of the settings")))
}
