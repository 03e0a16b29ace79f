-- Words that were spoken and written down, and what people put under a message.

ALTER TABLE messages ADD COLUMN spoken INTEGER NOT NULL DEFAULT 0;

CREATE TABLE reactions (
    message INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
    person TEXT NOT NULL,
    emoji TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (message, person, emoji)
) STRICT, WITHOUT ROWID;
