-- Short texts are packed, too, with a dictionary of what they say again and again; rows from before keep theirs as they are.
-- Never edited once released.

ALTER TABLE journal ADD COLUMN packed BLOB;     -- instead of line
ALTER TABLE states ADD COLUMN packed BLOB;      -- instead of state
ALTER TABLE asks ADD COLUMN packed_answer BLOB; -- instead of outcome and raw_response
