//! Retention: what is older than the settings allow goes, in small pieces, so that writers never wait long.
//!
//! Memory is not swept by age: it goes when somebody wants it forgotten. Only ids of turns that left its buffer do.

use rusqlite::{Connection, params};
use settings::StorageSettings;
use vocabulary::WallTime;

use crate::fault::Fault;
use crate::number::stored;

/// Rows that one write deletes at most.
const PIECE: i64 = 500;
/// The same for rows that may be megabytes each.
const PIECE_OF_LARGE: i64 = 20;
const DAY_MS: i64 = 86_400_000;
/// Attachments whose message never came stay this long.
const ORPHANS_DAYS: i64 = 1;

/// A turn that left the memory buffer is known by its id for so long: nothing is delivered again later than that.
const SETTLED_DAYS: i64 = 30;

/// One kind of thing to delete, by age or size.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Broom {
    Messages { before: i64 },
    Journal { before: i64 },
    Inputs { before: i64 },
    Segments,
    AsksByAge { before: i64 },
    AsksBySize { bytes_max: i64 },
    Orphans { before: i64 },
    Settings { before: i64 },
    Settled { before: i64 },
}

/// Everything to be swept, in order.
pub(crate) fn brooms(keep: &StorageSettings, now: WallTime) -> Vec<Broom> {
    let before = |days: u64| now.0.saturating_sub(stored(days).saturating_mul(DAY_MS));
    let mut brooms = Vec::new();
    if keep.keep_messages_days > 0 {
        brooms.push(Broom::Messages {
            before: before(keep.keep_messages_days),
        });
    }
    brooms.extend([
        Broom::Journal {
            before: before(keep.keep_journal_days),
        },
        Broom::Inputs {
            before: before(keep.keep_recordings_days),
        },
        Broom::Segments,
        Broom::AsksByAge {
            before: before(keep.keep_asks_days),
        },
        Broom::AsksBySize {
            bytes_max: stored(keep.max_asks_megabytes).saturating_mul(1 << 20),
        },
        Broom::Orphans {
            before: now.0.saturating_sub(ORPHANS_DAYS * DAY_MS),
        },
        Broom::Settings {
            before: before(keep.keep_recordings_days),
        },
        Broom::Settled {
            before: now.0.saturating_sub(SETTLED_DAYS * DAY_MS),
        },
    ]);
    brooms
}

impl Broom {
    /// Deletes one piece; returns how many rows went, 0 when there is nothing left.
    pub fn sweep_a_piece(self, connection: &Connection) -> Result<u64, Fault> {
        let went = match self {
            Broom::Messages { before } => messages(connection, before)?,
            Broom::Journal { before } => journal(connection, before)?,
            Broom::Inputs { before } => inputs(connection, before)?,
            Broom::Segments => segments(connection)?,
            Broom::AsksByAge { before } => asks_by_age(connection, before)?,
            Broom::AsksBySize { bytes_max } => asks_by_size(connection, bytes_max)?,
            Broom::Orphans { before } => orphans(connection, before)?,
            Broom::Settings { before } => settings_versions(connection, before)?,
            Broom::Settled { before } => settled(connection, before)?,
        };
        Ok(went as u64)
    }
}

fn messages(connection: &Connection, before: i64) -> Result<usize, Fault> {
    // Attachments first, while it is known whose they are; what another message has, too, stays.
    connection
        .prepare_cached(
            "WITH old AS (SELECT seq FROM messages WHERE at < ?1 ORDER BY at, seq LIMIT ?2)
             DELETE FROM attachments WHERE id IN (
                 SELECT attachment FROM message_attachments WHERE message IN old
                 EXCEPT SELECT attachment FROM message_attachments WHERE message NOT IN old
                     AND attachment IN (SELECT attachment FROM message_attachments WHERE message IN old))",
        )?
        .execute(params![before, PIECE])?;
    Ok(connection
        .prepare_cached(
            "DELETE FROM messages WHERE seq IN
                 (SELECT seq FROM messages WHERE at < ?1 ORDER BY at, seq LIMIT ?2)",
        )?
        .execute(params![before, PIECE])?)
}

/// Only from the oldest on up to the first that is young enough: a clock that jumped cannot tear a hole.
fn journal(connection: &Connection, before: i64) -> Result<usize, Fault> {
    let mut went = 0;
    for (community, first_kept) in oldest_piece(connection, "journal", before)? {
        for table in ["journal_about", "journal"] {
            let deleted = connection
                .prepare_cached(&format!("DELETE FROM {table} WHERE community = ?1 AND seq < ?2"))?
                .execute(params![community, first_kept])?;
            went += if table == "journal" { deleted } else { 0 };
        }
    }
    Ok(went)
}

