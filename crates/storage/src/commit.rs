//! Committing a batch: inputs, message changes, turns for memory, journal lines and perhaps a state, all or nothing.

use mind::{Input, MemoryEvent};
use runtime::ports::{Batch, Committed, RecordedInput};
use rusqlite::{Connection, params};
use vocabulary::CommunityId;

use crate::community::{self, Key, Numbers, Used};
use crate::fault::Fault;
use crate::journal::Held;
use crate::memory::captured;
use crate::number::{key_of, stored};
use crate::packed::Kept;
use crate::{journal, messages};

/// States that are kept: the newest, and a few before it for somebody who has to look into a damaged one.
const STATES_KEPT: i64 = 3;
/// States say who wrote them, since only the same version is sure to read them the same way.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Writes everything at once.
pub(crate) fn commit(
    connection: &Connection,
    community: &CommunityId,
    batch: &Batch,
) -> Result<Committed, Fault> {
    let key = community::find_or_add(connection, community)?;
    add_inputs(connection, key, &batch.inputs)?;
    // Before the changes: what was said and taken back in one batch must not wait for memory.
    captured::add(connection, &batch.captures)?;
    let mut committed = Committed::default();
    for change in &batch.changes {
        committed
            .places
            .push(messages::change(connection, key, change, None)?);
        captured::follow(connection, community, change)?;
    }
    let mut held = Held::default();
    for entry in &batch.journal {
        journal::add(connection, key, entry, &mut held)?;
    }
    held.keep(connection)?;
    Used::by_batch(batch).keep(connection, key)?;
    if let Some((input, state)) = &batch.state {
        keep_state(connection, key, *input, state)?;
    }
    Ok(committed)
}

/// Writes journal lines.
pub(crate) fn add_lines(
    connection: &Connection,
    community: &CommunityId,
    lines: &Batch,
    numbers: &mut Numbers,
) -> Result<(), Fault> {
    let key = community::find_or_add(connection, community)?;
    for entry in &lines.journal {
        journal::add(connection, key, entry, &mut numbers.held)?;
    }
    numbers.note(key, Used::by_batch(lines));
    Ok(())
}

pub(crate) fn add_inputs(
    connection: &Connection,
    community: Key,
    inputs: &[RecordedInput],
) -> Result<(), Fault> {
    if inputs.is_empty() {
        return Ok(());
    }
    let mut last = community::last_input(connection, community)?;
    let mut add = connection.prepare_cached(
        "INSERT INTO inputs (key, moment, wall, input, packed) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for recorded in inputs {
        let seq = recorded.seq;
        // A gap or a number used twice would make every later replay wrong, so it is refused here and now.
        if last != 0 && seq != last + 1 {
            return Err(Fault::Told(format!(
                "input {seq} does not follow input {last}. Do two processes run on this data folder?"
            )));
        }
        last = seq;
        let json = mind::snapshot::keep_input(&recorded.input, recorded.stepped_before);
        // A wish to forget is looked for by its words when a process starts.
        let is_looked_for = matches!(recorded.input, Input::Memory(MemoryEvent::Forgotten(_)));
        let kept = match is_looked_for {
            true => Kept {
                text: &json,
                packed: None,
            },
            false => Kept::of(&json),
        };
        add.execute(params![
            key_of(community, seq),
            stored(recorded.now.moment.0),
            recorded.now.wall.0,
            kept.text,
            kept.packed,
        ])?;
    }
    Ok(())
}

/// Keeps a state beside the few before it.
pub(crate) fn keep_state(
    connection: &Connection,
    community: Key,
    input: u64,
    state: &str,
) -> Result<(), Fault> {
    let kept = Kept::of(state);
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO states (community, input, version, settings_version, state, packed)
             SELECT key, ?2, ?3, settings_version, ?4, ?5 FROM communities WHERE key = ?1",
        )?
        .execute(params![
            community.0,
            stored(input),
            VERSION,
            kept.text,
            kept.packed
        ])?;
    connection
        .prepare_cached(
            "DELETE FROM states WHERE community = ?1 AND input <=
                 (SELECT input FROM states WHERE community = ?1 ORDER BY input DESC LIMIT 1 OFFSET ?2)",
        )?
        .execute(params![community.0, STATES_KEPT])?;
    Ok(())
}
