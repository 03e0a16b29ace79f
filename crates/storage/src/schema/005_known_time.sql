-- The time that retention is sure of, so that one start with a wrong clock deletes nothing. Never edited once released.

CREATE TABLE known_time (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    at       INTEGER NOT NULL,           -- the time that is sure, in milliseconds
    ahead    INTEGER,                    -- by how much the clock that is doubted is ahead of it; none: it is believed
    held     INTEGER NOT NULL DEFAULT 0  -- for how long that clock has gone right, while Denizen ran
) STRICT;

-- Before this process has written anything by its own clock.
INSERT INTO known_time (only_one, at)
SELECT 1, max(last_wall) FROM communities HAVING max(last_wall) > 0;
