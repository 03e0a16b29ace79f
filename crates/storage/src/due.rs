//! What inputs lead to in other tables: messages, turns for memory, the greatest numbers.
//!
//! An input that somebody waits for is written alone, with a row that says what is still to be done because of it. A moment
//! later that is done for many inputs in one commit, and the rows go with it: what a room shows lies in many places, and each
//! commit writes all of those anew. A process that is killed in between leaves the rows, and the next one does what they say
//! before anything else.

use mind::{Input, ShellEvent};
use runtime::ports::{Batch, MessageChange, RecordedInput};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use vocabulary::{CapturedTurn, CommunityId, MessageId};

use crate::community::{self, Key, Used};
use crate::fault::Fault;
use crate::job::alone;
use crate::memory::captured;
use crate::packed::Kept;
use crate::{messages, packed};

/// What is to be done because of some inputs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Due {
    /// Changes of messages, each with the place of one that is new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<(Option<u64>, MessageChange)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub captures: Vec<CapturedTurn>,
    /// The settings that are in force from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<u64>,
}

impl Due {
    /// What a batch leads to, in the places that its new messages were given.
    pub fn of(batch: &mut Batch, places: &[Option<u64>]) -> Self {
        let changes = std::mem::take(&mut batch.changes);
        Self {
            changes: places.iter().copied().zip(changes).collect(),
            captures: std::mem::take(&mut batch.captures),
            settings: settings_of(&batch.inputs),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.captures.is_empty() && self.settings.is_none()
    }

    /// Does it. Doing it again changes nothing.
    pub fn settle(&self, connection: &Connection, community: &CommunityId, key: Key) -> Result<(), Fault> {
        // Before the changes: what was said and taken back in one batch must not wait for memory.
        captured::add(connection, &self.captures)?;
        for (place, change) in &self.changes {
            messages::change(connection, key, change, *place)?;
            captured::follow(connection, community, change)?;
        }
        Ok(())
    }
}

impl Due {
    /// Does each of it by itself, where it cannot be done together; what cannot be done is told. Whether that is all that can
    /// ever be done of it: what a damaged file does not take, a mended one may.
    pub fn settle_each(
        &self,
        connection: &Connection,
        community: &CommunityId,
        key: Key,
        lost: &dyn Fn(Fault),
    ) -> Result<bool, Fault> {
        let mut is_over = true;
        for turn in &self.captures {
            is_over &= if_possible(connection, lost, |connection| {
                captured::add(connection, std::slice::from_ref(turn))
            })?;
        }
        for (place, change) in &self.changes {
            is_over &= if_possible(connection, lost, |connection| {
                messages::change(connection, key, change, *place).map(|_| ())
            })?;
            // What was taken back must not stay in memory's buffer because it stays in the room.
            is_over &= if_possible(connection, lost, |connection| {
                captured::follow(connection, community, change)
            })?;
        }
        Ok(is_over)
    }
}

/// Does something that may be impossible; whether it is done, or never will be. An error is one that says nothing about what
/// was to be done.
fn if_possible(
    connection: &Connection,
    lost: &dyn Fn(Fault),
    work: impl FnOnce(&Connection) -> Result<(), Fault>,
) -> Result<bool, Fault> {
    match alone(connection, work) {
        Err(fault) if fault.is_of_the_disk() || connection.is_autocommit() => Err(fault),
        Err(fault) => {
            let is_over = !fault.is_of_damage();
            lost(fault);
            Ok(is_over)
        }
        Ok(()) => Ok(true),
    }
}

fn settings_of(inputs: &[RecordedInput]) -> Option<u64> {
    let mut versions = inputs.iter().filter_map(|recorded| match recorded.input {
        Input::Shell(ShellEvent::SettingsChanged { version, .. }) => Some(version),
        _ => None,
    });
    versions.next_back()
}

/// Places that may be told and not kept yet, at most.
const PLACES_TOLD_MAX: u64 = 4_096;

/// The numbers that rows of what is due were given last, and the places of messages.
#[derive(Debug)]
pub(crate) struct Counters {
    row: i64,
    place: u64,
}

impl Counters {
    pub fn new(connection: &Connection) -> Self {
        let row = connection.query_row("SELECT ifnull(max(number), 0) FROM due", [], |row| row.get(0));
        // A process that was killed may have told pages of places that it had not come to keep. They are given to nobody
        // else, for a page goes on after the last that it knows.
        let last_place = messages::last_place(connection).unwrap_or_default();
        let place = match last_place {
            0 => 0,
            kept => kept + PLACES_TOLD_MAX,
        };
        Self {
            // Where it cannot be read, whoever writes next is told.
            row: row.unwrap_or_default(),
            place,
        }
    }

    /// A place for each new message, as none had before; none for others and for what is there.
    pub fn places(
        &mut self,
        connection: &Connection,
        key: Option<Key>,
        changes: &[MessageChange],
        mut is_pending: impl FnMut(&MessageId) -> bool,
    ) -> Result<Vec<Option<u64>>, Fault> {
        let mut places = Vec::with_capacity(changes.len());
        for (index, change) in changes.iter().enumerate() {
            let MessageChange::Added { message, .. } = change else {
                places.push(None);
                continue;
            };
            let is_twice = changes[..index].iter().any(
                |other| matches!(other, MessageChange::Added { message: other, .. } if other.id == message.id),
            );
            let is_there = match key {
                Some(key) => messages::was_there(connection, key, &message.id)?,
                None => false,
            };
            if is_twice || is_there || is_pending(&message.id) {
                places.push(None);
                continue;
            }
            self.place = self.place.max(messages::last_place(connection)?) + 1;
            places.push(Some(self.place));
        }
        Ok(places)
    }

