-- What staff do with many records at once, and what rules prepare: a sealed list, its release, and the result of each record.
CREATE TABLE batch (
  id            {serial},
  action        text NOT NULL,
  source        text NOT NULL,
  state         text NOT NULL,
  params        text NOT NULL,
  selection     text NOT NULL,
  sealed_to     bigint NOT NULL DEFAULT 0,
  rule_version  bigint NOT NULL DEFAULT 0,
  prepared      bigint NOT NULL,
  prepared_by   bigint NOT NULL,
  counted       bigint,
  released      bigint,
  released_by   bigint,
  alone         boolean NOT NULL DEFAULT FALSE,
  ended         bigint,
  undone        bigint,
  undone_by     bigint,
  why           text NOT NULL DEFAULT '',
  size          bigint NOT NULL DEFAULT 0,
  excluded      bigint NOT NULL DEFAULT 0,
  done          bigint NOT NULL DEFAULT 0,
  skipped       bigint NOT NULL DEFAULT 0,
  failed        bigint NOT NULL DEFAULT 0,
  put_back      bigint NOT NULL DEFAULT 0,
  left_as_is    bigint NOT NULL DEFAULT 0,
  in_wave       bigint NOT NULL DEFAULT 0,
  not_before    bigint NOT NULL DEFAULT 0,
  lease         bigint NOT NULL DEFAULT 0,
  lease_until   bigint NOT NULL DEFAULT 0
);
CREATE INDEX batch_prepared_by ON batch (prepared_by, id);
CREATE INDEX batch_action ON batch (action, id);
CREATE INDEX batch_at_work ON batch (id) WHERE state IN ('preparing', 'running', 'undoing');
CREATE INDEX batch_waiting ON batch (id) WHERE state = 'waiting';

-- The sealed list, in its order, and what was left out of it. Names, addresses and texts of mails go with their applicant.
CREATE TABLE batch_record (
  batch_id     bigint NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  place        bigint NOT NULL,
  record       bigint NOT NULL,
  applicant_id bigint REFERENCES applicant (id) ON DELETE CASCADE,
  state        text NOT NULL,
  version      bigint NOT NULL DEFAULT 0,
  was          text NOT NULL DEFAULT '',
  becomes      text NOT NULL DEFAULT '',
  recipient    text NOT NULL DEFAULT '',
  subject      text NOT NULL DEFAULT '',
  body         text NOT NULL DEFAULT '',
  reasons      text NOT NULL DEFAULT '',
  PRIMARY KEY (batch_id, place)
);
CREATE INDEX batch_record_state ON batch_record (batch_id, state, place);
CREATE INDEX batch_record_applicant ON batch_record (applicant_id, batch_id);

-- All records of a batch in the journal name it.
ALTER TABLE journal ADD COLUMN batch_id bigint;
CREATE INDEX journal_batch ON journal (batch_id, id) WHERE batch_id IS NOT NULL;
