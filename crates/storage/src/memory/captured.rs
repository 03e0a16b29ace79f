//! The table of captured turns, as the buffer and the commit of a batch use it.

use gist::gems::redaction::redact;
use runtime::ports::{BufferCount, MessageChange, WhoseTurns};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use vocabulary::{CapturedTurn, CommunityId, Forget, MessageId, TurnKey, WallTime};

use crate::fault::Fault;
use crate::number::{bounded, counted};

/// Turns that leave the table in one answer at most.
const AT_ONCE_MAX: usize = 10_000;

/// Puts turns at the end, without those that are there or have been.
pub(crate) fn add(connection: &Connection, turns: &[CapturedTurn]) -> Result<(), Fault> {
    let mut one = connection.prepare_cached(
        "INSERT INTO captured_turns (id, community, room, session, speaker, turn)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS (SELECT 1 FROM settled_turns WHERE id = ?1)
         ON CONFLICT (id) DO NOTHING",
    )?;
    for turn in turns {
        one.execute(params![
            turn.id.as_str(),
            turn.place.community.as_str(),
            turn.place.room.as_str(),
            turn.session.as_str(),
            turn.speaker.id.as_str(),
            written(turn)?,
        ])?;
    }
    Ok(())
}

/// Does to a message's turn what was done to the message.
pub(crate) fn follow(
    connection: &Connection,
    community: &CommunityId,
    change: &MessageChange,
) -> Result<(), Fault> {
    let key_of = |message: &MessageId| TurnKey::of_message(community, message);
    match change {
        MessageChange::Added { .. } | MessageChange::Reacted { .. } => Ok(()),
        MessageChange::Edited { id, text, .. } => edit(connection, &key_of(id), text),
        MessageChange::Deleted { id, at } => settle(connection, &[key_of(id)], *at),
    }
}

pub(crate) fn edit(connection: &Connection, id: &TurnKey, text: &str) -> Result<(), Fault> {
    let mut one = connection.prepare_cached("SELECT turn FROM captured_turns WHERE id = ?1")?;
    let Some(mut turn) = one.query_row([id.as_str()], read).optional()?.transpose()? else {
        return Ok(());
    };
    // As it was captured: without secrets.
    turn.text = redact(text).text;
    connection
        .prepare_cached("UPDATE captured_turns SET turn = ?2 WHERE id = ?1")?
        .execute(params![id.as_str(), written(&turn)?])?;
    Ok(())
}

/// Marks the oldest that nobody holds as held, and gives them.
pub(crate) fn claim(
    connection: &Connection,
    whose: &WhoseTurns,
    max: usize,
) -> Result<Vec<CapturedTurn>, Fault> {
    let claimed = waiting(connection, whose, max)?;
    let mut one = connection.prepare_cached("UPDATE captured_turns SET held = 1 WHERE id = ?1")?;
    for turn in &claimed {
        one.execute([turn.id.as_str()])?;
    }
    Ok(claimed)
}

/// The oldest that nobody holds.
pub(crate) fn waiting(
    connection: &Connection,
    whose: &WhoseTurns,
    max: usize,
) -> Result<Vec<CapturedTurn>, Fault> {
    let (condition, ids) = condition(whose);
    list(
        connection,
        &format!("SELECT turn FROM captured_turns WHERE held = 0 AND {condition} ORDER BY place LIMIT ?2"),
        params![ids, bounded(max, AT_ONCE_MAX)],
    )
}

/// Those that are held, oldest first.
pub(crate) fn held(connection: &Connection, whose: &WhoseTurns) -> Result<Vec<CapturedTurn>, Fault> {
    let (condition, ids) = condition(whose);
    list(
        connection,
        &format!("SELECT turn FROM captured_turns WHERE held = 1 AND {condition} ORDER BY place"),
        [ids],
    )
}

