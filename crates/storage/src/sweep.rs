//! Retention: what is older than the settings allow goes, in small pieces, so that writers never wait long.
//!
//! Memory is not swept by age: it goes when somebody wants it forgotten. Only ids of turns that left its buffer do.

use rusqlite::{Connection, params};
use settings::StorageSettings;
use vocabulary::WallTime;

use crate::community::Key;
use crate::fault::Fault;
use crate::number::{key_of, stored};
use crate::{journal, settings_versions};

/// Rows that one write deletes at most.
const PIECE: i64 = 500;
/// The same for rows that may be megabytes each.
const PIECE_OF_LARGE: i64 = 20;
const DAY_MS: i64 = 86_400_000;
/// Attachments whose message never came stay this long.
const ORPHANS_DAYS: i64 = 1;

/// A turn that left the memory buffer is known by its id for so long: nothing is delivered again later than that.
const SETTLED_DAYS: i64 = 30;

/// One kind of thing to delete, by age or size: of a community, or of what all of them share.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Broom {
    Messages { of: Key, before: i64, now: i64 },
    Journal { of: Key, before: i64 },
    Inputs { of: Key, before: i64 },
    Segments { of: Key },
    AsksByAge { of: Key, before: i64, now: i64 },
    AsksBySize { of: Key, bytes_max: i64 },
    Orphans { of: Key, before: i64 },
    Settings { before: i64 },
    Settled { before: i64 },
}

/// Everything to be swept, in order.
pub(crate) fn brooms(keep: &[(Key, StorageSettings)], now: WallTime) -> Vec<Broom> {
    let before = |days: u64| now.0.saturating_sub(stored(days).saturating_mul(DAY_MS));
    let mut brooms = Vec::new();
    for (of, keep) in keep {
        brooms.extend(brooms_of(*of, keep, now));
    }
    // Settings stay for as long as anybody's recordings do.
    let longest = keep.iter().map(|(_, keep)| keep.keep_recordings_days).max();
    brooms.extend(longest.map(|days| Broom::Settings { before: before(days) }));
    brooms.push(Broom::Settled {
        before: now.0.saturating_sub(SETTLED_DAYS * DAY_MS),
    });
    brooms
}

fn brooms_of(of: Key, keep: &StorageSettings, now: WallTime) -> Vec<Broom> {
    let before = |days: u64| now.0.saturating_sub(stored(days).saturating_mul(DAY_MS));
    let mut brooms = Vec::new();
    if keep.keep_messages_days > 0 {
        brooms.push(Broom::Messages {
            of,
            before: before(keep.keep_messages_days),
            now: now.0,
        });
    }
    brooms.extend([
        Broom::Journal {
            of,
            before: before(keep.keep_journal_days),
        },
        Broom::Inputs {
            of,
            before: before(keep.keep_recordings_days),
        },
        Broom::Segments { of },
        Broom::AsksByAge {
            of,
            before: before(keep.keep_asks_days),
            now: now.0,
        },
        Broom::AsksBySize {
            of,
            bytes_max: stored(keep.max_asks_megabytes).saturating_mul(1 << 20),
        },
        Broom::Orphans {
            of,
            before: now.0.saturating_sub(ORPHANS_DAYS * DAY_MS),
        },
    ]);
    brooms
}

impl Broom {
    /// Deletes one piece; returns how many rows went, 0 when there is nothing left.
    pub fn sweep_a_piece(self, connection: &Connection) -> Result<u64, Fault> {
        let went = match self {
            Broom::Messages { of, before, now } => messages(connection, of, before, now)?,
            Broom::Journal { of, before } => journal(connection, of, before)?,
            Broom::Inputs { of, before } => inputs(connection, of, before)?,
            Broom::Segments { of } => segments(connection, of)?,
            Broom::AsksByAge { of, before, now } => asks_by_age(connection, of, before, now)?,
            Broom::AsksBySize { of, bytes_max } => asks_by_size(connection, of, bytes_max)?,
            Broom::Orphans { of, before } => orphans(connection, of, before)?,
            Broom::Settings { before } => settings_versions::sweep(connection, before)?,
            Broom::Settled { before } => settled(connection, before)?,
        };
        Ok(went as u64)
    }
}

fn messages(connection: &Connection, of: Key, before: i64, now: i64) -> Result<usize, Fault> {
    let first_young = first_young(connection, ("messages", "seq", "at"), of, before, now)?;
    // Attachments first, while it is known whose they are; what another message has, too, stays.
    connection
        .prepare_cached(
            "WITH old AS (SELECT seq FROM messages WHERE community = ?3 AND at < ?1 AND seq < ?4 ORDER BY at, seq LIMIT ?2)
             DELETE FROM attachments WHERE community = ?3 AND id IN (
                 SELECT attachment FROM message_attachments WHERE message IN old
                 EXCEPT SELECT l.attachment FROM message_attachments l JOIN messages m ON m.seq = l.message
                     WHERE m.community = ?3 AND l.message NOT IN old
                     AND l.attachment IN (SELECT attachment FROM message_attachments WHERE message IN old))",
        )?
        .execute(params![before, PIECE, of.0, first_young])?;
    Ok(connection
        .prepare_cached(
            "DELETE FROM messages WHERE seq IN
                 (SELECT seq FROM messages WHERE community = ?3 AND at < ?1 AND seq < ?4 ORDER BY at, seq LIMIT ?2)",
        )?
        .execute(params![before, PIECE, of.0, first_young])?)
}

