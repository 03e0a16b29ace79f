//! Stretches of recording: a start that is whole in itself, and the inputs and journal lines that followed.

use std::collections::BTreeSet;

use mind::{Input, JournalEntry, ShellEvent};
use runtime::ports::{RecordedInput, Recording, Segment};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::value::RawValue;
use vocabulary::{CommunityId, WallTime};

use crate::community::{self, Key, Used};
use crate::fault::Fault;
use crate::number::{counted, key_of, stored};
use crate::{packed, resume, settings_versions};

/// Inputs in one recording at most: a longer one would not fit into memory comfortably.
const INPUTS_MAX: u64 = 1_000_000;

/// Starts a stretch. One that was started at the same input, and got none, is replaced.
pub(crate) fn begin(connection: &Connection, segment: &Segment) -> Result<(), Fault> {
    let key = community::find_or_add(connection, &segment.community)?;
    let settings = serde_json::to_string(&segment.settings).map_err(Fault::json("the settings"))?;
    // All lines of earlier inputs are written by now, so the next one is the first of this stretch.
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO segments (community, first_input, first_journal, version, started_at, state,
                 settings_version, settings)
             SELECT key, ?2, last_journal + 1, ?3, ?4, ?5, ?6, ?7 FROM communities WHERE key = ?1",
        )?
        .execute(params![
            key.0,
            stored(segment.first_input),
            segment.version,
            segment.started_at.0,
            segment.state.get(),
            stored(segment.settings_version),
            settings,
        ])?;
    // The state it starts from goes on with these settings, which may have been saved while no process ran.
    connection
        .prepare_cached("UPDATE states SET settings_version = ?3 WHERE community = ?1 AND input = ?2 - 1")?
        .execute(params![
            key.0,
            stored(segment.first_input),
            stored(segment.settings_version)
        ])?;
    Used::by_settings(segment.settings_version).keep(connection, key)
}

/// The newest stretch, or the one that holds an input.
pub(crate) fn read(
    connection: &Connection,
    community: &CommunityId,
    holding: Option<u64>,
) -> Result<Option<Recording>, Fault> {
    let Some(key) = community::find(connection, community)? else {
        return Ok(None);
    };
    if let Some(seq) = holding
        && !is_recorded(connection, key, seq)?
    {
        return Ok(None);
    }
    let Some(stretch) = find(connection, key, community, holding.unwrap_or(u64::MAX))? else {
        return Ok(None);
    };
    let first = stretch.segment.first_input;
    let count = stretch
        .until_input
        .min(last_input(connection, key)? + 1)
        .saturating_sub(first);
    if count > INPUTS_MAX {
        return Err(Fault::Told(format!(
            "the recording has {count} inputs, more than the {INPUTS_MAX} that are exported at once. \
             A new one begins with the next start"
        )));
    }
    let (inputs, unread) = resume::inputs(connection, key, first, stretch.until_input)?;
    if let Some(unread) = unread.first() {
        return Err(Fault::Told(format!(
            "input {} of it cannot be read: {}",
            unread.seq, unread.detail
        )));
    }
    // The first by number need not be the first that was stepped.
    if count > 0 && inputs.iter().all(|input| input.seq != first) {
        return Err(Fault::Told(format!(
            "its beginning (input {first}) is past storage.keepRecordingsDays and deleted. \
             A new recording begins with the next start"
        )));
    }
    Ok(Some(Recording {
        settings: settings_used(connection, key, &inputs)?,
        journal: lines(connection, key, &stretch)?,
        inputs,
        segment: stretch.segment,
    }))
}

struct Stretch {
    segment: Segment,
    first_journal: i64,
    /// Where the next one begins.
    until_input: u64,
    until_journal: i64,
}

