//! The journal: every line kept as it was written, and found by number, room, name, turn or message.

use mind::JournalEntry;
use runtime::ports::JournalQuery;
use rusqlite::{Connection, Rows, params};
use vocabulary::{MessageId, RoomId};

use crate::community::Key;
use crate::fault::Fault;
use crate::number::{bounded, stored};

/// Lines in one answer at most.
const LINES_MAX: usize = 5_000;
/// Lines that explain one message at most.
const WHY_MAX: i64 = 500;

pub(crate) fn add(connection: &Connection, community: Key, entry: &JournalEntry) -> Result<(), Fault> {
    let seq = stored(entry.seq.0);
    let line = serde_json::to_string(entry).map_err(Fault::json(format!("journal line {seq}")))?;
    connection
        .prepare_cached(
            "INSERT INTO journal (community, seq, moment, wall, room, turn, name, cause, line)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            community.0,
            seq,
            stored(entry.moment.0),
            entry.wall.0,
            entry.scope.room.as_ref().map(RoomId::as_str),
            entry.scope.turn.map(|turn| stored(turn.0)),
            entry.event.name(),
            entry.scope.cause.map(|cause| stored(cause.0)),
            line,
        ])?;
    for message in &entry.scope.messages {
        connection
            .prepare_cached(
                "INSERT OR IGNORE INTO journal_about (community, message, seq) VALUES (?1, ?2, ?3)",
            )?
            .execute(params![community.0, message.as_str(), seq])?;
    }
    Ok(())
}

pub(crate) fn find(
    connection: &Connection,
    community: Key,
    query: &JournalQuery,
) -> Result<Vec<JournalEntry>, Fault> {
    // Only conditions that are asked for are in the statement, so that each finds its index.
    let room = query.room.as_ref().map_or("?3 IS NULL", |_| "room = ?3");
    let name = query.name.as_ref().map_or("?4 IS NULL", |_| "name = ?4");
    let order = if query.newest { "DESC" } else { "ASC" };
    let mut found = connection.prepare_cached(&format!(
        "SELECT line FROM journal WHERE community = ?1 AND seq > ?2 AND {room} AND {name}
         ORDER BY seq {order} LIMIT ?5"
    ))?;
    let mut lines = readable(found.query(params![
        community.0,
        stored(query.after.0),
        query.room.as_ref().map(RoomId::as_str),
        query.name,
        bounded(query.limit, LINES_MAX),
    ])?)?;
    if query.newest {
        lines.reverse();
    }
    Ok(lines)
}

pub(crate) fn why(
    connection: &Connection,
    community: Key,
    message: &MessageId,
) -> Result<Vec<JournalEntry>, Fault> {
    let mut found = connection.prepare_cached(
        "WITH about AS (SELECT seq FROM journal_about WHERE community = ?1 AND message = ?2),
              turns AS (
                  SELECT j.turn FROM about CROSS JOIN journal j ON j.community = ?1 AND j.seq = about.seq
                  WHERE j.turn IS NOT NULL
                  UNION
                  SELECT m.turn FROM messages m JOIN rooms r ON r.key = m.room
                  WHERE m.id = ?2 AND r.community = ?1 AND m.turn IS NOT NULL)
         SELECT line FROM journal WHERE community = ?1 AND seq IN (
             SELECT seq FROM about
             UNION
             SELECT j.seq FROM turns CROSS JOIN journal j ON j.community = ?1 AND j.turn = turns.turn)
         ORDER BY seq LIMIT ?3",
    )?;
    readable(found.query(params![community.0, message.as_str(), WHY_MAX])?)
}

/// Lines as entries. One that a later version does not know any more is left out, rather than hiding the others.
fn readable(mut rows: Rows<'_>) -> Result<Vec<JournalEntry>, Fault> {
    let mut entries = Vec::new();
    let mut unknown = 0_usize;
    while let Some(row) = rows.next()? {
        match serde_json::from_str(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?) {
            Ok(entry) => entries.push(entry),
            Err(_) => unknown += 1,
        }
    }
    if unknown > 0 {
        tracing::warn!(unknown, "journal lines of another version were left out");
    }
    Ok(entries)
}
