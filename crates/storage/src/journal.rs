//! The journal: every line kept as it was written, and found by number, room, name, turn or message.
//!
//! Lines of a name, of a room or about a message are found by the stretches of keys that hold such. An index of every line
//! would be a page more in each commit for every name there is.

use std::collections::BTreeSet;

use mind::JournalEntry;
use runtime::ports::JournalQuery;
use rusqlite::{Connection, OptionalExtension, Rows, params};
use serde::Deserialize;
use vocabulary::{MessageId, RoomId};

use crate::community::Key;
use crate::fault::Fault;
use crate::number::{bounded, key_of, stored};
use crate::packed::{self, Kept};

/// Lines in one answer at most.
const LINES_MAX: usize = 5_000;
/// Lines that explain one message at most.
const WHY_MAX: usize = 500;
/// Bits of a key that are counted within a stretch.
const STRETCH_BITS: u32 = 8;

/// What lines hold, with the stretches that they are in: kept once for all lines of a write.
#[derive(Debug, Default)]
pub(crate) struct Held(BTreeSet<(String, i64)>);

impl Held {
    /// Keeps what the lines that were added hold.
    pub fn keep(&mut self, connection: &Connection) -> Result<(), Fault> {
        if self.0.is_empty() {
            return Ok(());
        }
        let mut hold = connection
            .prepare_cached("INSERT OR IGNORE INTO journal_stretches (holds, stretch) VALUES (?1, ?2)")?;
        for (holds, stretch) in std::mem::take(&mut self.0) {
            hold.execute(params![holds, stretch])?;
        }
        Ok(())
    }
}

pub(crate) fn add(
    connection: &Connection,
    community: Key,
    entry: &JournalEntry,
    held: &mut Held,
) -> Result<(), Fault> {
    let seq = stored(entry.seq.0);
    let key = key_of(community, entry.seq.0);
    let line = serde_json::to_string(entry).map_err(Fault::json(format!("journal line {seq}")))?;
    let kept = Kept::of(&line);
    let room = entry.scope.room.as_ref().map(RoomId::as_str);
    connection
        .prepare_cached(
            "INSERT INTO journal (key, wall, room, turn, name, line, packed) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            key,
            entry.wall.0,
            room,
            entry.scope.turn.map(|turn| stored(turn.0)),
            entry.event.name(),
            kept.text,
            kept.packed,
        ])?;
    let named = named(entry.event.name());
    let about = entry.scope.messages.iter().map(about_message);
    let all = std::iter::once(named).chain(room.map(in_room)).chain(about);
    held.0.extend(all.map(|holds| (holds, key >> STRETCH_BITS)));
    Ok(())
}

fn about_message(message: &MessageId) -> String {
    format!("message {message}")
}

fn named(name: &str) -> String {
    format!("name {name}")
}

fn in_room(room: &str) -> String {
    format!("room {room}")
}

/// Forgets what was in stretches of which no line is left.
pub(crate) fn forget_stretches(connection: &Connection, of: Key) -> Result<(), Fault> {
    let (first, last) = stretches_of(of);
    connection
        .prepare_cached(
            "DELETE FROM journal_stretches WHERE stretch >= ?1 AND stretch <= ?2 AND stretch < ifnull(
                 (SELECT min(key) >> 8 FROM journal WHERE key >= ?1 << 8 AND key < (?2 + 1) << 8), ?2 + 1)",
        )?
        .execute([first, last])?;
    Ok(())
}

/// The same for lines that go, those before a key, by what they hold: a sweep comes often, and takes few.
pub(crate) fn forget_stretches_before(
    connection: &Connection,
    of: Key,
    first_kept: i64,
) -> Result<(), Fault> {
    let stretch_ends = first_kept | ((1 << STRETCH_BITS) - 1);
    let stays = held(connection, first_kept, stretch_ends)?;
    let goes = held(connection, key_of(of, 0), first_kept - 1)?;
    let mut forget =
        connection.prepare_cached("DELETE FROM journal_stretches WHERE holds = ?1 AND stretch = ?2")?;
    for (holds, stretch) in goes.difference(&stays) {
        forget.execute(params![holds, stretch])?;
    }
    Ok(())
}

