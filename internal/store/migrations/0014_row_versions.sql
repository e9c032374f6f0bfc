-- Every change of a note or a score raises its row version, too. Trackers and flags are only made and deleted yet.
ALTER TABLE note ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE score ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE tracker ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE flag ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
