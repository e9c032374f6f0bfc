-- What people have asked about the data that are kept about them: to be forgotten (erase), to get them (access), to have
-- them put right (correct). received is a day, on which the month for the answer begins; administrator_id is who recorded
-- one that came otherwise. They go with the person.
CREATE TABLE data_request (
  id               {serial},
  applicant_id     bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE,
  kind             text NOT NULL,
  reason           text NOT NULL DEFAULT '',
  received         text NOT NULL,
  recorded         bigint NOT NULL,
  administrator_id bigint,
  answered         bigint,
  answered_by      bigint,
  outcome          text NOT NULL DEFAULT '',
  answer           text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX data_request_open ON data_request (applicant_id, kind) WHERE answered IS NULL;
CREATE INDEX data_request_applicant ON data_request (applicant_id, id);
CREATE INDEX data_request_due ON data_request (received, id) WHERE answered IS NULL;
CREATE INDEX data_request_answered ON data_request (answered, id) WHERE answered IS NOT NULL;
