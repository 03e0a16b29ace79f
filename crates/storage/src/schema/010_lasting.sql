-- Gems that do not age are looked up for each reply, and are few: without an index of their own every gem was read for that.
-- The condition is that of the listing, word for word. It is told by the text, not by reading the JSON: a damaged row can then
-- still be changed and forgotten, and within a text of JSON a quote is never without a stroke before it.

CREATE INDEX memory_gems_lasting ON memory_gems (community, created_at, key)
    WHERE instr(gem, '"standing":true') OR instr(gem, '"pinned":true');
