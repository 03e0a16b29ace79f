//! Journal lines hold no messages, but some give a reason in the words of a model or a provider, who may have quoted
//! one; and they name who wrote. What may hold something forgotten is taken out; the line stays.

use std::collections::BTreeSet;

use mind::JournalEntry;
use rusqlite::Connection;
use serde_json::Value;
use vocabulary::Forget;

use super::traces::Traces;
use crate::community::Key;
use crate::fault::Fault;
use crate::number::key_of;
use crate::{journal, packed};

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
    let who = match what {
        Forget::Person { person, name, .. } => Some(Who {
            id: person.as_str(),
            name,
        }),
        _ => None,
    };
    let about = about(connection, key, messages)?;
    let mut all = connection
        .prepare_cached("SELECT key, room, line, packed FROM journal WHERE key BETWEEN ?1 AND ?2")?;
    let mut rows = all.query([key_of(key, 0), key_of(key, u64::MAX)])?;
    let mut changed = Vec::new();
    while let Some(row) = rows.next()? {
        let line: i64 = row.get(0)?;
        let room = row.get_ref(1)?.as_str_or_null().map_err(rusqlite::Error::from)?;
        let Ok(text) = packed::text(row, 2, 3) else {
            // It cannot be looked through, so all of it goes.
            changed.push((line, String::new()));
            continue;
        };
        let whole = about.contains(&line) || room.is_some_and(|room| rooms.contains(room));
        changed.extend(without(&text, whole, who.as_ref(), traces).map(|text| (line, text)));
    }
    Ok(changed)
}

/// Lines about messages, and every line of the turns those were part of.
fn about(connection: &Connection, key: Key, messages: &[&str]) -> Result<BTreeSet<i64>, Fault> {
    let wanted: BTreeSet<&str> = messages.iter().copied().collect();
    let mut lines = BTreeSet::new();
    let mut turns = BTreeSet::new();
    if wanted.is_empty() {
        return Ok(lines);
    }
    // All of them are looked through for words in any case.
    let mut all = connection
        .prepare_cached("SELECT key, turn, line, packed FROM journal WHERE key BETWEEN ?1 AND ?2")?;
    let mut rows = all.query([key_of(key, 0), key_of(key, u64::MAX)])?;
    while let Some(row) = rows.next()? {
        let line = packed::text(row, 2, 3).unwrap_or_default();
        if journal::is_about(&line, |message| wanted.contains(message.as_str())) {
            lines.insert(row.get(0)?);
            turns.extend(row.get::<_, Option<i64>>(1)?);
        }
    }
    for turn in turns {
        lines.extend(journal::of_turn(connection, key, turn)?);
    }
    Ok(lines)
}

/// The line without what must go; none where it stays as it is, or is of a version that we cannot read.
fn without(line: &str, whole: bool, who: Option<&Who<'_>>, traces: &Traces) -> Option<String> {
    let mut value: Value = serde_json::from_str(line).ok()?;
    let fields: Vec<String> = value.get("data")?.as_object()?.keys().cloned().collect();
    let mut entry: Option<JournalEntry> = None;
    for field in fields {
        let mut emptied = value.clone();
        let goes = |text: &str| {
            (whole && IN_OTHER_WORDS.contains(&field.as_str()))
                || who.is_some_and(|who| who.is(text))
                || traces.are_in(text)
        };
        if !empty(&mut emptied["data"][field.as_str()], &goes) {
            continue;
        }
        // A field that cannot be empty is one of our own words, not somebody's.
        if let Ok(readable) = serde_json::from_str(&emptied.to_string()) {
            entry = Some(readable);
            value = emptied;
        }
    }
    serde_json::to_string(&entry?).ok()
}

/// Empties every text that goes, however deep it stands; whether there was one.
fn empty(value: &mut Value, goes: &impl Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) if !text.is_empty() && goes(text) => {
            text.clear();
            true
        }
        Value::Array(items) => items.iter_mut().fold(false, |any, item| empty(item, goes) | any),
        Value::Object(fields) => fields
            .values_mut()
            .fold(false, |any, field| empty(field, goes) | any),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Somebody who is forgotten, as lines may name them.
struct Who<'a> {
    id: &'a str,
    name: &'a str,
}

impl Who<'_> {
    fn is(&self, text: &str) -> bool {
        let is_name = || text.trim().to_lowercase() == self.name.trim().to_lowercase();
        text == self.id || (!self.name.trim().is_empty() && is_name())
    }
}
