-- What staff keep for scoring has a row version, too.
ALTER TABLE scoresheet ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE ranking ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
