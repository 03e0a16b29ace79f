-- What inputs lead to is done a moment after them, for many in one commit; and tables that grow with every reply have
-- fewer indices, since each is a page more in every commit. Never edited once released.

-- What is still to be done because of inputs that are on the disk; done, the row goes.
CREATE TABLE due (
    number    INTEGER PRIMARY KEY,
    community INTEGER NOT NULL REFERENCES communities (key),
    due       TEXT    NOT NULL, -- JSON
    packed    BLOB              -- instead of it, where it is long
) STRICT;

-- The key is the community (above) and the number (in the lower 40 bits), so that it is an index of both.
CREATE TABLE inputs_new (
    key       INTEGER PRIMARY KEY,
    community INTEGER GENERATED ALWAYS AS (key >> 40) VIRTUAL,
    seq       INTEGER GENERATED ALWAYS AS (key & 1099511627775) VIRTUAL,
    moment    INTEGER NOT NULL,
    wall      INTEGER NOT NULL,
    input     TEXT    NOT NULL, -- JSON
    packed    BLOB              -- instead of it, where it is long
) STRICT;
INSERT INTO inputs_new (key, moment, wall, input, packed)
SELECT (community << 40) + seq, moment, wall, input, packed FROM inputs ORDER BY community, seq;
DROP TABLE inputs;
ALTER TABLE inputs_new RENAME TO inputs;

CREATE TABLE journal_new (
    key       INTEGER PRIMARY KEY, -- as above
    community INTEGER GENERATED ALWAYS AS (key >> 40) VIRTUAL,
    seq       INTEGER GENERATED ALWAYS AS (key & 1099511627775) VIRTUAL,
    wall      INTEGER NOT NULL,
    room      TEXT,
    turn      INTEGER,
    name      TEXT    NOT NULL,
    line      TEXT    NOT NULL -- the whole entry as JSON, byte for byte as it was first written
) STRICT;
INSERT INTO journal_new (key, wall, room, turn, name, line)
SELECT (community << 40) + seq, wall, room, turn, name, line FROM journal ORDER BY community, seq;
DROP TABLE journal;
ALTER TABLE journal_new RENAME TO journal;
CREATE INDEX journal_by_turn ON journal (turn) WHERE turn IS NOT NULL;

-- In which stretches of 256 keys there are lines of a name, of a room or about a message: to be looked through by whoever
-- wants those. A name stands in every stretch, so that it is written once for many lines.
CREATE TABLE journal_stretches (
    holds   TEXT    NOT NULL, -- 'name …', 'room …' or 'message …'
    stretch INTEGER NOT NULL, -- key >> 8
    PRIMARY KEY (holds, stretch)
) STRICT, WITHOUT ROWID;
INSERT INTO journal_stretches SELECT DISTINCT 'name ' || name, key >> 8 FROM journal;
INSERT INTO journal_stretches SELECT DISTINCT 'room ' || room, key >> 8 FROM journal WHERE room IS NOT NULL;
INSERT INTO journal_stretches SELECT DISTINCT 'message ' || message, ((community << 40) + seq) >> 8 FROM journal_about;
DROP TABLE journal_about;
