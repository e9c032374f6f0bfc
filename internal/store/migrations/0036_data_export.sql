-- The files with all data about a person that were asked for: made in the background, one at a time for a person, and kept
-- for days. lease counts who has worked on one. A backup has none of them.
CREATE TABLE data_export (
  id               {serial},
  applicant_id     bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE,
  administrator_id bigint NOT NULL,
  asked            bigint NOT NULL,
  lease            bigint NOT NULL DEFAULT 0,
  lease_until      bigint NOT NULL DEFAULT 0,
  finished         bigint,
  failed           boolean NOT NULL DEFAULT FALSE,
  expires          bigint NOT NULL,
  size             bigint NOT NULL DEFAULT 0,
  hash             text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX data_export_waiting ON data_export (applicant_id) WHERE finished IS NULL;
CREATE INDEX data_export_applicant ON data_export (applicant_id, id);
CREATE INDEX data_export_expires ON data_export (expires);
CREATE INDEX data_export_hash ON data_export (hash) WHERE hash <> '';
