-- The first schema. Never edited once released: a change is a new numbered file.

PRAGMA application_id = 0x44454E5A; -- "DENZ"

-- One row per mind: the greatest numbers ever used, which retention must never make smaller.
CREATE TABLE communities (
    key              INTEGER PRIMARY KEY,
    id               TEXT    NOT NULL UNIQUE,
    last_input       INTEGER NOT NULL DEFAULT 0,
    last_moment      INTEGER NOT NULL DEFAULT 0,
    last_wall        INTEGER NOT NULL DEFAULT 0,
    last_journal     INTEGER NOT NULL DEFAULT 0,
    last_turn        INTEGER NOT NULL DEFAULT 0,
    last_ask         INTEGER NOT NULL DEFAULT 0,
    settings_version INTEGER NOT NULL DEFAULT 0 -- in force after the last input
) STRICT;

CREATE TABLE rooms (
    key       INTEGER PRIMARY KEY,
    community INTEGER NOT NULL REFERENCES communities (key),
    id        TEXT    NOT NULL UNIQUE,
    live      INTEGER NOT NULL DEFAULT 0 -- messages that are not deleted; search needs to know how common a word is
) STRICT;

-- AUTOINCREMENT: a place is never used twice, even after the newest message was swept away.
CREATE TABLE messages (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT    NOT NULL UNIQUE,
    room        INTEGER NOT NULL REFERENCES rooms (key),
    author_id   TEXT    NOT NULL,
    author_name TEXT    NOT NULL,
    author_kind TEXT    NOT NULL,
    text        TEXT    NOT NULL,
    at          INTEGER NOT NULL,
    reply_to    TEXT,
    mentions    TEXT    NOT NULL, -- JSON list
    attachments TEXT    NOT NULL, -- JSON list
    edited_at   INTEGER,
    deleted_at  INTEGER,
    turn        INTEGER,
    ask         INTEGER
) STRICT;
CREATE INDEX messages_by_room ON messages (room, seq) WHERE deleted_at IS NULL;
CREATE INDEX messages_by_age ON messages (at);

CREATE TABLE attachments (
    id     TEXT    PRIMARY KEY,
    mime   TEXT    NOT NULL,
    bytes  BLOB    NOT NULL,
    put_at INTEGER NOT NULL
) STRICT;
CREATE INDEX attachments_by_age ON attachments (put_at);