    /// Keeps what is due until it is done; the number of its row.
    pub fn keep(&mut self, connection: &Connection, community: Key, due: &Due) -> Result<i64, Fault> {
        let json = serde_json::to_string(due).map_err(Fault::json("what is due"))?;
        let kept = Kept::of(&json);
        self.row += 1;
        connection
            .prepare_cached("INSERT INTO due (number, community, due, packed) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![self.row, community.0, kept.text, kept.packed,])?;
        Ok(self.row)
    }
}

/// Takes a row away, since what it says is done; whether it was still there. A command that was started meanwhile may have
/// done it.
pub(crate) fn is_taken(connection: &Connection, number: i64) -> Result<bool, Fault> {
    let mut one = connection.prepare_cached("DELETE FROM due WHERE number = ?1")?;
    Ok(one.execute([number])? > 0)
}

/// Whether a row is there still.
pub(crate) fn is_there(connection: &Connection, number: i64) -> Result<bool, Fault> {
    let mut one = connection.prepare_cached("SELECT 1 FROM due WHERE number = ?1")?;
    Ok(one.exists([number])?)
}

/// Takes away what is due in a community. What is still there after what is late cannot be read, or not be done in this file:
/// it may hold whatever is to be forgotten.
pub(crate) fn forget(connection: &Connection, key: Key) -> Result<(), Fault> {
    connection
        .prepare_cached("DELETE FROM due WHERE community = ?1")?
        .execute([key.0])?;
    Ok(())
}

/// Does what a process that was killed has left to be done. What cannot be done is told and let go. What cannot be read is
/// told and stays: another version may have written it, and may be running. So does what a damaged file does not take.
pub(crate) fn catch_up(connection: &mut Connection) -> Result<(), Fault> {
    if !is_behind(connection)? {
        return Ok(());
    }
    let (mut last, mut most) = (0, usize::MAX);
    loop {
        match settle_some(connection, last, most) {
            Ok(Some(reached)) => last = reached,
            Ok(None) => break,
            // Each by itself, since damage may take the whole transaction back.
            Err(fault) if fault.is_of_damage() && most > 1 => most = 1,
            Err(fault) if fault.is_of_damage() => {
                let next =
                    connection.query_row("SELECT min(number) FROM due WHERE number > ?1", [last], |row| {
                        row.get::<_, Option<i64>>(0)
                    })?;
                let Some(number) = next else { return Err(fault) };
                tracing::error!(
                    number,
                    ?fault,
                    "what an input led to could not be kept, and is left"
                );
                last = number;
            }
            Err(fault) => return Err(fault),
        }
    }
    let counting = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    community::count_inputs(&counting)?;
    counting.commit()?;
    Ok(())
}

/// Does what the next rows say, in one transaction; the number of the last of them, none where there were none.
fn settle_some(connection: &mut Connection, last: i64, most: usize) -> Result<Option<i64>, Fault> {
    let together = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut reached = None;
    for _ in 0..most {
        let Some((number, key, community, json)) = after(&together, reached.unwrap_or(last))? else {
            break;
        };
        reached = Some(number);
        let due = json.and_then(|json| serde_json::from_str::<Due>(&json).map_err(|error| error.to_string()));
        match due {
            Ok(due) => settle_left(&together, number, &community, key, &due)?,
            Err(error) => tracing::error!(number, error, "what an input led to cannot be read, and is left"),
        }
    }
    together.commit()?;
    Ok(reached)
}

fn settle_left(
    connection: &Connection,
    number: i64,
    community: &CommunityId,
    key: Key,
    due: &Due,
) -> Result<(), Fault> {
    let lost = |fault: Fault| tracing::error!(number, ?fault, "what an input led to could not be kept");
    let mut is_over = if_possible(connection, &lost, |connection| {
        due.settings
            .map_or(Ok(()), |version| Used::by_settings(version).keep(connection, key))
    })?;
    match alone(connection, |connection| due.settle(connection, community, key)) {
        Err(fault) if fault.is_of_the_disk() || connection.is_autocommit() => return Err(fault),
        Err(_) => is_over &= due.settle_each(connection, community, key, &lost)?,
        Ok(()) => {}
    }
    if is_over {
        is_taken(connection, number)?;
    }
    Ok(())
}

fn is_behind(connection: &Connection) -> Result<bool, Fault> {
    let is_due = connection.query_row("SELECT EXISTS (SELECT 1 FROM due)", [], |row| row.get(0))?;
    Ok(is_due || community::are_inputs_uncounted(connection)?)
}

type Row = (i64, Key, CommunityId, Result<String, String>);

/// The first row after another.
fn after(connection: &Connection, last: i64) -> Result<Option<Row>, Fault> {
    let mut one = connection.prepare_cached(
        "SELECT d.number, d.community, c.id, d.due, d.packed FROM due d JOIN communities c ON c.key = d.community
         WHERE d.number > ?1 ORDER BY d.number LIMIT 1",
    )?;
    let row = one.query_row([last], |row| {
        let json = match packed::column(row, 4) {
            Ok(Some(bytes)) => packed::unpack(bytes).map(|[json]| json),
            Ok(None) => row.get(3).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let community = CommunityId::new(row.get::<_, String>(2)?);
        Ok((row.get(0)?, Key(row.get(1)?), community, json))
    });
    Ok(row.optional()?)
}
