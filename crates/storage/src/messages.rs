//! Messages: what happens to them, and reading a room.

use runtime::ports::{MessageChange, MessagePage, MessageQuery, StoredMessage};
use rusqlite::{Connection, OptionalExtension, params};
use vocabulary::{AskId, Author, AuthorKind, Message, MessageId, RoomId, TurnId, WallTime};

use crate::community::Key;
use crate::fault::Fault;
use crate::number::{bounded, counted, stored};
use crate::{attachments, reactions, row};

/// Messages in one page at most.
const PAGE_MAX: usize = 1_000;

/// Does what happened to a message; the place of one that is new, which may have been given to it before.
pub(crate) fn change(
    connection: &Connection,
    community: Key,
    change: &MessageChange,
    place: Option<u64>,
) -> Result<Option<u64>, Fault> {
    match change {
        MessageChange::Added { message, turn, ask } => {
            return add(connection, community, message, (*turn, *ask), place);
        }
        MessageChange::Edited { id, text, at } => edit(connection, community, id, text, *at)?,
        MessageChange::Deleted { id, at } => take_back(connection, community, id, *at)?,
        MessageChange::Reacted {
            message,
            person,
            emoji,
            added: true,
            at,
        } => reactions::add(connection, community, message, person, emoji, *at)?,
        MessageChange::Reacted {
            message,
            person,
            emoji,
            added: false,
            ..
        } => reactions::take_back(connection, community, message, person, emoji)?,
    }
    Ok(None)
}

/// The key of a room where something was said.
pub(crate) fn find_room(
    connection: &Connection,
    community: Key,
    room: &RoomId,
) -> Result<Option<i64>, Fault> {
    Ok(connection
        .prepare_cached("SELECT key FROM rooms WHERE community = ?1 AND id = ?2")?
        .query_row(params![community.0, room.as_str()], |row| row.get(0))
        .optional()?)
}

pub(crate) fn message(
    connection: &Connection,
    community: Key,
    id: &MessageId,
) -> Result<Option<StoredMessage>, Fault> {
    let columns = row::COLUMNS;
    let mut one = connection.prepare_cached(&format!(
        "SELECT {columns} FROM messages m JOIN rooms r ON r.key = m.room
         WHERE m.community = ?1 AND m.id = ?2 AND m.deleted_at IS NULL"
    ))?;
    let mut rows = one.query(params![community.0, id.as_str()])?;
    let Some(mut found) = rows.next()?.map(row::read).transpose()? else {
        return Ok(None);
    };
    found.reactions = reactions::under(connection, found.seq)?;
    Ok(Some(found))
}

/// Those that are there, in the order asked for.
pub(crate) fn of_ids(
    connection: &Connection,
    community: Key,
    ids: &[MessageId],
) -> Result<Vec<StoredMessage>, Fault> {
    let mut found = Vec::new();
    for id in ids {
        found.extend(message(connection, community, id)?);
    }
    Ok(found)
}

/// The greatest place that a message was ever stored in.
pub(crate) fn last_place(connection: &Connection) -> Result<u64, Fault> {
    let last = connection
        .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'messages'")?
        .query_row([], |row| row.get(0).map(counted))
        .optional()?;
    Ok(last.unwrap_or_default())
}

/// Whether there is a message or the marker of one that was taken back or forgotten.
pub(crate) fn was_there(connection: &Connection, community: Key, id: &MessageId) -> Result<bool, Fault> {
    let mut one = connection.prepare_cached("SELECT 1 FROM messages WHERE community = ?1 AND id = ?2")?;
    Ok(one.exists(params![community.0, id.as_str()])?)
}

/// The next name of somebody who has written, and the next one who has, by an index: however much each has written, it is one
/// step. A comparison of both columns at once would step over every message.
const NEXT_NAME: &str = "SELECT author_id, author_name, author_kind FROM messages
    WHERE community = ?1 AND author_id = ?2 AND author_name > ?3 ORDER BY author_name LIMIT 1";
const NEXT_PERSON: &str = "SELECT author_id, author_name, author_kind FROM messages
    WHERE community = ?1 AND author_id > ?2 ORDER BY author_id, author_name LIMIT 1";

/// Everybody who has written, Denizen aside, under each name they had. It takes as long as there are people, not messages.
pub(crate) fn people(connection: &Connection, community: Key) -> Result<Vec<Author>, Fault> {
    let mut next_name = connection.prepare_cached(NEXT_NAME)?;
    let mut next_person = connection.prepare_cached(NEXT_PERSON)?;
    let read = |row: &rusqlite::Row<'_>| Ok(row::author(row, 0));
    let mut people = Vec::new();
    let (mut id, mut name) = (String::new(), String::new());
    loop {
        let found = next_name
            .query_row(params![community.0, id, name], read)
            .optional()?;
        let found = match found {
            Some(found) => Some(found),
            None => next_person.query_row(params![community.0, id], read).optional()?,
        };
        let Some(author) = found.transpose()? else {
            return Ok(people);
        };
        author.id.as_str().clone_into(&mut id);
        name.clone_from(&author.name);
        if author.kind != AuthorKind::Denizen {
            people.push(author);
        }
    }
}

