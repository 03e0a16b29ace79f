//! Gems and turns as rows.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use runtime::ports::{Embedded, StoreStats, WhoseTurns};
use rusqlite::{Connection, OptionalExtension, Row, params};
use vocabulary::{CapturedTurn, Gem, Record, RecordId, SessionId, TurnKey};

use super::captured::condition;
use super::vector;
use crate::fault::Fault;
use crate::number::{bounded, counted, stored};

/// Records in one answer at most.
const AT_ONCE_MAX: usize = 10_000;

/// Puts a record in, in the place of one of the same id.
pub(crate) fn put(connection: &Connection, embedded: &Embedded) -> Result<(), Fault> {
    let vector = (!embedded.vector.is_empty()).then(|| vector::written(&embedded.vector));
    match &embedded.record {
        Record::Gem(gem) => put_gem(connection, gem, vector),
        Record::Turn(turn) => put_turn(connection, turn, vector),
    }
}

/// Those that are there, in the order asked for.
pub(crate) fn get(connection: &Connection, ids: &[RecordId]) -> Result<Vec<Record>, Fault> {
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let sql = match id {
            RecordId::Gem(_) => "SELECT gem FROM memory_gems WHERE id = ?1",
            RecordId::Turn(_) => "SELECT turn FROM memory_turns WHERE id = ?1",
        };
        let mut one = connection.prepare_cached(sql)?;
        let record = match id {
            RecordId::Gem(id) => one
                .query_row([id.as_str()], |row| Ok(read_gem(row, 0)))
                .optional()?,
            RecordId::Turn(id) => one
                .query_row([id.as_str()], |row| Ok(read_turn(row, 0)))
                .optional()?,
        };
        found.extend(record.transpose()?);
    }
    Ok(found)
}

/// Every record with its vector, in the order they came; what cannot be read is left out and counted.
pub(crate) fn each(
    connection: &Connection,
    mut take: impl FnMut(Record, Option<Vec<f32>>),
) -> Result<usize, Fault> {
    let mut unreadable = 0;
    for (sql, read) in [
        (
            "SELECT turn, vector FROM memory_turns ORDER BY key",
            read_turn as fn(&Row<'_>, usize) -> _,
        ),
        ("SELECT gem, vector FROM memory_gems ORDER BY key", read_gem),
    ] {
        let mut all = connection.prepare(sql)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(1)?.as_blob_or_null().map_err(rusqlite::Error::from)?;
            match read(row, 0) {
                Ok(record) => take(record, bytes.map(vector::read)),
                Err(_) => unreadable += 1,
            }
        }
    }
    Ok(unreadable)
}

