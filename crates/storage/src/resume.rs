//! What a mind is built from after a restart.

use std::borrow::Cow;

use mind::{Forgotten, Input, MemoryEvent};
use runtime::ports::{KeptState, RecordedInput, Resume, SavedSettings, UnreadInput, in_stepping_order};
use rusqlite::{Connection, params};
use vocabulary::{AskId, CommunityId, JournalSeq, Moment, Now, RoomId, TurnId, WallTime};

use crate::community::{self, Key};
use crate::fault::Fault;
use crate::number::{counted, key_of, stored};
use crate::{packed, settings_versions};

pub(crate) fn resume(connection: &Connection, community: &CommunityId) -> Result<Resume, Fault> {
    let Some(key) = community::find(connection, community)? else {
        return Ok(Resume {
            settings: settings_versions::since(connection, None, 0)?,
            ..Resume::default()
        });
    };
    let states = states(connection, key)?;
    let oldest = states.last();
    let seen = oldest.map_or(0, |state| state.input);
    let in_force = oldest.map(|state| state.settings_version);
    let numbers = connection
        .prepare_cached(
            "SELECT last_input, last_moment, last_wall, last_journal, last_turn, last_ask
             FROM communities WHERE key = ?1",
        )?
        .query_row([key.0], |row| {
            Ok(Resume {
                last_input: counted(row.get(0)?),
                last_moment: Moment(counted(row.get(1)?)),
                last_wall: WallTime(row.get(2)?),
                last_journal: JournalSeq(counted(row.get(3)?)),
                last_turn: TurnId(counted(row.get(4)?)),
                last_ask: AskId(counted(row.get(5)?)),
                ..Resume::default()
            })
        })?;
    let (inputs, unread) = inputs(connection, key, seen.saturating_add(1), u64::MAX)?;
    Ok(Resume {
        states,
        inputs,
        unread,
        rooms: rooms(connection, key)?,
        forgetting: forgetting(connection, key)?,
        settings: settings_from(connection, key, in_force)?,
        ..numbers
    })
}

/// The kept states, the newest first. One whose bytes are damaged stays in its place and cannot be read by anybody: those
/// before it can.
fn states(connection: &Connection, key: Key) -> Result<Vec<KeptState>, Fault> {
    let mut all = connection.prepare_cached(
        "SELECT input, version, settings_version FROM states WHERE community = ?1 ORDER BY input DESC",
    )?;
    let states = all.query_map([key.0], |row| {
        Ok(KeptState {
            input: counted(row.get(0)?),
            version: row.get(1)?,
            settings_version: counted(row.get(2)?),
            state: String::new(),
        })
    })?;
    let mut states: Vec<KeptState> = states.collect::<Result<_, _>>()?;
    let mut one =
        connection.prepare_cached("SELECT state, packed FROM states WHERE community = ?1 AND input = ?2")?;
    for kept in &mut states {
        let read = one.query_row(params![key.0, stored(kept.input)], |row| {
            Ok(packed::text(row, 0, 1).map(Cow::into_owned))
        });
        kept.state = match read.map_err(Fault::from).flatten() {
            Ok(state) => state,
            Err(fault) => format!("damaged: {fault:?}"),
        };
    }
    Ok(states)
}

/// What the mind was told to forget: those inputs go with the last piece of what is cleared away.
fn forgetting(connection: &Connection, key: Key) -> Result<Vec<Forgotten>, Fault> {
    let mut some = connection.prepare_cached(
        "SELECT input FROM inputs WHERE key BETWEEN ?1 AND ?2 AND instr(input, '\"forgotten\"') > 0 ORDER BY key",
    )?;
    let mut rows = some.query([key_of(key, 0), key_of(key, u64::MAX)])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let Ok(json) = row.get_ref(0)?.as_str() else {
            continue;
        };
        if let Ok((Input::Memory(MemoryEvent::Forgotten(forgotten)), _)) = mind::snapshot::read_input(json)
            && forgotten.failure.is_none()
        {
            all.push(*forgotten);
        }
    }
    Ok(all)
}

fn rooms(connection: &Connection, key: Key) -> Result<Vec<RoomId>, Fault> {
    let mut all = connection.prepare_cached("SELECT id FROM rooms WHERE community = ?1 ORDER BY id")?;
    let rooms = all.query_map([key.0], |row| row.get::<_, String>(0))?;
    Ok(rooms
        .map(|room| room.map(RoomId::new))
        .collect::<Result<_, _>>()?)
}

/// The settings in force at the state come first, even where that was none: version 0 is nowhere saved.
fn settings_from(
    connection: &Connection,
    community: Key,
    in_force: Option<u64>,
) -> Result<Vec<SavedSettings>, Fault> {
    let mut versions = settings_versions::since(connection, Some(community), in_force.unwrap_or(0))?;
    if in_force == Some(0) {
        versions.insert(0, SavedSettings::default());
    }
    Ok(versions)
}

/// Recorded inputs from one number up to, and without, another; and those among them that cannot be read.
pub(crate) fn inputs(
    connection: &Connection,
    community: Key,
    from: u64,
    until: u64,
) -> Result<(Vec<RecordedInput>, Vec<UnreadInput>), Fault> {
    let mut some = connection.prepare_cached(
        "SELECT seq, moment, wall, input, packed FROM inputs
         WHERE key >= ?1 AND key < ?2 ORDER BY key",
    )?;
    let mut rows = some.query([key_of(community, from), key_of(community, until)])?;
    let (mut inputs, mut unread) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        let seq = counted(row.get(0)?);
        let json = match packed::column(row, 4)? {
            Some(bytes) => packed::unpack(bytes).map(|[json]| json),
            None => row.get(3).map_err(|error| error.to_string()),
        };
        let read = json.and_then(|json| mind::snapshot::read_input(&json).map_err(|error| error.to_string()));
        match read {
            Ok((input, stepped_before)) => inputs.push(RecordedInput {
                seq,
                stepped_before,
                now: Now {
                    moment: Moment(counted(row.get(1)?)),
                    wall: WallTime(row.get(2)?),
                },
                input,
            }),
            Err(detail) => unread.push(UnreadInput { seq, detail }),
        }
    }
    in_stepping_order(&mut inputs);
    Ok((inputs, unread))
}
