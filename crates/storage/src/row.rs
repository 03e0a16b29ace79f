//! A message as a row.

use runtime::ports::StoredMessage;
use rusqlite::Row;
use vocabulary::{AskId, Author, AuthorKind, Message, MessageId, PersonId, RoomId, TurnId, WallTime};

use crate::fault::Fault;
use crate::number::counted;

/// What [`read`] needs, in its order, from `messages m JOIN rooms r ON r.key = m.room`.
pub(crate) const COLUMNS: &str = "m.seq, m.id, r.id, m.author_id, m.author_name, m.author_kind, m.text, m.at, \
     m.reply_to, m.mentions, m.attachments, m.edited_at, m.turn, m.ask, m.spoken, m.sign";

/// Without what people put under it, which is in rows of its own.
pub(crate) fn read(row: &Row<'_>) -> Result<StoredMessage, Fault> {
    let text = |index: usize| -> Result<String, Fault> { Ok(row.get(index)?) };
    let number =
        |index: usize| -> Result<Option<u64>, Fault> { Ok(row.get::<_, Option<i64>>(index)?.map(counted)) };
    let id = text(1)?;
    let message = Message {
        room: RoomId::new(text(2)?),
        author: author(row, 3)?,
        text: text(6)?,
        at: WallTime(row.get(7)?),
        reply_to: row.get::<_, Option<String>>(8)?.map(MessageId::new),
        mentions: list(&text(9)?, &id)?,
        attachments: list(&text(10)?, &id)?,
        reply_to_author: None,
        spoken: row.get::<_, i64>(14)? != 0,
        sign: row.get::<_, i64>(15)? != 0,
        id: MessageId::new(id),
    };
    Ok(StoredMessage {
        seq: counted(row.get(0)?),
        message,
        edited_at: row.get::<_, Option<i64>>(11)?.map(WallTime),
        turn: number(12)?.map(TurnId),
        ask: number(13)?.map(AskId),
        reactions: Vec::new(),
    })
}

/// Who wrote, from three columns: their id, their name, and what they are.
pub(crate) fn author(row: &Row<'_>, first: usize) -> Result<Author, Fault> {
    Ok(Author {
        id: PersonId::new(row.get::<_, String>(first)?),
        name: row.get(first + 1)?,
        kind: kind_called(&row.get::<_, String>(first + 2)?)?,
    })
}

pub(crate) fn kind_name(kind: AuthorKind) -> &'static str {
    match kind {
        AuthorKind::Person => "person",
        AuthorKind::Denizen => "denizen",
        AuthorKind::OtherBot => "other_bot",
    }
}

fn kind_called(name: &str) -> Result<AuthorKind, Fault> {
    [AuthorKind::Person, AuthorKind::Denizen, AuthorKind::OtherBot]
        .into_iter()
        .find(|kind| kind_name(*kind) == name)
        .ok_or_else(|| Fault::Told(format!("a message has an author of the unknown kind {name:?}")))
}

fn list<T: serde::de::DeserializeOwned>(json: &str, message: &str) -> Result<Vec<T>, Fault> {
    serde_json::from_str(json).map_err(Fault::json(format!("a list of message {message}")))
}
