-- What staff put together of tables has a row version, too.
ALTER TABLE tableview ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