/// The communities that turns wait of.
pub(crate) fn communities_waiting(connection: &Connection) -> Result<Vec<CommunityId>, Fault> {
    let mut some =
        connection.prepare_cached("SELECT DISTINCT community FROM captured_turns WHERE held = 0")?;
    let rows = some.query_map([], |row| row.get::<_, String>(0).map(CommunityId::new))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What a row's community must be; the first parameter is filled with the text.
pub(super) fn condition(whose: &WhoseTurns) -> (&'static str, String) {
    let list = |ids: &[CommunityId]| serde_json::to_string(ids).expect("ids are plain text");
    match whose {
        WhoseTurns::All => ("?1 IS NOT NULL", String::new()),
        WhoseTurns::Of(community) => ("community = ?1", community.as_str().to_owned()),
        WhoseTurns::NotOf(others) => ("community NOT IN (SELECT value FROM json_each(?1))", list(others)),
    }
}

/// Takes turns out for good: none of them comes in again, nor one that is only on its way.
pub(crate) fn settle(connection: &Connection, turns: &[TurnKey], now: WallTime) -> Result<(), Fault> {
    for turn in turns {
        mark_settled(connection, turn, now)?;
        remove(connection, turn)?;
    }
    Ok(())
}

/// Takes out what is to be forgotten, held or not; how many.
pub(crate) fn forget(connection: &Connection, what: &Forget, now: WallTime) -> Result<usize, Fault> {
    let going: Vec<TurnKey> = match what {
        Forget::Turns(turns) => turns.clone(),
        // What waits has no gems yet.
        Forget::Gems(_) => Vec::new(),
        Forget::Person {
            person, community, ..
        } => ids(
            connection,
            "speaker = ?1 AND (?2 IS NULL OR community = ?2)",
            params![person.as_str(), community.as_ref().map(|it| it.as_str())],
        )?,
        Forget::Session(session) => ids(connection, "session = ?1", [session.as_str()])?,
        Forget::Community(community) => ids(connection, "community = ?1", [community.as_str()])?,
        Forget::Room { community, room } => ids(
            connection,
            "community = ?1 AND room = ?2",
            [community.as_str(), room.as_str()],
        )?,
    };
    let mut went = 0;
    for turn in &going {
        mark_settled(connection, turn, now)?;
        went += remove(connection, turn)?;
    }
    Ok(went)
}

pub(crate) fn count(connection: &Connection, whose: &WhoseTurns) -> Result<BufferCount, Fault> {
    let (condition, ids) = condition(whose);
    let of = |held: i64| -> Result<usize, Fault> {
        let rows = connection
            .prepare_cached(&format!(
                "SELECT count(*) FROM captured_turns WHERE {condition} AND held = ?2"
            ))?
            .query_row(params![ids, held], |row| row.get(0))?;
        Ok(usize::try_from(counted(rows)).unwrap_or(usize::MAX))
    };
    Ok(BufferCount {
        waiting: of(0)?,
        held: of(1)?,
        kept_back: 0,
    })
}

fn mark_settled(connection: &Connection, turn: &TurnKey, now: WallTime) -> Result<(), Fault> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO settled_turns (id, settled_at) VALUES (?1, ?2)")?
        .execute(params![turn.as_str(), now.0])?;
    Ok(())
}

fn remove(connection: &Connection, turn: &TurnKey) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached("DELETE FROM captured_turns WHERE id = ?1")?
        .execute([turn.as_str()])?)
}

fn ids(connection: &Connection, which: &str, values: impl Params) -> Result<Vec<TurnKey>, Fault> {
    let mut some = connection.prepare_cached(&format!("SELECT id FROM captured_turns WHERE {which}"))?;
    let rows = some.query_map(values, |row| row.get::<_, String>(0).map(TurnKey::new))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn list(connection: &Connection, sql: &str, values: impl Params) -> Result<Vec<CapturedTurn>, Fault> {
    let mut some = connection.prepare_cached(sql)?;
    let mut turns = Vec::new();
    for turn in some.query_map(values, read)? {
        turns.push(turn??);
    }
    Ok(turns)
}

fn written(turn: &CapturedTurn) -> Result<String, Fault> {
    serde_json::to_string(turn).map_err(Fault::json(format!("turn {}", turn.id)))
}

fn read(row: &Row<'_>) -> rusqlite::Result<Result<CapturedTurn, Fault>> {
    let json = row.get_ref(0)?.as_str()?;
    Ok(serde_json::from_str(json).map_err(Fault::json("a captured turn")))
}
