//! The journal: every line kept as it was written, and found by number, room, name, turn or message.
//!
//! Lines of a name or of a room are found by the stretches of keys that hold such. An index of every line would be a page
//! more in each commit for every name there is.

use mind::JournalEntry;
use runtime::ports::JournalQuery;
use rusqlite::{Connection, Rows, params};
use vocabulary::{MessageId, RoomId};

use crate::community::Key;
use crate::fault::Fault;
use crate::number::{bounded, key_of, stored};

/// Lines in one answer at most.
const LINES_MAX: usize = 5_000;
/// Lines that explain one message at most.
const WHY_MAX: i64 = 500;
/// Bits of a key that are counted within a stretch.
const STRETCH_BITS: u32 = 8;

pub(crate) fn add(connection: &Connection, community: Key, entry: &JournalEntry) -> Result<(), Fault> {
    let seq = stored(entry.seq.0);
    let key = key_of(community, entry.seq.0);
    let line = serde_json::to_string(entry).map_err(Fault::json(format!("journal line {seq}")))?;
    let room = entry.scope.room.as_ref().map(RoomId::as_str);
    connection
        .prepare_cached(
            "INSERT INTO journal (key, wall, room, turn, name, line) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            key,
            entry.wall.0,
            room,
            entry.scope.turn.map(|turn| stored(turn.0)),
            entry.event.name(),
            line,
        ])?;
    let mut hold = connection
        .prepare_cached("INSERT OR IGNORE INTO journal_stretches (holds, stretch) VALUES (?1, ?2)")?;
    let named = named(entry.event.name());
    for holds in std::iter::once(named).chain(room.map(in_room)) {
        hold.execute(params![holds, key >> STRETCH_BITS])?;
    }
    for message in &entry.scope.messages {
        connection
            .prepare_cached(
                "INSERT OR IGNORE INTO journal_about (community, message, seq) VALUES (?1, ?2, ?3)",
            )?
            .execute(params![community.0, message.as_str(), seq])?;
    }
    Ok(())
}

fn named(name: &str) -> String {
    format!("name {name}")
}

fn in_room(room: &str) -> String {
    format!("room {room}")
}

/// Forgets which stretches hold what, for those that end before a key.
pub(crate) fn forget_stretches(connection: &Connection, of: Key, until: i64) -> Result<(), Fault> {
    connection
        .prepare_cached("DELETE FROM journal_stretches WHERE stretch >= ?1 AND stretch < ?2")?
        .execute([key_of(of, 0) >> STRETCH_BITS, until >> STRETCH_BITS])?;
    Ok(())
}

pub(crate) fn find(
    connection: &Connection,
    community: Key,
    query: &JournalQuery,
) -> Result<Vec<JournalEntry>, Fault> {
    let order = if query.newest { "DESC" } else { "ASC" };
    let from = key_of(community, query.after.0.saturating_add(1));
    let until = key_of(community, u64::MAX);
    let room = query.room.as_ref().map(RoomId::as_str);
    let name = query.name.as_deref();
    let mut some = connection.prepare_cached(&format!(
        "SELECT line FROM journal WHERE key BETWEEN ?1 AND ?2 AND ifnull(room = ?3, ?3 IS NULL)
             AND ifnull(name = ?4, ?4 IS NULL)
         ORDER BY key {order} LIMIT ?5"
    ))?;
    let most = query.limit.min(LINES_MAX);
    let mut lines = Lines::default();
    let mut wanted = name.map(named).into_iter().chain(room.map(in_room));
    match wanted.next() {
        None => lines.read(some.query(params![from, until, room, name, bounded(most, LINES_MAX)])?)?,
        Some(first) => {
            let mut stretches = connection.prepare_cached(&format!(
                "SELECT stretch FROM journal_stretches one WHERE holds = ?1 AND stretch BETWEEN ?2 AND ?3
                     AND (?4 IS NULL OR EXISTS
                         (SELECT 1 FROM journal_stretches WHERE holds = ?4 AND stretch = one.stretch))
                 ORDER BY stretch {order}"
            ))?;
            let (first_stretch, last_stretch) = (from >> STRETCH_BITS, until >> STRETCH_BITS);
            let mut stretches =
                stretches.query(params![first, first_stretch, last_stretch, wanted.next()])?;
            while lines.read < most
                && let Some(row) = stretches.next()?
            {
                let begins = row.get::<_, i64>(0)? << STRETCH_BITS;
                let ends = begins + (1 << STRETCH_BITS) - 1;
                let left = bounded(most - lines.read, LINES_MAX);
                lines.read(some.query(params![from.max(begins), ends, room, name, left])?)?;
            }
        }
    }
    let mut entries = lines.readable();
    if query.newest {
        entries.reverse();
    }
    Ok(entries)
}

pub(crate) fn why(
    connection: &Connection,
    community: Key,
    message: &MessageId,
) -> Result<Vec<JournalEntry>, Fault> {
    let mut found = connection.prepare_cached(
        "WITH about AS (SELECT ?4 + seq AS key FROM journal_about WHERE community = ?1 AND message = ?2),
              turns AS (
                  SELECT j.turn FROM about CROSS JOIN journal j ON j.key = about.key
                  WHERE j.turn IS NOT NULL
                  UNION
                  SELECT turn FROM messages WHERE community = ?1 AND id = ?2 AND turn IS NOT NULL)
         SELECT line FROM journal WHERE key IN (
             SELECT key FROM about
             UNION
             SELECT j.key FROM turns CROSS JOIN journal j ON j.turn = turns.turn AND j.key BETWEEN ?4 AND ?5)
         ORDER BY key LIMIT ?3",
    )?;
    let mut lines = Lines::default();
    let (first, last) = (key_of(community, 0), key_of(community, u64::MAX));
    lines.read(found.query(params![community.0, message.as_str(), WHY_MAX, first, last])?)?;
    Ok(lines.readable())
}

/// Lines as entries.
#[derive(Default)]
struct Lines {
    entries: Vec<JournalEntry>,
    read: usize,
}

impl Lines {
    fn read(&mut self, mut rows: Rows<'_>) -> Result<(), Fault> {
        while let Some(row) = rows.next()? {
            let line = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            self.entries
                .extend(serde_json::from_str::<JournalEntry>(line).ok());
            self.read += 1;
        }
        Ok(())
    }

    /// One that a later version does not know any more is left out, rather than hiding the others.
    fn readable(self) -> Vec<JournalEntry> {
        let unknown = self.read - self.entries.len();
        if unknown > 0 {
            tracing::warn!(unknown, "journal lines of another version were left out");
        }
        self.entries
    }
}
