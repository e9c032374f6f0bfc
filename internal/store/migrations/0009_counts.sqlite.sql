-- needs: 0009_counts
-- The documents of many applications lie all over their table; the index has all that lists show of them.
DROP INDEX document_application;
CREATE INDEX document_application ON document (application_id, id, trashed, uploaded, name, mime, size, hash, expires);