fn find(
    connection: &Connection,
    key: Key,
    community: &CommunityId,
    holding: u64,
) -> Result<Option<Stretch>, Fault> {
    let mut one = connection.prepare_cached(
        "SELECT first_input, first_journal, version, started_at, state, settings_version, settings FROM segments
         WHERE community = ?1 AND first_input <= ?2 ORDER BY first_input DESC LIMIT 1",
    )?;
    let mut rows = one.query(params![key.0, stored(holding)])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let segment = read_segment(row, community)?;
    let next = connection
        .prepare_cached(
            "SELECT first_input, first_journal FROM segments WHERE community = ?1 AND first_input > ?2
             ORDER BY first_input LIMIT 1",
        )?
        .query_row(params![key.0, stored(segment.first_input)], |row| {
            Ok((counted(row.get(0)?), row.get(1)?))
        })
        .optional()?;
    let (until_input, until_journal) = next.unwrap_or((u64::MAX, i64::MAX));
    Ok(Some(Stretch {
        segment,
        first_journal: row.get(1)?,
        until_input,
        until_journal,
    }))
}

fn read_segment(row: &Row<'_>, community: &CommunityId) -> Result<Segment, Fault> {
    let settings: String = row.get(6)?;
    Ok(Segment {
        community: community.clone(),
        version: row.get(2)?,
        started_at: WallTime(row.get(3)?),
        first_input: counted(row.get(0)?),
        state: RawValue::from_string(row.get(4)?)
            .map_err(Fault::json("the state a recording starts from"))?,
        settings_version: counted(row.get(5)?),
        settings: serde_json::from_str(&settings)
            .map_err(Fault::json("the settings a recording starts from"))?,
    })
}

fn lines(connection: &Connection, key: Key, stretch: &Stretch) -> Result<Vec<JournalEntry>, Fault> {
    let mut some = connection
        .prepare_cached("SELECT seq, line, packed FROM journal WHERE key >= ?1 AND key < ?2 ORDER BY key")?;
    let (first, until) = (counted(stretch.first_journal), counted(stretch.until_journal));
    let mut rows = some.query([key_of(key, first), key_of(key, until)])?;
    let mut lines = Vec::new();
    let mut damaged = 0_usize;
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(0)?;
        let line = packed::text(row, 1, 2).ok();
        match line.as_deref().map(serde_json::from_str::<JournalEntry>) {
            Some(Ok(entry)) => lines.push(entry),
            // Another version wrote it, and can read it.
            Some(Err(error)) if error.is_data() => {
                return Err(Fault::json(format!("journal line {seq}"))(error));
            }
            // It is damaged, or was and is emptied since: nothing brings it back, and the others are good.
            Some(Err(_)) | None => damaged += 1,
        }
    }
    if damaged > 0 {
        tracing::warn!(
            damaged,
            "journal lines that are damaged were left out of a recording"
        );
    }
    Ok(lines)
}

fn settings_used(
    connection: &Connection,
    key: Key,
    inputs: &[RecordedInput],
) -> Result<Vec<runtime::ports::SavedSettings>, Fault> {
    let used: BTreeSet<u64> = inputs
        .iter()
        .filter_map(|recorded| match recorded.input {
            Input::Shell(ShellEvent::SettingsChanged { version, .. }) => Some(version),
            _ => None,
        })
        .collect();
    let Some(first) = used.first() else {
        return Ok(Vec::new());
    };
    let mut versions = settings_versions::since(connection, Some(key), *first)?;
    versions.retain(|saved| used.contains(&saved.version));
    Ok(versions)
}

fn is_recorded(connection: &Connection, key: Key, seq: u64) -> Result<bool, Fault> {
    Ok(connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM inputs WHERE key = ?1)")?
        .query_row([key_of(key, seq)], |row| row.get(0))?)
}

fn last_input(connection: &Connection, key: Key) -> Result<u64, Fault> {
    Ok(connection
        .prepare_cached("SELECT last_input FROM communities WHERE key = ?1")?
        .query_row([key.0], |row| row.get(0).map(counted))?)
}