/// Records without a vector, the oldest first.
pub(crate) fn unembedded(connection: &Connection, limit: usize) -> Result<Vec<Record>, Fault> {
    let limit = limit.min(AT_ONCE_MAX);
    let mut found = Vec::new();
    for (sql, read) in [
        (
            "SELECT gem FROM memory_gems WHERE vector IS NULL ORDER BY key LIMIT ?1",
            read_gem as fn(&Row<'_>, usize) -> _,
        ),
        (
            "SELECT turn FROM memory_turns WHERE vector IS NULL ORDER BY key LIMIT ?1",
            read_turn,
        ),
    ] {
        let mut some = connection.prepare_cached(sql)?;
        let mut rows = some.query([bounded(limit - found.len(), AT_ONCE_MAX)])?;
        while let Some(row) = rows.next()? {
            found.push(read(row, 0)?);
        }
    }
    Ok(found)
}

/// The newest turns of a session before a number that fit into so many characters, oldest first.
pub(crate) fn history(
    connection: &Connection,
    session: &SessionId,
    before: u64,
    max_chars: usize,
) -> Result<Vec<CapturedTurn>, Fault> {
    let mut some = connection.prepare_cached(
        "SELECT turn FROM memory_turns WHERE session = ?1 AND number < ?2 ORDER BY number DESC, key DESC",
    )?;
    let mut rows = some.query(params![session.as_str(), stored(before)])?;
    let mut turns = Vec::new();
    let mut left = max_chars;
    while let Some(row) = rows.next()? {
        let turn: CapturedTurn = parsed(row, 0, "a turn")?;
        let Some(after) = left.checked_sub(turn.text.chars().count()) else {
            break;
        };
        left = after;
        turns.push(turn);
    }
    turns.reverse();
    Ok(turns)
}

pub(crate) fn last_number(connection: &Connection, session: &SessionId) -> Result<u64, Fault> {
    Ok(connection
        .prepare_cached("SELECT ifnull(max(number), 0) FROM memory_turns WHERE session = ?1")?
        .query_row([session.as_str()], |row| row.get(0).map(counted))?)
}

/// Gems that cite any of these turns, the oldest first.
pub(crate) fn gems_of(connection: &Connection, turns: &[TurnKey]) -> Result<Vec<Gem>, Fault> {
    let mut some = connection.prepare_cached(
        "SELECT g.key, g.gem FROM memory_gem_turns t JOIN memory_gems g ON g.key = t.gem WHERE t.turn = ?1",
    )?;
    let mut found: BTreeMap<i64, Gem> = BTreeMap::new();
    for turn in turns {
        let mut rows = some.query([turn.as_str()])?;
        while let Some(row) = rows.next()? {
            if let Entry::Vacant(place) = found.entry(row.get(0)?) {
                place.insert(parsed(row, 1, "a gem")?);
            }
        }
    }
    Ok(found.into_values().collect())
}

pub(crate) fn read_gem(row: &Row<'_>, column: usize) -> Result<Record, Fault> {
    Ok(Record::Gem(Box::new(parsed(row, column, "a gem")?)))
}

pub(crate) fn read_turn(row: &Row<'_>, column: usize) -> Result<Record, Fault> {
    Ok(Record::Turn(parsed(row, column, "a turn")?))
}

/// A document of a row.
pub(crate) fn parsed<T: serde::de::DeserializeOwned>(
    row: &Row<'_>,
    column: usize,
    what: &str,
) -> Result<T, Fault> {
    let json = row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?;
    serde_json::from_str(json).map_err(Fault::json(format!("{what} of memory")))
}

fn put_gem(connection: &Connection, gem: &Gem, vector: Option<Vec<u8>>) -> Result<(), Fault> {
    let document = serde_json::to_string(gem).map_err(Fault::json(format!("gem {}", gem.gem_id)))?;
    let key: i64 = connection
        .prepare_cached(
            "INSERT INTO memory_gems (id, community, room, session, person, created_at, is_current, gem, vector)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (id) DO UPDATE SET community = ?2, room = ?3, session = ?4, person = ?5, created_at = ?6,
                 is_current = ?7, gem = ?8, vector = ?9
             RETURNING key",
        )?
        .query_row(
            params![
                gem.gem_id.as_str(),
                gem.place.community.as_str(),
                gem.place.room.as_str(),
                gem.source.session_id.as_str(),
                gem.person.as_ref().map(|person| person.as_str()),
                gem.created_at.0,
                gem.is_current(),
                document,
                vector,
            ],
            |row| row.get(0),
        )?;
    connection
        .prepare_cached("DELETE FROM memory_gem_turns WHERE gem = ?1")?
        .execute([key])?;
    let mut cite =
        connection.prepare_cached("INSERT OR IGNORE INTO memory_gem_turns (gem, turn) VALUES (?1, ?2)")?;
    for turn in &gem.source.turns {
        cite.execute(params![key, turn.as_str()])?;
    }
    Ok(())
}

fn put_turn(connection: &Connection, turn: &CapturedTurn, vector: Option<Vec<u8>>) -> Result<(), Fault> {
    let document = serde_json::to_string(turn).map_err(Fault::json(format!("turn {}", turn.id)))?;
    connection
        .prepare_cached(
            "INSERT INTO memory_turns (id, community, room, session, number, speaker, at, turn, vector)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (id) DO UPDATE SET community = ?2, room = ?3, session = ?4, number = ?5, speaker = ?6,
                 at = ?7, turn = ?8, vector = ?9",
        )?
        .execute(params![
            turn.id.as_str(),
            turn.place.community.as_str(),
            turn.place.room.as_str(),
            turn.session.as_str(),
            stored(turn.number),
            turn.speaker.id.as_str(),
            turn.at.0,
            document,
            vector,
        ])?;
    Ok(())
}

/// How many of each kind there are of these communities.
pub(crate) fn count(connection: &Connection, whose: &WhoseTurns) -> Result<StoreStats, Fault> {
    let (condition, ids) = condition(whose);
    let of = |records: &str| -> Result<usize, Fault> {
        let rows = connection
            .prepare_cached(&format!("SELECT count(*) FROM {records} {condition}"))?
            .query_row([&ids], |row| row.get(0))?;
        Ok(usize::try_from(counted(rows)).unwrap_or(usize::MAX))
    };
    Ok(StoreStats {
        gems: of("memory_gems WHERE")?,
        superseded: of("memory_gems WHERE NOT is_current AND")?,
        turns: of("memory_turns WHERE")?,
        ..StoreStats::default()
    })
}
