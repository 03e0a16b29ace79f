-- One store for many communities: rooms, messages and attachments are known by id within their community, and
-- settings are a base with layers of single communities over it. Never edited once released.

ALTER TABLE communities ADD COLUMN name TEXT NOT NULL DEFAULT ''; -- what people call it

-- Attachments had no community: those of messages go with them, the rest to the one that is there.
INSERT INTO communities (id)
SELECT 'local' WHERE NOT EXISTS (SELECT 1 FROM communities) AND EXISTS (SELECT 1 FROM attachments);

CREATE TABLE rooms_new (
    key       INTEGER PRIMARY KEY,
    community INTEGER NOT NULL REFERENCES communities (key),
    id        TEXT    NOT NULL,
    live      INTEGER NOT NULL DEFAULT 0, -- messages that are not deleted; search needs to know how common a word is
    UNIQUE (community, id)
) STRICT;
INSERT INTO rooms_new (key, community, id, live) SELECT key, community, id, live FROM rooms;

CREATE TABLE messages_new (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    community   INTEGER NOT NULL REFERENCES communities (key),
    id          TEXT    NOT NULL,
    room        INTEGER NOT NULL REFERENCES rooms_new (key),
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
    ask         INTEGER,
    spoken      INTEGER NOT NULL DEFAULT 0,
    UNIQUE (community, id)
) STRICT;
INSERT INTO messages_new (seq, community, id, room, author_id, author_name, author_kind, text, at, reply_to, mentions,
    attachments, edited_at, deleted_at, turn, ask, spoken)
SELECT m.seq, r.community, m.id, m.room, m.author_id, m.author_name, m.author_kind, m.text, m.at, m.reply_to,
    m.mentions, m.attachments, m.edited_at, m.deleted_at, m.turn, m.ask, m.spoken
FROM messages m JOIN rooms r ON r.key = m.room;
-- A place is never used twice, even where the newest message was swept away.
DELETE FROM sqlite_sequence WHERE name = 'messages_new';
INSERT INTO sqlite_sequence (name, seq) SELECT 'messages_new', seq FROM sqlite_sequence WHERE name = 'messages';

CREATE TABLE attachments_new (
    community INTEGER NOT NULL REFERENCES communities (key),
    id        TEXT    NOT NULL,
    mime      TEXT    NOT NULL,
    bytes     BLOB    NOT NULL,
    put_at    INTEGER NOT NULL,
    PRIMARY KEY (community, id)
) STRICT;
INSERT INTO attachments_new (community, id, mime, bytes, put_at)
SELECT c.community, a.id, a.mime, a.bytes, a.put_at FROM attachments a JOIN (
    SELECT DISTINCT m.community, l.attachment FROM message_attachments l JOIN messages_new m ON m.seq = l.message
) c ON c.attachment = a.id;
INSERT INTO attachments_new (community, id, mime, bytes, put_at)
SELECT (SELECT key FROM communities ORDER BY id <> 'local', key LIMIT 1), id, mime, bytes, put_at FROM attachments
WHERE id NOT IN (SELECT attachment FROM message_attachments);

CREATE TABLE message_attachments_new (
    message    INTEGER NOT NULL REFERENCES messages_new (seq) ON DELETE CASCADE,
    attachment TEXT    NOT NULL,
    PRIMARY KEY (message, attachment)
) STRICT, WITHOUT ROWID;
INSERT INTO message_attachments_new SELECT message, attachment FROM message_attachments;

CREATE TABLE reactions_new (
    message INTEGER NOT NULL REFERENCES messages_new (seq) ON DELETE CASCADE,
    person TEXT NOT NULL,
    emoji TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (message, person, emoji)
) STRICT, WITHOUT ROWID;
INSERT INTO reactions_new SELECT message, person, emoji, at FROM reactions;

-- What refers to a table goes before it: dropping it would empty them.
DROP VIEW messages_searchable;
DROP TABLE reactions;
DROP TABLE message_attachments;
DROP TABLE attachments;
DROP TABLE messages;
DROP TABLE rooms;
ALTER TABLE rooms_new RENAME TO rooms;
ALTER TABLE messages_new RENAME TO messages;
ALTER TABLE attachments_new RENAME TO attachments;
ALTER TABLE message_attachments_new RENAME TO message_attachments;
ALTER TABLE reactions_new RENAME TO reactions;

CREATE INDEX messages_by_room ON messages (room, seq) WHERE deleted_at IS NULL;
CREATE INDEX messages_by_age ON messages (community, at);
CREATE INDEX attachments_by_age ON attachments (community, put_at);
CREATE INDEX messages_of_attachment ON message_attachments (attachment);

-- The search index itself stays: rooms and places have the numbers they had.
CREATE VIEW messages_searchable AS
    SELECT seq, 'r' || room AS room, text FROM messages WHERE deleted_at IS NULL;
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

-- AUTOINCREMENT: a version is never used twice, even where a community went with the newest.
CREATE TABLE settings_versions_new (
    version   INTEGER PRIMARY KEY AUTOINCREMENT,
    community INTEGER REFERENCES communities (key), -- none: the base of all communities
    saved_at  INTEGER NOT NULL,
    document  TEXT    NOT NULL -- JSON
) STRICT;
INSERT INTO settings_versions_new (version, saved_at, document) SELECT version, saved_at, document FROM settings_versions;
DROP TABLE settings_versions;
ALTER TABLE settings_versions_new RENAME TO settings_versions;
CREATE INDEX settings_versions_by_layer ON settings_versions (community, version);

DROP INDEX asks_by_age;
CREATE INDEX asks_by_age ON asks (community, started_at, size);
DROP INDEX captured_turns_by_hold;
CREATE INDEX captured_turns_by_hold ON captured_turns (held, community, place);
