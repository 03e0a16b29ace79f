-- Long texts are packed, those of one row together; rows from before keep theirs as they are.

ALTER TABLE inputs ADD COLUMN packed BLOB; -- instead of input
ALTER TABLE asks ADD COLUMN packed BLOB;   -- instead of request and raw_request