/// Who wrote the newest messages of a room, each once under each name, who began first in front. Nothing else is read.
pub(crate) fn writers_lately(
    connection: &Connection,
    community: Key,
    room: &RoomId,
    count: usize,
) -> Result<Vec<Author>, Fault> {
    let Some(room) = find_room(connection, community, room)? else {
        return Ok(Vec::new());
    };
    let mut newest = connection.prepare_cached(
        "SELECT author_id, author_name, author_kind FROM messages
         WHERE room = ?1 AND deleted_at IS NULL ORDER BY seq DESC LIMIT ?2",
    )?;
    let mut rows = newest.query(params![room, bounded(count, PAGE_MAX)])?;
    // From the newest to the oldest: whoever comes up again began earlier than it looked.
    let mut writers: Vec<Author> = Vec::new();
    while let Some(row) = rows.next()? {
        let author = row::author(row, 0)?;
        writers.retain(|known| *known != author);
        writers.push(author);
    }
    writers.reverse();
    Ok(writers)
}

pub(crate) fn page(
    connection: &Connection,
    community: Key,
    query: &MessageQuery,
) -> Result<MessagePage, Fault> {
    let forward = query.after.is_some();
    let order = if forward { "ASC" } else { "DESC" };
    let limit = bounded(query.limit, PAGE_MAX);
    let columns = row::COLUMNS;
    let mut some = connection.prepare_cached(&format!(
        "SELECT {columns} FROM messages m JOIN rooms r ON r.key = m.room
         WHERE m.room = ?1 AND m.deleted_at IS NULL AND m.seq > ?2 AND m.seq < ?3
         ORDER BY m.seq {order} LIMIT ?4"
    ))?;
    let Some(room) = find_room(connection, community, &query.room)? else {
        return Ok(MessagePage::default());
    };
    let after = query.after.map_or(-1, stored);
    let before = query.before.map_or(i64::MAX, stored);
    let mut rows = some.query(params![room, after, before, limit + 1])?;
    let mut messages = Vec::new();
    let mut has_more = false;
    while let Some(row) = rows.next()? {
        if messages.len() as i64 == limit {
            has_more = true;
            break;
        }
        let mut found = row::read(row)?;
        found.reactions = reactions::under(connection, found.seq)?;
        messages.push(found);
    }
    if !forward {
        messages.reverse();
    }
    Ok(MessagePage { messages, has_more })
}

fn add(
    connection: &Connection,
    community: Key,
    message: &Message,
    (turn, ask): (Option<TurnId>, Option<AskId>),
    place: Option<u64>,
) -> Result<Option<u64>, Fault> {
    let room = match find_room(connection, community, &message.room)? {
        Some(room) => room,
        None => connection
            .prepare_cached("INSERT INTO rooms (community, id) VALUES (?1, ?2) RETURNING key")?
            .query_row(params![community.0, message.room.as_str()], |row| row.get(0))?,
    };
    let written = || format!("message {}", message.id);
    let mentions = serde_json::to_string(&message.mentions).map_err(Fault::json(written()))?;
    let attached = serde_json::to_string(&message.attachments).map_err(Fault::json(written()))?;
    let place: Option<i64> = connection
        .prepare_cached(
            "INSERT INTO messages (community, id, room, author_id, author_name, author_kind, text, at, reply_to,
                 mentions, attachments, turn, ask, spoken, sign, seq)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
             ON CONFLICT (community, id) DO NOTHING RETURNING seq",
        )?
        .query_row(
            params![
                community.0,
                message.id.as_str(),
                room,
                message.author.id.as_str(),
                message.author.name,
                row::kind_name(message.author.kind),
                message.text,
                message.at.0,
                message.reply_to.as_ref().map(MessageId::as_str),
                mentions,
                attached,
                turn.map(|turn| stored(turn.0)),
                ask.map(|ask| stored(ask.0)),
                message.spoken,
                message.sign,
                place.map(stored),
            ],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(place) = place {
        attachments::link(connection, place, &message.attachments)?;
    }
    Ok(place.map(counted))
}

fn edit(
    connection: &Connection,
    community: Key,
    id: &MessageId,
    text: &str,
    at: WallTime,
) -> Result<(), Fault> {
    connection
        .prepare_cached(
            "UPDATE messages SET text = ?3, edited_at = ?4
             WHERE community = ?1 AND id = ?2 AND deleted_at IS NULL",
        )?
        .execute(params![community.0, id.as_str(), text, at.0])?;
    Ok(())
}

/// Empties the row and keeps it as a marker, so that the same message, coming late, is not stored again.
fn take_back(connection: &Connection, community: Key, id: &MessageId, at: WallTime) -> Result<(), Fault> {
    let place: Option<i64> = connection
        .prepare_cached(
            "UPDATE messages SET deleted_at = ?3, text = '', mentions = '[]', attachments = '[]'
             WHERE community = ?1 AND id = ?2 AND deleted_at IS NULL RETURNING seq",
        )?
        .query_row(params![community.0, id.as_str(), at.0], |row| row.get(0))
        .optional()?;
    match place {
        Some(place) => {
            reactions::remove_under(connection, place)?;
            attachments::unlink(connection, place)
        }
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "messages_tests.rs"]
mod messages_tests;
