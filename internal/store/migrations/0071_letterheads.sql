-- What stands on the paper of letters: lines at the head and at the foot, and a picture of some kilobytes.
ALTER TABLE letterhead ADD COLUMN head text NOT NULL DEFAULT '';
ALTER TABLE letterhead ADD COLUMN foot text NOT NULL DEFAULT '';
ALTER TABLE letterhead ADD COLUMN logo_kind text NOT NULL DEFAULT '';
ALTER TABLE letterhead ADD COLUMN logo bytea;
ALTER TABLE letterhead ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