/// As with the journal; and never one that the newest state has not seen, for a restart needs it.
fn inputs(connection: &Connection, before: i64) -> Result<usize, Fault> {
    let mut went = 0;
    for (community, first_kept) in oldest_piece(connection, "inputs", before)? {
        went += connection
            .prepare_cached(
                "DELETE FROM inputs WHERE community = ?1 AND seq < ?2
                 AND seq <= (SELECT max(input) FROM states WHERE community = ?1)",
            )?
            .execute(params![community, first_kept])?;
    }
    Ok(went)
}

/// For each community, the number up to which (without it) one piece of old rows reaches.
fn oldest_piece(connection: &Connection, table: &str, before: i64) -> Result<Vec<(i64, i64)>, Fault> {
    let communities = connection
        .prepare_cached("SELECT key FROM communities")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<Vec<i64>, _>>()?;
    let mut some = connection.prepare_cached(&format!(
        "SELECT seq, wall FROM {table} WHERE community = ?1 ORDER BY seq LIMIT ?2"
    ))?;
    let mut pieces = Vec::new();
    for community in communities {
        let mut rows = some.query(params![community, PIECE])?;
        let mut first_kept = None;
        while let Some(row) = rows.next()? {
            if row.get::<_, i64>(1)? >= before {
                break;
            }
            first_kept = Some(row.get::<_, i64>(0)? + 1);
        }
        pieces.extend(first_kept.map(|first_kept| (community, first_kept)));
    }
    Ok(pieces)
}

/// A stretch without its first input cannot be stepped again. The newest stays: the next inputs belong to it.
fn segments(connection: &Connection) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached(
            "DELETE FROM segments WHERE first_input <
                 (SELECT max(newest.first_input) FROM segments newest WHERE newest.community = segments.community)
             AND first_input < ifnull(
                 (SELECT min(seq) FROM inputs WHERE inputs.community = segments.community),
                 (SELECT last_input + 1 FROM communities WHERE key = segments.community))",
        )?
        .execute([])?)
}

fn asks_by_age(connection: &Connection, before: i64) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached(
            "DELETE FROM asks WHERE key IN
                 (SELECT key FROM asks WHERE started_at < ?1 ORDER BY started_at LIMIT ?2)",
        )?
        .execute(params![before, PIECE_OF_LARGE])?)
}

fn asks_by_size(connection: &Connection, bytes_max: i64) -> Result<usize, Fault> {
    let total: i64 = connection
        .prepare_cached("SELECT ifnull(sum(size), 0) FROM asks")?
        .query_row([], |row| row.get(0))?;
    let mut oldest =
        connection.prepare_cached("SELECT key, size FROM asks ORDER BY started_at, size, key LIMIT ?1")?;
    let mut rows = oldest.query([PIECE_OF_LARGE])?;
    let mut excess = total.saturating_sub(bytes_max);
    let mut going: Vec<i64> = Vec::new();
    while excess > 0
        && let Some(row) = rows.next()?
    {
        going.push(row.get(0)?);
        excess = excess.saturating_sub(row.get(1)?);
    }
    for key in &going {
        connection
            .prepare_cached("DELETE FROM asks WHERE key = ?1")?
            .execute([key])?;
    }
    Ok(going.len())
}

fn orphans(connection: &Connection, before: i64) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached(
            "DELETE FROM attachments WHERE id IN (
                 SELECT id FROM attachments WHERE put_at < ?1 AND NOT EXISTS
                     (SELECT 1 FROM message_attachments WHERE attachment = id)
                 LIMIT ?2)",
        )?
        .execute(params![before, PIECE_OF_LARGE])?)
}

/// Versions that no recording or state starts from, nor any that came after those, nor the newest.
fn settings_versions(connection: &Connection, before: i64) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached(
            "DELETE FROM settings_versions WHERE saved_at < ?1
             AND version < (SELECT max(version) FROM settings_versions)
             AND version < (SELECT ifnull(min(settings_version), 0) FROM (
                 SELECT settings_version FROM segments UNION ALL SELECT settings_version FROM states))",
        )?
        .execute([before])?)
}

fn settled(connection: &Connection, before: i64) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached(
            "DELETE FROM settled_turns WHERE id IN
                 (SELECT id FROM settled_turns WHERE settled_at < ?1 ORDER BY settled_at LIMIT ?2)",
        )?
        .execute(params![before, PIECE])?)
}
