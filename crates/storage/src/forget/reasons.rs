//! Journal lines hold no messages, but some give a reason in the words of a model or a provider, who may have quoted
//! one; and they name who wrote. What may hold something forgotten is taken out; the line stays.

use std::collections::BTreeSet;

use mind::JournalEntry;
use rusqlite::{Connection, params};
use serde_json::Value;
use vocabulary::{Forget, PersonId};

use super::traces::Traces;
use crate::community::Key;
use crate::fault::Fault;

/// Fields of events that carry somebody else's words.
const IN_OTHER_WORDS: [&str; 2] = ["detail", "failure"];

/// The lines that change, as they are to be: in lines of those rooms and about those messages every reason in other
/// words goes; elsewhere only what holds words of what is forgotten.
pub(crate) fn find(
    connection: &Connection,
    key: Key,
    what: &Forget,
    rooms: &BTreeSet<&str>,
    messages: &[&str],
    traces: &Traces,
) -> Result<Vec<(i64, String)>, Fault> {
    let person = match what {
        Forget::Person { person, .. } => Some(person),
        _ => None,
    };
    let about = about(connection, key, messages)?;
    let mut all = connection.prepare_cached("SELECT key, room, line FROM journal WHERE community = ?1")?;
    let mut rows = all.query([key.0])?;
    let mut changed = Vec::new();
    while let Some(row) = rows.next()? {
        let line: i64 = row.get(0)?;
        let room = row.get_ref(1)?.as_str_or_null().map_err(rusqlite::Error::from)?;
        let text = row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?;
        let whole = about.contains(&line) || room.is_some_and(|room| rooms.contains(room));
        changed.extend(without(text, whole, person, traces).map(|text| (line, text)));
    }
    Ok(changed)
}

/// Lines about messages, and every line of the turns those were part of.
fn about(connection: &Connection, key: Key, messages: &[&str]) -> Result<BTreeSet<i64>, Fault> {
    let mut some = connection.prepare_cached(
        "WITH about AS (
             SELECT j.key, j.turn FROM journal_about a
             CROSS JOIN journal j ON j.community = a.community AND j.seq = a.seq
             WHERE a.community = ?1 AND a.message = ?2)
         SELECT key FROM about
         UNION SELECT j.key FROM about CROSS JOIN journal j ON j.community = ?1 AND j.turn = about.turn",
    )?;
    let mut lines = BTreeSet::new();
    for message in messages {
        for line in some.query_map(params![key.0, message], |row| row.get(0))? {
            lines.insert(line?);
        }
    }
    Ok(lines)
}

/// The line without what must go; none where it stays as it is, or is of a version that we cannot read.
fn without(line: &str, whole: bool, person: Option<&PersonId>, traces: &Traces) -> Option<String> {
    let mut value: Value = serde_json::from_str(line).ok()?;
    let data = value.get("data")?.as_object()?;
    let is_theirs =
        person.is_some_and(|person| data.get("author").and_then(Value::as_str) == Some(person.as_str()));
    let going: Vec<String> = data
        .iter()
        .filter_map(|(field, value)| Some((field, value.as_str().filter(|text| !text.is_empty())?)))
        .filter(|(field, text)| {
            (whole && IN_OTHER_WORDS.contains(&field.as_str()))
                || (is_theirs && field.as_str() == "authorName")
                || traces.are_in(text)
        })
        .map(|(field, _)| field.clone())
        .collect();
    let mut entry: Option<JournalEntry> = None;
    for field in going {
        let mut emptied = value.clone();
        emptied["data"][field.as_str()] = Value::String(String::new());
        // A field that cannot be empty is one of our own words, not somebody's.
        if let Ok(readable) = serde_json::from_value(emptied.clone()) {
            entry = Some(readable);
            value = emptied;
        }
    }
    serde_json::to_string(&entry?).ok()
}
