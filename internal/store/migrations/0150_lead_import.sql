-- Imports of leads (screens.md A36): a file with what staff say about it (options), how far the present work is (line), and
-- how many rows are in each state (counts), which stays when the rows are removed.
CREATE TABLE lead_import (
  id           {serial},
  state        text NOT NULL,
  why          text NOT NULL DEFAULT '',
  uploaded     bigint NOT NULL,
  uploaded_by  bigint NOT NULL,
  name         text NOT NULL,
  encoding     text NOT NULL,
  separator    text NOT NULL,
  heads        text NOT NULL,
  row_count    bigint NOT NULL,
  options      text NOT NULL,
  counts       text NOT NULL,
  line         bigint NOT NULL DEFAULT 0,
  work_begun   bigint NOT NULL DEFAULT 0,
  work_from    bigint NOT NULL DEFAULT 0,
  started      bigint NOT NULL DEFAULT 0,
  started_by   bigint NOT NULL DEFAULT 0,
  ended        bigint NOT NULL DEFAULT 0,
  undone       bigint NOT NULL DEFAULT 0,
  undone_by    bigint NOT NULL DEFAULT 0,
  row_version  bigint NOT NULL DEFAULT 1,
  lease        bigint NOT NULL DEFAULT 0,
  lease_until  bigint NOT NULL DEFAULT 0
);
CREATE INDEX lead_import_at_work ON lead_import (id) WHERE state IN ('checking', 'running', 'undoing');

-- The rows, by their line in the file. They go with their applicant, and some time after their import.
CREATE TABLE lead_row (
  import_id    bigint NOT NULL REFERENCES lead_import (id) ON DELETE CASCADE,
  line         bigint NOT NULL,
  cells        text NOT NULL,
  state        text NOT NULL,
  email_key    text NOT NULL DEFAULT '',
  applicant_id bigint REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  PRIMARY KEY (import_id, line)
);
CREATE INDEX lead_row_state ON lead_row (import_id, state, line);
CREATE INDEX lead_row_email ON lead_row (import_id, email_key, line);
CREATE INDEX lead_row_applicant ON lead_row (applicant_id);
