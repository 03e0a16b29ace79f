//! Forgetting outside memory itself: messages, model calls, recordings, and reasons in the journal.
//!
//! What is concerned is looked up first, without holding anybody up; then it goes in small pieces; and in the end
//! the file is rewritten, since SQLite leaves copies of rows that it once moved between pages where they were.

mod concerned;
mod reasons;
mod traces;

use runtime::ports::{Forgetting, Forgotten, StoreError};
use rusqlite::{Connection, params};
use vocabulary::{CommunityId, Forget, PersonId, WallTime};

use crate::community::Key;
use crate::fault::Fault;
use crate::number::{key_of, stored};
use crate::packed::Kept;
use crate::sqlite::Sqlite;
use crate::{attachments, due, reactions, vacuum};
use concerned::Concerned;

const FORGETTING: &str = "forgetting";
/// Rows that one write changes at most.
const PIECE: usize = 500;
/// The same for rows that may be megabytes each.
const PIECE_OF_LARGE: usize = 20;

/// Makes a community's store forget.
pub(crate) async fn forget(
    sqlite: &Sqlite,
    community: &CommunityId,
    forgetting: Forgetting,
) -> Result<Forgotten, StoreError> {
    let Forgetting {
        what,
        turns,
        texts,
        first_kept,
    } = forgetting;
    let id = community.clone();
    // What waits would be written after it was looked for.
    sqlite.catch_up(FORGETTING).await?;
    let found = sqlite
        .read_at_once(FORGETTING, move |connection| {
            concerned::find(connection, &id, &what, &turns, &texts)
        })
        .await?;
    let Some(found) = found else {
        return Ok(Forgotten::default());
    };
    let mut gone = Forgotten::default();
    sqlite.write(FORGETTING, vacuum::want_rewrite).await?;
    let Concerned {
        community: key,
        asks,
        lines,
        messages,
        person,
    } = found;
    sqlite
        .write(FORGETTING, move |connection| due::forget(connection, key))
        .await?;
    let nameless = person.is_some();
    for piece in asks.chunks(PIECE_OF_LARGE).map(<[i64]>::to_vec) {
        let deleted = sqlite.write(FORGETTING, move |connection| delete_asks(connection, &piece));
        gone.asks += deleted.await?;
    }
    for piece in lines.chunks(PIECE).map(<[(i64, String)]>::to_vec) {
        let changed = sqlite.write(FORGETTING, move |connection| rewrite_lines(connection, &piece));
        gone.journal_lines += changed.await?;
    }
    for piece in messages.chunks(PIECE).map(<[i64]>::to_vec) {
        let emptied = sqlite.write(FORGETTING, move |connection| {
            empty_messages(connection, &piece, nameless, runtime::wall())
        });
        gone.messages += emptied.await?;
    }
    if let Some(person) = person {
        remove_reactions(sqlite, key, person).await?;
    }
    // The input that told the mind goes last: until then a start after a crash knows that this is not done.
    gone.inputs = end_recordings(sqlite, key, first_kept.unwrap_or(u64::MAX)).await?;
    sqlite.rewrite(FORGETTING).await?;
    Ok(gone)
}

/// Whether a wish is about a community at all.
fn is_about(what: &Forget, community: &CommunityId) -> bool {
    match what {
        Forget::Person { community: only, .. } => only.as_ref().is_none_or(|only| only == community),
        Forget::Room { community: its, .. } | Forget::Community(its) => its == community,
        Forget::Gems(_) | Forget::Turns(_) | Forget::Session(_) => true,
    }
}

/// Ends every recording before an input; the inputs, which nobody needs from then on, follow in pieces, oldest first.
async fn end_recordings(sqlite: &Sqlite, key: Key, first_kept: u64) -> Result<u64, StoreError> {
    sqlite
        .write(FORGETTING, move |connection| {
            for sql in [
                "DELETE FROM states WHERE community = ?1 AND input < ?2 - 1",
                "DELETE FROM segments WHERE community = ?1 AND first_input < ?2",
            ] {
                connection
                    .prepare_cached(sql)?
                    .execute(params![key.0, stored(first_kept)])?;
            }
            Ok(())
        })
        .await?;
    let mut gone = 0;
    loop {
        let went = sqlite
            .write(FORGETTING, move |connection| {
                // With the promise itself: a sweep may have rewritten the file since this began.
                vacuum::want_rewrite(connection)?;
                let piece = stored(PIECE as u64);
                Ok(connection
                    .prepare_cached(
                        "DELETE FROM inputs WHERE key IN
                             (SELECT key FROM inputs WHERE key >= ?1 AND key < ?2 ORDER BY key LIMIT ?3)",
                    )?
                    .execute(params![key_of(key, 0), key_of(key, first_kept), piece])?)
            })
            .await?;
        if went == 0 {
            return Ok(gone);
        }
        gone += went as u64;
    }
}

async fn remove_reactions(sqlite: &Sqlite, key: Key, person: PersonId) -> Result<(), StoreError> {
    loop {
        let person = person.clone();
        let went = sqlite
            .write(FORGETTING, move |connection| {
                reactions::remove_of(connection, key, &person, stored(PIECE as u64))
            })
            .await?;
        if went == 0 {
            return Ok(());
        }
    }
}

fn delete_asks(connection: &Connection, asks: &[i64]) -> Result<u64, Fault> {
    let mut one = connection.prepare_cached("DELETE FROM asks WHERE key = ?1")?;
    let mut gone = 0;
    for ask in asks {
        gone += one.execute([ask])? as u64;
    }
    Ok(gone)
}

fn rewrite_lines(connection: &Connection, lines: &[(i64, String)]) -> Result<u64, Fault> {
    let mut one = connection.prepare_cached("UPDATE journal SET line = ?2, packed = ?3 WHERE key = ?1")?;
    let mut changed = 0;
    for (key, line) in lines {
        let kept = Kept::of(line);
        changed += one.execute(params![key, kept.text, kept.packed])? as u64;
    }
    Ok(changed)
}

/// Empties messages as if they had been taken back; with `nameless`, of who wrote them too.
fn empty_messages(
    connection: &Connection,
    messages: &[i64],
    nameless: bool,
    now: WallTime,
) -> Result<u64, Fault> {
    let mut empty = connection.prepare_cached(
        "UPDATE messages SET deleted_at = ?2, text = '', mentions = '[]', attachments = '[]'
         WHERE seq = ?1 AND deleted_at IS NULL",
    )?;
    let mut unname =
        connection.prepare_cached("UPDATE messages SET author_id = '', author_name = '' WHERE seq = ?1")?;
    let mut emptied = 0;
    for message in messages {
        emptied += empty.execute(params![message, now.0])? as u64;
        attachments::unlink(connection, *message)?;
        reactions::remove_under(connection, *message)?;
        if nameless {
            unname.execute([message])?;
        }
    }
    Ok(emptied)
}
