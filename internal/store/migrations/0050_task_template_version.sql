-- What staff keep of task templates has a row version, so that two who edit the same notice it.
ALTER TABLE task_template ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
