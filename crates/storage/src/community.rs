//! Communities: their short keys, and the greatest numbers ever used in them.

use std::collections::BTreeMap;

use mind::{Input, JournalEvent, ShellEvent};
use runtime::ports::{Batch, CommunityRecord, MessageChange};
use rusqlite::{Connection, OptionalExtension, params};
use vocabulary::{AskId, CommunityId, TurnId};

use crate::fault::Fault;
use crate::journal::Held;
use crate::number::{counted, key_of, stored};

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

/// The number of the last input that is in the file, wherever that is counted.
pub(crate) fn last_input(connection: &Connection, community: Key) -> Result<u64, Fault> {
    Ok(connection
        .prepare_cached(
            "SELECT max(last_input, ifnull((SELECT max(key) FROM inputs WHERE key BETWEEN ?2 AND ?3), ?2) - ?2)
             FROM communities WHERE key = ?1",
        )?
        .query_row(
            [community.0, key_of(community, 0), key_of(community, u64::MAX)],
            |row| row.get(0).map(counted),
        )?)
}

/// Inputs after the last that is counted, by community; a process that was killed had not come to count them.
const UNCOUNTED: &str = "inputs i ON i.key > (c.key << 40) + c.last_input AND i.key < (c.key + 1) << 40";

pub(crate) fn are_inputs_uncounted(connection: &Connection) -> Result<bool, Fault> {
    let sql = format!("SELECT EXISTS (SELECT 1 FROM communities c CROSS JOIN {UNCOUNTED})");
    Ok(connection.query_row(&sql, [], |row| row.get(0))?)
}

pub(crate) fn count_inputs(connection: &Connection) -> Result<(), Fault> {
    let mut all = connection.prepare(&format!(
        "SELECT c.key, max(i.seq), max(i.moment), max(i.wall) FROM communities c CROSS JOIN {UNCOUNTED} GROUP BY c.key"
    ))?;
    let uncounted = all.query_map([], |row| {
        let used = Used {
            input: row.get(1).map(counted)?,
            moment: row.get(2).map(counted)?,
            wall: row.get(3)?,
            ..Used::default()
        };
        Ok((Key(row.get(0)?), used))
    })?;
    let uncounted: Vec<(Key, Used)> = uncounted.collect::<Result<_, _>>()?;
    uncounted
        .iter()
        .try_for_each(|(key, used)| used.keep(connection, *key))
}

/// Numbers that were used in one write, by community, and what its journal lines hold, to be kept together.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    used: BTreeMap<i64, Used>,
    pub held: Held,
}

impl Numbers {
    pub fn note(&mut self, community: Key, used: Used) {
        self.used.entry(community.0).or_default().raise(used);
    }

    pub fn keep(&mut self, connection: &Connection) -> Result<(), Fault> {
        for (key, used) in std::mem::take(&mut self.used) {
            used.keep(connection, Key(key))?;
        }
        self.held.keep(connection)
    }
}

/// Numbers that were used; each raises the kept one if it is greater.
#[derive(Clone, Copy, Debug, Default)]
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

    fn raise(&mut self, other: Self) {
        self.input = self.input.max(other.input);
        self.moment = self.moment.max(other.moment);
        self.wall = self.wall.max(other.wall);
        self.journal = self.journal.max(other.journal);
        self.turn = self.turn.max(other.turn);
        self.ask = self.ask.max(other.ask);
        self.settings_version = other.settings_version.or(self.settings_version);
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