/// The first that is surely young. What came after it is no older, whatever the clock said then; one that seems to come
/// from tomorrow tells nothing.
fn first_young(
    connection: &Connection,
    (table, number, at): (&str, &str, &str),
    of: Key,
    before: i64,
    now: i64,
) -> Result<i64, Fault> {
    let first: Option<i64> = connection
        .prepare_cached(&format!(
            "SELECT min({number}) FROM {table} WHERE community = ?1 AND {at} >= ?2 AND {at} <= ?3"
        ))?
        .query_row(params![of.0, before, now.saturating_add(DAY_MS)], |row| {
            row.get(0)
        })?;
    Ok(first.unwrap_or(i64::MAX))
}

/// Only from the oldest on up to the first that is young enough: a clock that jumped cannot tear a hole.
fn journal(connection: &Connection, of: Key, before: i64) -> Result<usize, Fault> {
    let Some(first_kept) = oldest_piece(connection, "journal", of, before)? else {
        return Ok(0);
    };
    journal::forget_stretches_before(connection, of, first_kept)?;
    Ok(connection
        .prepare_cached("DELETE FROM journal WHERE key >= ?1 AND key < ?2")?
        .execute([key_of(of, 0), first_kept])?)
}

/// As with the journal; and never one that the newest state has not seen, for a restart needs it.
fn inputs(connection: &Connection, of: Key, before: i64) -> Result<usize, Fault> {
    let Some(first_kept) = oldest_piece(connection, "inputs", of, before)? else {
        return Ok(0);
    };
    Ok(connection
        .prepare_cached(
            "DELETE FROM inputs WHERE key >= ?2 AND key < ?3
             AND key <= ?2 + (SELECT max(input) FROM states WHERE community = ?1)",
        )?
        .execute([of.0, key_of(of, 0), first_kept])?)
}

/// The key up to which (without it) one piece of a community's old rows reaches.
fn oldest_piece(connection: &Connection, table: &str, of: Key, before: i64) -> Result<Option<i64>, Fault> {
    let mut some = connection.prepare_cached(&format!(
        "SELECT key, wall FROM {table} WHERE key BETWEEN ?1 AND ?2 ORDER BY key LIMIT ?3"
    ))?;
    let mut rows = some.query([key_of(of, 0), key_of(of, u64::MAX), PIECE])?;
    let mut first_kept = None;
    while let Some(row) = rows.next()? {
        if row.get::<_, i64>(1)? >= before {
            break;
        }
        first_kept = Some(row.get::<_, i64>(0)? + 1);
    }
    Ok(first_kept)
}

/// A stretch without its first input cannot be stepped again. The newest stays: the next inputs belong to it.
fn segments(connection: &Connection, of: Key) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached(
            "DELETE FROM segments WHERE community = ?1
             AND first_input < (SELECT max(first_input) FROM segments WHERE community = ?1)
             AND first_input < ifnull(
                 (SELECT min(key) - ?2 FROM inputs WHERE key BETWEEN ?2 AND ?3),
                 (SELECT last_input + 1 FROM communities WHERE key = ?1))",
        )?
        .execute([of.0, key_of(of, 0), key_of(of, u64::MAX)])?)
}

fn asks_by_age(connection: &Connection, of: Key, before: i64, now: i64) -> Result<usize, Fault> {
    let first_young = first_young(connection, ("asks", "key", "started_at"), of, before, now)?;
    Ok(connection
        .prepare_cached(
            "DELETE FROM asks WHERE key IN (SELECT key FROM asks
                 WHERE community = ?3 AND started_at < ?1 AND key < ?4 ORDER BY started_at LIMIT ?2)",
        )?
        .execute(params![before, PIECE_OF_LARGE, of.0, first_young])?)
}

fn asks_by_size(connection: &Connection, of: Key, bytes_max: i64) -> Result<usize, Fault> {
    let total: i64 = connection
        .prepare_cached("SELECT ifnull(sum(size), 0) FROM asks WHERE community = ?1")?
        .query_row([of.0], |row| row.get(0))?;
    let mut oldest = connection.prepare_cached(
        "SELECT key, size FROM asks WHERE community = ?1 ORDER BY started_at, size, key LIMIT ?2",
    )?;
    let mut rows = oldest.query([of.0, PIECE_OF_LARGE])?;
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

fn orphans(connection: &Connection, of: Key, before: i64) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached(
            "DELETE FROM attachments WHERE community = ?3 AND id IN (
                 SELECT id FROM attachments WHERE community = ?3 AND put_at < ?1 AND NOT EXISTS
                     (SELECT 1 FROM message_attachments l JOIN messages m ON m.seq = l.message
                      WHERE l.attachment = id AND m.community = ?3)
                 LIMIT ?2)",
        )?
        .execute(params![before, PIECE_OF_LARGE, of.0])?)
}

fn settled(connection: &Connection, before: i64) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached(
            "DELETE FROM settled_turns WHERE id IN
                 (SELECT id FROM settled_turns WHERE settled_at < ?1 ORDER BY settled_at LIMIT ?2)",
        )?
        .execute(params![before, PIECE])?)
}
