-- Memory: turns that wait until gems were made of them, and the gems and turns that are kept for good.
-- Never edited once released: a change is a new numbered file.

-- AUTOINCREMENT: the order in which turns came is the order in which they leave.
CREATE TABLE captured_turns (
    place     INTEGER PRIMARY KEY AUTOINCREMENT,
    id        TEXT    NOT NULL UNIQUE,
    community TEXT    NOT NULL,
    room      TEXT    NOT NULL,
    session   TEXT    NOT NULL,
    speaker   TEXT    NOT NULL,
    held      INTEGER NOT NULL DEFAULT 0, -- somebody is making gems of it
    turn      TEXT    NOT NULL            -- JSON
) STRICT;
CREATE INDEX captured_turns_by_hold ON captured_turns (held, place);

-- Turns that have left the buffer. A copy that comes late does not enter it again.
CREATE TABLE settled_turns (
    id         TEXT    PRIMARY KEY,
    settled_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX settled_turns_by_age ON settled_turns (settled_at);

-- Whose vectors the two tables below hold: one row, or none before the first.
CREATE TABLE memory_embedder (
    only_one   INTEGER PRIMARY KEY CHECK (only_one = 1),
    name       TEXT    NOT NULL,
    dimensions INTEGER NOT NULL
) STRICT;

CREATE TABLE memory_gems (
    key        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT    NOT NULL UNIQUE,
    community  TEXT    NOT NULL,
    room       TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    person     TEXT,
    created_at INTEGER NOT NULL,
    is_current INTEGER NOT NULL,
    gem        TEXT    NOT NULL, -- JSON
    vector     BLOB              -- little-endian f32s; none while it is not embedded
) STRICT;
CREATE INDEX memory_gems_by_age ON memory_gems (created_at, key);
CREATE INDEX memory_gems_by_room ON memory_gems (community, room, created_at, key);
CREATE INDEX memory_gems_by_person ON memory_gems (person, created_at, key) WHERE person IS NOT NULL;
CREATE INDEX memory_gems_by_session ON memory_gems (session);
CREATE INDEX memory_gems_unembedded ON memory_gems (key) WHERE vector IS NULL;

-- Which turns a gem came from.
CREATE TABLE memory_gem_turns (
    gem  INTEGER NOT NULL REFERENCES memory_gems (key) ON DELETE CASCADE,
    turn TEXT    NOT NULL,
    PRIMARY KEY (gem, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_gems_of_turn ON memory_gem_turns (turn);

CREATE TABLE memory_turns (
    key       INTEGER PRIMARY KEY AUTOINCREMENT,
    id        TEXT    NOT NULL UNIQUE,
    community TEXT    NOT NULL,
    room      TEXT    NOT NULL,
    session   TEXT    NOT NULL,
    number    INTEGER NOT NULL,
    speaker   TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    turn      TEXT    NOT NULL, -- JSON
    vector    BLOB              -- as above
) STRICT;
CREATE INDEX memory_turns_by_age ON memory_turns (at, key);
CREATE INDEX memory_turns_by_room ON memory_turns (community, room, at, key);
CREATE INDEX memory_turns_by_speaker ON memory_turns (speaker, at, key);
CREATE INDEX memory_turns_by_number ON memory_turns (session, number);
CREATE INDEX memory_turns_unembedded ON memory_turns (key) WHERE vector IS NULL;

-- There while something was forgotten and the file was not written anew since: SQLite leaves copies of rows that it
-- once moved in unused parts of pages.
CREATE TABLE rewrite_wanted (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1)
) STRICT;
