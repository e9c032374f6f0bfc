-- The files that applicants asked for themselves. They have less in them, so that an instance of a release before, which
-- makes those of data_export, may not make these.
CREATE TABLE own_data_export (
  id               {serial},
  applicant_id     bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE,
  administrator_id bigint NOT NULL DEFAULT 0,
  asked            bigint NOT NULL,
  lease            bigint NOT NULL DEFAULT 0,
  lease_until      bigint NOT NULL DEFAULT 0,
  finished         bigint,
  failed           boolean NOT NULL DEFAULT FALSE,
  expires          bigint NOT NULL,
  size             bigint NOT NULL DEFAULT 0,
  hash             text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX own_data_export_waiting ON own_data_export (applicant_id) WHERE finished IS NULL;
CREATE INDEX own_data_export_applicant ON own_data_export (applicant_id, id);
CREATE INDEX own_data_export_expires ON own_data_export (expires);
CREATE INDEX own_data_export_hash ON own_data_export (hash) WHERE hash <> '';