CREATE TABLE message_attachments (
    message    INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
    attachment TEXT    NOT NULL,
    PRIMARY KEY (message, attachment)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_of_attachment ON message_attachments (attachment);

-- The search index. A message's room is a word of its own in it, so that a search reads one room's part only.
CREATE VIEW messages_searchable AS
    SELECT seq, 'r' || room AS room, text FROM messages WHERE deleted_at IS NULL;
CREATE VIRTUAL TABLE messages_index USING fts5 (
    room, text,
    content = 'messages_searchable', content_rowid = 'seq',
    tokenize = 'unicode61 remove_diacritics 2'
);
-- The words of a message that was taken back leave the index at once, not at some later merge.
INSERT INTO messages_index (messages_index, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER message_added AFTER INSERT ON messages BEGIN
    INSERT INTO messages_index (rowid, room, text) VALUES (new.seq, 'r' || new.room, new.text);
    UPDATE rooms SET live = live + 1 WHERE key = new.room;
END;
CREATE TRIGGER message_edited AFTER UPDATE OF text ON messages
WHEN old.deleted_at IS NULL AND new.deleted_at IS NULL BEGIN
    INSERT INTO messages_index (messages_index, rowid, room, text) VALUES ('delete', old.seq, 'r' || old.room, old.text);
    INSERT INTO messages_index (rowid, room, text) VALUES (new.seq, 'r' || new.room, new.text);
END;
CREATE TRIGGER message_deleted AFTER UPDATE OF deleted_at ON messages
WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
    INSERT INTO messages_index (messages_index, rowid, room, text) VALUES ('delete', old.seq, 'r' || old.room, old.text);
    UPDATE rooms SET live = live - 1 WHERE key = old.room;
END;
CREATE TRIGGER message_swept AFTER DELETE ON messages
WHEN old.deleted_at IS NULL BEGIN
    INSERT INTO messages_index (messages_index, rowid, room, text) VALUES ('delete', old.seq, 'r' || old.room, old.text);
    UPDATE rooms SET live = live - 1 WHERE key = old.room;
END;

CREATE TABLE inputs (
    key       INTEGER PRIMARY KEY,
    community INTEGER NOT NULL REFERENCES communities (key),
    seq       INTEGER NOT NULL,
    moment    INTEGER NOT NULL,
    wall      INTEGER NOT NULL,
    input     TEXT    NOT NULL, -- JSON
    UNIQUE (community, seq)
) STRICT;

CREATE TABLE journal (
    key       INTEGER PRIMARY KEY,
    community INTEGER NOT NULL REFERENCES communities (key),
    seq       INTEGER NOT NULL,
    moment    INTEGER NOT NULL,
    wall      INTEGER NOT NULL,
    room      TEXT,
    turn      INTEGER,
    name      TEXT    NOT NULL,
    cause     INTEGER,
    line      TEXT    NOT NULL, -- the whole entry as JSON, byte for byte as it was first written
    UNIQUE (community, seq)
) STRICT;
CREATE INDEX journal_by_turn ON journal (community, turn, seq) WHERE turn IS NOT NULL;
CREATE INDEX journal_by_room ON journal (community, room, seq) WHERE room IS NOT NULL;
CREATE INDEX journal_by_name ON journal (community, name, seq);

CREATE TABLE journal_about (
    community INTEGER NOT NULL REFERENCES communities (key),
    message   TEXT    NOT NULL,
    seq       INTEGER NOT NULL,
    PRIMARY KEY (community, message, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX journal_about_by_line ON journal_about (community, seq);

CREATE TABLE states (
    community        INTEGER NOT NULL REFERENCES communities (key),
    input            INTEGER NOT NULL, -- the last input it has seen
    version          TEXT    NOT NULL, -- of the Denizen that wrote it
    settings_version INTEGER NOT NULL,
    state            TEXT    NOT NULL, -- JSON
    PRIMARY KEY (community, input)
) STRICT;

CREATE TABLE segments (
    community        INTEGER NOT NULL REFERENCES communities (key),
    first_input      INTEGER NOT NULL,
    first_journal    INTEGER NOT NULL,
    version          TEXT    NOT NULL,
    started_at       INTEGER NOT NULL,
    state            TEXT    NOT NULL, -- JSON
    settings_version INTEGER NOT NULL,
    settings         TEXT    NOT NULL, -- JSON
    PRIMARY KEY (community, first_input)
) STRICT;

CREATE TABLE asks (
    key            INTEGER PRIMARY KEY,
    community      INTEGER NOT NULL REFERENCES communities (key),
    ask            INTEGER NOT NULL,
    room           TEXT    NOT NULL,
    turn           INTEGER NOT NULL,
    started_at     INTEGER NOT NULL,
    purpose        TEXT    NOT NULL,
    provider       TEXT    NOT NULL,
    model          TEXT    NOT NULL,
    previous       INTEGER,
    size           INTEGER NOT NULL, -- bytes of the long columns below
    state          TEXT    NOT NULL,
    took_ms        INTEGER,
    input_tokens   INTEGER NOT NULL DEFAULT 0,
    output_tokens  INTEGER NOT NULL DEFAULT 0,
    cost           INTEGER,          -- millionths of a dollar
    url            TEXT    NOT NULL,
    outcome        TEXT,             -- JSON
    request        TEXT    NOT NULL, -- JSON
    raw_request    TEXT    NOT NULL,
    raw_response   TEXT    NOT NULL,
    UNIQUE (community, ask)
) STRICT;
CREATE INDEX asks_by_age ON asks (started_at, size);
CREATE INDEX asks_by_room ON asks (community, room, ask);
CREATE INDEX asks_by_turn ON asks (community, turn, ask);

CREATE TABLE settings_versions (
    version  INTEGER PRIMARY KEY,
    saved_at INTEGER NOT NULL,
    document TEXT    NOT NULL -- JSON
) STRICT;
