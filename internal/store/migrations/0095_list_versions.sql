-- The lists of words that staff edit have row versions, so that two who edit the same notice it. Lists are edited as a
-- whole, and nothing is removed from them: their version is the sum of those of their rows.
ALTER TABLE classificator ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE region ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE application_status ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
