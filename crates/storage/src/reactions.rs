//! What people put under a message: once per person and emoji, gone with the message.

use runtime::ports::Reaction;
use rusqlite::{Connection, params};
use vocabulary::{MessageId, PersonId, WallTime};

use crate::community::Key;
use crate::fault::Fault;
use crate::number::stored;

/// Puts a reaction under a message that is there; the same again keeps the first.
pub(crate) fn add(
    connection: &Connection,
    community: Key,
    message: &MessageId,
    person: &PersonId,
    emoji: &str,
    at: WallTime,
) -> Result<(), Fault> {
    connection
        .prepare_cached(
            "INSERT INTO reactions (message, person, emoji, at)
             SELECT seq, ?3, ?4, ?5 FROM messages WHERE community = ?1 AND id = ?2 AND deleted_at IS NULL
             ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            community.0,
            message.as_str(),
            person.as_str(),
            emoji,
            at.0
        ])?;
    Ok(())
}

pub(crate) fn take_back(
    connection: &Connection,
    community: Key,
    message: &MessageId,
    person: &PersonId,
    emoji: &str,
) -> Result<(), Fault> {
    connection
        .prepare_cached(
            "DELETE FROM reactions WHERE message = (SELECT seq FROM messages WHERE community = ?1 AND id = ?2)
             AND person = ?3 AND emoji = ?4",
        )?
        .execute(params![community.0, message.as_str(), person.as_str(), emoji])?;
    Ok(())
}

/// What is under the message at a place.
pub(crate) fn under(connection: &Connection, message: u64) -> Result<Vec<Reaction>, Fault> {
    let mut some = connection.prepare_cached(
        "SELECT emoji, person FROM reactions WHERE message = ?1 ORDER BY at, person, emoji",
    )?;
    let mut rows = some.query([stored(message)])?;
    let mut found: Vec<Reaction> = Vec::new();
    while let Some(row) = rows.next()? {
        let emoji: String = row.get(0)?;
        let person = PersonId::new(row.get::<_, String>(1)?);
        match found.iter_mut().find(|reaction| reaction.emoji == emoji) {
            Some(reaction) => reaction.people.push(person),
            None => found.push(Reaction {
                emoji,
                people: vec![person],
            }),
        }
    }
    Ok(found)
}

pub(crate) fn remove_under(connection: &Connection, message: i64) -> Result<(), Fault> {
    connection
        .prepare_cached("DELETE FROM reactions WHERE message = ?1")?
        .execute([message])?;
    Ok(())
}

/// Removes what a person put anywhere in a community, a piece at a time; how many went, 0 when none are left.
pub(crate) fn remove_of(
    connection: &Connection,
    community: Key,
    person: &PersonId,
    piece: i64,
) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached(
            "DELETE FROM reactions WHERE (message, person, emoji) IN (
                 SELECT o.message, o.person, o.emoji FROM reactions o
                 JOIN messages m ON m.seq = o.message
                 WHERE o.person = ?2 AND m.community = ?1 LIMIT ?3)",
        )?
        .execute(params![community.0, person.as_str(), piece])?)
}
