//! The bytes of attachments. They are put before their message is, and go with the last message that has them.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, params};
use vocabulary::{Attachment, AttachmentId, WallTime};

use crate::community::Key;
use crate::fault::Fault;

/// Keeps bytes; an id that is there already keeps what it has.
pub(crate) fn put(
    connection: &Connection,
    community: Key,
    id: &AttachmentId,
    mime: &str,
    bytes: &[u8],
    now: WallTime,
) -> Result<(), Fault> {
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO attachments (community, id, mime, bytes, put_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![community.0, id.as_str(), mime, bytes, now.0])?;
    Ok(())
}

pub(crate) fn read(
    connection: &Connection,
    community: Key,
    id: &AttachmentId,
) -> Result<Option<(String, Bytes)>, Fault> {
    Ok(connection
        .prepare_cached("SELECT mime, bytes FROM attachments WHERE community = ?1 AND id = ?2")?
        .query_row(params![community.0, id.as_str()], |row| {
            Ok((row.get(0)?, Bytes::from(row.get::<_, Vec<u8>>(1)?)))
        })
        .optional()?)
}

/// Notes which attachments a message has.
pub(crate) fn link(connection: &Connection, message: i64, attachments: &[Attachment]) -> Result<(), Fault> {
    for attachment in attachments {
        connection
            .prepare_cached(
                "INSERT OR IGNORE INTO message_attachments (message, attachment) VALUES (?1, ?2)",
            )?
            .execute(params![message, attachment.id.as_str()])?;
    }
    Ok(())
}

/// Forgets the attachments of a message, and their bytes where no other message has them.
pub(crate) fn unlink(connection: &Connection, message: i64) -> Result<(), Fault> {
    connection
        .prepare_cached(
            "DELETE FROM attachments
             WHERE community = (SELECT community FROM messages WHERE seq = ?1)
             AND id IN (SELECT attachment FROM message_attachments WHERE message = ?1)
             AND NOT EXISTS (SELECT 1 FROM message_attachments other JOIN messages m ON m.seq = other.message
                 WHERE other.attachment = attachments.id AND other.message <> ?1
                 AND m.community = attachments.community)",
        )?
        .execute([message])?;
    connection
        .prepare_cached("DELETE FROM message_attachments WHERE message = ?1")?
        .execute([message])?;
    Ok(())
}
