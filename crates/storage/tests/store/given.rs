//! What the tests put into a store.

use std::path::Path;

use mind::{Input, JournalEntry, JournalEvent, Scope};
use runtime::ports::{AskFilter, AskRecord, Batch, MessageChange, RecordedInput, Store};
use storage::Sqlite;
use tempfile::TempDir;
use vocabulary::{
    AskId, AskPurpose, Author, AuthorKind, CapturedTurn, CommunityId, JournalSeq, Message, MessageId,
    ModelChoice, ModelRequest, Moment, Now, OutputShape, PersonId, Place, RoomId, SessionId, Span, TurnId,
    TurnKey, TurnKind, WallTime,
};

pub const DAY_MS: i64 = 86_400_000;

/// A store in a folder of its own.
pub struct Home {
    pub store: Sqlite,
    pub folder: TempDir,
}

pub fn home() -> Home {
    let folder = TempDir::new().unwrap();
    Home {
        store: Sqlite::open(folder.path()).unwrap(),
        folder,
    }
}

impl Home {
    /// A connection beside the store, to look at what is really in the file, once what is late is there, too.
    pub async fn look(&self) -> rusqlite::Connection {
        let everything = AskFilter::default();
        self.store.asks(&community(), everything).await.unwrap();
        look_into(self.folder.path())
    }

    pub async fn commit(&self, batch: Batch) {
        self.store.commit(&community(), batch).await.unwrap();
    }

    pub async fn add(&self, id: &str, text: &str) {
        self.commit(batch_of([added(message(id, text))])).await;
    }
}

pub fn look_into(folder: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(folder.join("denizen.db")).unwrap()
}

pub fn count(connection: &rusqlite::Connection, sql: &str) -> i64 {
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Turns every bit of a packed journal line over.
pub fn damage_line(connection: &rusqlite::Connection, seq: i64) {
    let one = "SELECT packed FROM journal WHERE seq = ?1";
    let packed: Vec<u8> = connection.query_row(one, [seq], |row| row.get(0)).unwrap();
    let damaged: Vec<u8> = packed.iter().map(|byte| !byte).collect();
    let changed = connection.execute("UPDATE journal SET packed = ?2 WHERE seq = ?1", (seq, damaged));
    assert_eq!(changed.unwrap(), 1);
}

/// SQLite's own opinion of the file, and the search index's.
pub fn assert_sound(connection: &rusqlite::Connection) {
    let verdict: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(verdict, "ok");
    assert_eq!(
        count(connection, "SELECT count(*) FROM pragma_foreign_key_check"),
        0
    );
    connection
        .execute(
            "INSERT INTO messages_index (messages_index, rank) VALUES ('integrity-check', 1)",
            [],
        )
        .expect("the index fits the messages");
}

pub fn community() -> CommunityId {
    CommunityId::new("local")
}

pub fn room() -> RoomId {
    RoomId::new("lobby")
}

pub fn message(id: &str, text: &str) -> Message {
    Message {
        id: MessageId::new(id),
        room: room(),
        author: Author {
            id: PersonId::new("alice"),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        text: text.to_owned(),
        at: WallTime(1_000),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    }
}

pub fn added(message: Message) -> MessageChange {
    MessageChange::Added {
        message,
        turn: None,
        ask: None,
    }
}

pub fn batch_of(changes: impl IntoIterator<Item = MessageChange>) -> Batch {
    Batch {
        changes: changes.into_iter().collect(),
        ..Batch::default()
    }
}

pub fn input(seq: u64, wall: i64) -> RecordedInput {
    RecordedInput {
        seq,
        stepped_before: None,
        now: Now {
            moment: Moment(seq * 10),
            wall: WallTime(wall),
        },
        input: Input::message_arrived(message(&format!("m{seq}"), "hello")),
    }
}

pub fn entry(seq: u64, scope: Scope) -> JournalEntry {
    JournalEntry {
        seq: JournalSeq(seq),
        moment: Moment(seq * 10),
        wall: WallTime(1_000),
        community: community(),
        scope,
        event: JournalEvent::DiceRolled {
            purpose: "test".to_owned(),
            roll: seq,
            below: 50,
            hit: false,
        },
    }
}

pub fn turn(id: &str, text: &str) -> CapturedTurn {
    CapturedTurn {
        id: TurnKey::new(id),
        place: Place {
            community: community(),
            room: room(),
            private: false,
        },
        session: SessionId::new("lobby-1"),
        number: 0,
        speaker: Author {
            id: PersonId::new("alice"),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        kind: TurnKind::Typed,
        text: text.to_owned(),
        at: WallTime(1_000),
    }
}

pub fn ask(number: u64) -> AskRecord {
    AskRecord {
        community: community(),
        ask: AskId(number),
        room: room(),
        turn: TurnId(number / 2),
        started_at: WallTime(i64::try_from(number).unwrap() * 1_000),
        provider: "offline".to_owned(),
        model: "echo".to_owned(),
        url: "http://127.0.0.1/".to_owned(),
        request: ModelRequest {
            purpose: AskPurpose::TextReply,
            choice: ModelChoice {
                provider: "auto".to_owned(),
                model: String::new(),
            },
            system: "Be kind.".to_owned(),
            turns: Vec::new(),
            tools: Vec::new(),
            output: OutputShape::Text,
            max_output_tokens: 100,
            temperature: 0.7,
            deadline: Span::seconds(60),
            sections: Vec::new(),
        },
        raw_request: "{\"the\":\"body\"}".to_owned(),
        raw_response: String::new(),
        outcome: None,
        previous: number.checked_sub(1).map(AskId),
    }
}
