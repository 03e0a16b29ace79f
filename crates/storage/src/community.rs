//! Communities: their short keys, and the greatest numbers ever used in them.

use mind::{Input, JournalEvent, ShellEvent};
use runtime::ports::{Batch, CommunityRecord, MessageChange};
use rusqlite::{Connection, OptionalExtension, params};
use vocabulary::{AskId, CommunityId, TurnId};

use crate::fault::Fault;
use crate::number::stored;

/// A community's key in the other tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(pub i64);

/// The key of a community that something was stored for.
pub(crate) fn find(connection: &Connection, community: &CommunityId) -> Result<Option<Key>, Fault> {
    Ok(connection
        .prepare_cached("SELECT key FROM communities WHERE id = ?1")?
        .query_row([community.as_str()], |row| row.get(0).map(Key))
        .optional()?)
}

/// The key of a community, which is made with its first use.
pub(crate) fn find_or_add(connection: &Connection, community: &CommunityId) -> Result<Key, Fault> {
    if let Some(key) = find(connection, community)? {
        return Ok(key);
    }
    Ok(connection
        .prepare_cached("INSERT INTO communities (id) VALUES (?1) RETURNING key")?
        .query_row([community.as_str()], |row| row.get(0).map(Key))?)
}

/// Every community that something is stored for, by id.
pub(crate) fn list(connection: &Connection) -> Result<Vec<CommunityRecord>, Fault> {
    let mut all = connection.prepare_cached("SELECT id, name FROM communities ORDER BY id")?;
    let rows = all.query_map([], |row| {
        Ok(CommunityRecord {
            id: CommunityId::new(row.get::<_, String>(0)?),
            name: row.get(1)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Makes a community known, or gives one that is another name.
pub(crate) fn call(connection: &Connection, community: &CommunityId, name: &str) -> Result<(), Fault> {
    let key = find_or_add(connection, community)?;
    connection
        .prepare_cached("UPDATE communities SET name = ?2 WHERE key = ?1")?
        .execute(params![key.0, name])?;
    Ok(())
}

/// Numbers that were used; each raises the kept one if it is greater.
#[derive(Debug, Default)]
pub(crate) struct Used {
    input: u64,
    moment: u64,
    wall: i64,
    journal: u64,
    turn: u64,
    ask: u64,
    settings_version: Option<u64>,
}

impl Used {
    pub fn by_batch(batch: &Batch) -> Self {
        let mut used = Self::default();
        for recorded in &batch.inputs {
            used.input = used.input.max(recorded.seq);
            used.moment = used.moment.max(recorded.now.moment.0);
            used.wall = used.wall.max(recorded.now.wall.0);
            if let Input::Shell(ShellEvent::SettingsChanged { version, .. }) = recorded.input {
                used.settings_version = Some(version);
            }
        }
        for entry in &batch.journal {
            used.journal = used.journal.max(entry.seq.0);
            used.moment = used.moment.max(entry.moment.0);
            used.wall = used.wall.max(entry.wall.0);
            used.turn = used.turn.max(entry.scope.turn.map_or(0, |turn| turn.0));
            if let JournalEvent::AskStarted { ask, .. } = entry.event {
                used.ask = used.ask.max(ask.0);
            }
        }
        for change in &batch.changes {
            if let MessageChange::Added { turn, ask, .. } = change {
                used.turn = used.turn.max(turn.map_or(0, |turn| turn.0));
                used.ask = used.ask.max(ask.map_or(0, |ask| ask.0));
            }
        }
        used
    }

    pub fn by_ask(ask: AskId, turn: TurnId) -> Self {
        Self {
            ask: ask.0,
            turn: turn.0,
            ..Self::default()
        }
    }

    pub fn by_settings(version: u64) -> Self {
        Self {
            settings_version: Some(version),
            ..Self::default()
        }
    }

    pub fn keep(&self, connection: &Connection, community: Key) -> Result<(), Fault> {
        connection
            .prepare_cached(
                "UPDATE communities SET
                     last_input = max(last_input, ?2), last_moment = max(last_moment, ?3),
                     last_wall = max(last_wall, ?4), last_journal = max(last_journal, ?5),
                     last_turn = max(last_turn, ?6), last_ask = max(last_ask, ?7),
                     settings_version = ifnull(?8, settings_version)
                 WHERE key = ?1",
            )?
            .execute(params![
                community.0,
                stored(self.input),
                stored(self.moment),
                self.wall,
                stored(self.journal),
                stored(self.turn),
                stored(self.ask),
                self.settings_version.map(stored),
            ])?;
        Ok(())
    }
}
