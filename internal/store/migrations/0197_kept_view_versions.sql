-- Kept views have row versions: two who call the same one something else notice each other.
ALTER TABLE kept_view ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
