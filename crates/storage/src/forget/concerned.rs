//! What a wish to forget concerns: messages, rooms, model calls and journal lines.

use std::collections::BTreeSet;

use rusqlite::{Connection, Params, params};
use vocabulary::{CommunityId, Forget, PersonId, TurnKey};

use super::reasons;
use super::traces::Traces;
use crate::asks;
use crate::community::{self, Key};
use crate::fault::Fault;

/// Everything concerned, by keys.
#[derive(Debug)]
pub(crate) struct Concerned {
    pub community: Key,
    pub messages: Vec<i64>,
    /// Who is forgotten as a person: messages also lose who wrote them, and their reactions go.
    pub person: Option<PersonId>,
    pub asks: Vec<i64>,
    /// Journal lines as they are to be.
    pub lines: Vec<(i64, String)>,
}

/// Finds what is concerned; none where nothing of that community can be.
pub(crate) fn find(
    connection: &Connection,
    community: &CommunityId,
    what: &Forget,
    turns: &[TurnKey],
    texts: &[String],
) -> Result<Option<Concerned>, Fault> {
    let Some(key) = community::find(connection, community)? else {
        return Ok(None);
    };
    // Other communities have no messages here, but what agents told of them was read and recorded here.
    let is_ours = super::is_about(what, community);
    let nothing = Forget::Turns(Vec::new());
    let what = if is_ours { what } else { &nothing };
    let said = messages(connection, key, community, what, turns)?;
    let traces = Traces::of(
        texts
            .iter()
            .map(String::as_str)
            .chain(said.iter().map(|message| message.text.as_str())),
    );
    let rooms: BTreeSet<&str> = match what {
        Forget::Person { .. } => said.iter().map(|message| message.room.as_str()).collect(),
        Forget::Room { room, .. } => BTreeSet::from([room.as_str()]),
        Forget::Gems(_) | Forget::Turns(_) | Forget::Session(_) => BTreeSet::new(),
        Forget::Community(_) => said.iter().map(|message| message.room.as_str()).collect(),
    };
    let ids: Vec<&str> = said.iter().map(|message| message.id.as_str()).collect();
    Ok(Some(Concerned {
        community: key,
        asks: asks(connection, key, &rooms, &traces)?,
        lines: reasons::find(connection, key, what, &rooms, &ids, &traces)?,
        person: match what {
            Forget::Person { person, .. } => Some(person.clone()),
            Forget::Room { .. }
            | Forget::Community(_)
            | Forget::Gems(_)
            | Forget::Turns(_)
            | Forget::Session(_) => None,
        },
        messages: said.into_iter().map(|message| message.seq).collect(),
    }))
}

struct Said {
    seq: i64,
    id: String,
    room: String,
    text: String,
}

/// Messages by a person, of a room, or by id. Those that were emptied before come along: their author may be named.
fn messages(
    connection: &Connection,
    key: Key,
    community: &CommunityId,
    what: &Forget,
    turns: &[TurnKey],
) -> Result<Vec<Said>, Fault> {
    let mut found = match what {
        Forget::Person { person, .. } => {
            some(connection, "m.author_id = ?2", params![key.0, person.as_str()])?
        }
        Forget::Room { room, .. } => some(connection, "r.id = ?2", params![key.0, room.as_str()])?,
        Forget::Community(_) => some(connection, "1", params![key.0])?,
        Forget::Gems(_) | Forget::Turns(_) | Forget::Session(_) => Vec::new(),
    };
    let named = match what {
        Forget::Turns(turns) => turns.as_slice(),
        _ => &[],
    };
    let ids = turns.iter().chain(named);
    for id in ids.filter_map(|turn| turn.message_of(community)) {
        found.extend(some(connection, "m.id = ?2", params![key.0, id.as_str()])?);
    }
    found.sort_by_key(|message| message.seq);
    found.dedup_by_key(|message| message.seq);
    Ok(found)
}

fn some(connection: &Connection, which: &str, values: impl Params) -> Result<Vec<Said>, Fault> {
    let mut found = connection.prepare_cached(&format!(
        "SELECT m.seq, m.id, r.id, m.text FROM messages m JOIN rooms r ON r.key = m.room
         WHERE m.community = ?1 AND {which}"
    ))?;
    let rows = found.query_map(values, |row| {
        Ok(Said {
            seq: row.get(0)?,
            id: row.get(1)?,
            room: row.get(2)?,
            text: row.get(3)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// All model calls of those rooms, and those of others that hold words of what is forgotten.
fn asks(
    connection: &Connection,
    key: Key,
    rooms: &BTreeSet<&str>,
    traces: &Traces,
) -> Result<Vec<i64>, Fault> {
    let mut all = connection.prepare_cached(
        "SELECT key, room, request, raw_request, packed, outcome, raw_response, packed_answer FROM asks WHERE community = ?1",
    )?;
    let mut rows = all.query([key.0])?;
    let mut going = Vec::new();
    while let Some(row) = rows.next()? {
        let room = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
        let mut goes = rooms.contains(room);
        if !goes {
            // What cannot be unpacked cannot be looked through, so it goes, too.
            let sent = asks::sent(row, 2);
            goes = sent.map_or(true, |sent| sent.iter().any(|text| traces.are_in(text)));
        }
        if !goes {
            let answered = asks::answered(row, 5);
            goes = answered.map_or(true, |(outcome, response)| {
                outcome.is_some_and(|outcome| traces.are_in(&outcome)) || traces.are_in(&response)
            });
        }
        if goes {
            going.push(row.get(0)?);
        }
    }
    Ok(going)
}
