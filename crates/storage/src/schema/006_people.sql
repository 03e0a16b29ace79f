-- Who has written, found without reading what they wrote. Never edited once released.

CREATE INDEX IF NOT EXISTS messages_by_author ON messages (community, author_id, author_name, author_kind);