/// What lines hold, with their stretches.
fn held(connection: &Connection, first: i64, last: i64) -> Result<BTreeSet<(String, i64)>, Fault> {
    let mut lines = connection
        .prepare_cached("SELECT key, name, room, line, packed FROM journal WHERE key BETWEEN ?1 AND ?2")?;
    let mut rows = lines.query([first, last])?;
    let mut held = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let stretch = row.get::<_, i64>(0)? >> STRETCH_BITS;
        let (name, room) = (row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?);
        let about = packed::text(row, 3, 4).ok();
        let about = about.and_then(|line| serde_json::from_str::<About>(&line).ok());
        let about = about.map(|about| about.messages).unwrap_or_default();
        let all = std::iter::once(named(&name))
            .chain(room.as_deref().map(in_room))
            .chain(about.iter().map(about_message));
        held.extend(all.map(|holds| (holds, stretch)));
    }
    Ok(held)
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
        "SELECT line, packed FROM journal WHERE key BETWEEN ?1 AND ?2 AND ifnull(room = ?3, ?3 IS NULL)
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

/// A line, by its key and the turn it is of.
#[derive(Debug)]
struct Found {
    key: i64,
    turn: Option<i64>,
}

/// What every line has, of whatever version it is.
#[derive(Deserialize)]
struct About {
    #[serde(default)]
    messages: Vec<MessageId>,
}

/// Whether a line, of whatever version, is about such a message.
pub(crate) fn is_about(line: &str, is_meant: impl Fn(&MessageId) -> bool) -> bool {
    serde_json::from_str::<About>(line).is_ok_and(|about| about.messages.iter().any(is_meant))
}

/// The lines about a message.
fn about(connection: &Connection, community: Key, message: &MessageId) -> Result<Vec<Found>, Fault> {
    // Lines of the stretch that name it somewhere, so that few have to be understood.
    let quoted = serde_json::to_string(message).map_err(Fault::json("the id of a message"))?;
    let mut named = connection.prepare_cached(
        "SELECT j.key, j.turn, j.line, j.packed FROM journal_stretches s
         CROSS JOIN journal j ON j.key BETWEEN s.stretch << 8 AND (s.stretch << 8) + 255
         WHERE s.holds = ?1 AND s.stretch BETWEEN ?2 AND ?3",
    )?;
    let (first, last) = stretches_of(community);
    let mut rows = named.query(params![about_message(message), first, last])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        // One that is damaged says nothing of any message, and hides no other.
        let Ok(line) = packed::text(row, 2, 3) else {
            continue;
        };
        if line.contains(&quoted) && is_about(&line, |its| its == message) {
            found.push(Found {
                key: row.get(0)?,
                turn: row.get(1)?,
            });
        }
    }
    Ok(found)
}

/// Every line of a turn.
pub(crate) fn of_turn(connection: &Connection, community: Key, turn: i64) -> Result<Vec<i64>, Fault> {
    let mut some =
        connection.prepare_cached("SELECT key FROM journal WHERE turn = ?1 AND key BETWEEN ?2 AND ?3")?;
    let rows = some.query_map([turn, key_of(community, 0), key_of(community, u64::MAX)], |row| {
        row.get(0)
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn stretches_of(community: Key) -> (i64, i64) {
    let (first, last) = (key_of(community, 0), key_of(community, u64::MAX));
    (first >> STRETCH_BITS, last >> STRETCH_BITS)
}

pub(crate) fn why(
    connection: &Connection,
    community: Key,
    message: &MessageId,
) -> Result<Vec<JournalEntry>, Fault> {
    let about = about(connection, community, message)?;
    let mut turns: BTreeSet<i64> = about.iter().filter_map(|found| found.turn).collect();
    let own: Option<Option<i64>> = connection
        .prepare_cached("SELECT turn FROM messages WHERE community = ?1 AND id = ?2")?
        .query_row(params![community.0, message.as_str()], |row| row.get(0))
        .optional()?;
    turns.extend(own.flatten());
    let mut keys: BTreeSet<i64> = about.iter().map(|found| found.key).collect();
    for turn in turns {
        keys.extend(of_turn(connection, community, turn)?);
    }
    let mut one = connection.prepare_cached("SELECT line, packed FROM journal WHERE key = ?1")?;
    let mut lines = Lines::default();
    for key in keys.into_iter().take(WHY_MAX) {
        lines.read(one.query([key])?)?;
    }
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
            let line = packed::text(row, 0, 1).ok();
            self.entries
                .extend(line.and_then(|line| serde_json::from_str::<JournalEntry>(&line).ok()));
            self.read += 1;
        }
        Ok(())
    }

    /// One that is damaged, or that a later version does not know any more, is left out, rather than hiding the others.
    fn readable(self) -> Vec<JournalEntry> {
        let unreadable = self.read - self.entries.len();
        if unreadable > 0 {
            tracing::warn!(
                unreadable,
                "journal lines that are damaged, or of another version, were left out"
            );
        }
        self.entries
    }
}
