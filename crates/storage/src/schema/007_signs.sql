-- What Denizen tells of itself, such as that it listens. Never edited once released.

ALTER TABLE messages ADD COLUMN sign INTEGER NOT NULL DEFAULT 0;
