-- The instance itself: facts about this database that no setting may contradict, such as the fingerprint of
-- the instance key, and settings saved in the interface.
CREATE TABLE instance (
  name  text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE setting (
  name  text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE applicant (
  id            {serial},
  type          text NOT NULL DEFAULT 'Natural',
  state         text NOT NULL,
  visible       boolean NOT NULL GENERATED ALWAYS AS (state IN ('live', 'blocked')) STORED,
  lead          boolean NOT NULL,
  registered    bigint NOT NULL,
  given         text NOT NULL DEFAULT '',
  middle        text NOT NULL DEFAULT '',
  family        text NOT NULL DEFAULT '',
  parent        text NOT NULL DEFAULT '',
  legal         text NOT NULL DEFAULT '',
  email         text NOT NULL,
  email_key     text NOT NULL,
  phone         text NOT NULL DEFAULT '',
  skype         text NOT NULL DEFAULT '',
  reference     text NOT NULL DEFAULT '',
  matriculation text NOT NULL DEFAULT '',
  citizenship   text NOT NULL DEFAULT '',
  address       text NOT NULL DEFAULT '',
  vatin         text NOT NULL DEFAULT '',
  password      text NOT NULL DEFAULT '',
  password_temporary boolean NOT NULL DEFAULT FALSE
);
-- Uniqueness of addresses and references counts accounts that are being made, but not deleted ones.
CREATE UNIQUE INDEX applicant_email ON applicant (email_key) WHERE state <> 'recovery';
CREATE UNIQUE INDEX applicant_reference ON applicant (reference) WHERE reference <> '' AND state <> 'recovery';
CREATE INDEX applicant_citizenship ON applicant (citizenship, id) WHERE visible;
CREATE INDEX applicant_registered ON applicant (registered, id) WHERE visible;

CREATE TABLE sign_in_token (
  hash         bytea PRIMARY KEY,
  applicant_id bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  created      bigint NOT NULL,
  expires      bigint NOT NULL,
  used         bigint
);
CREATE INDEX sign_in_token_applicant ON sign_in_token (applicant_id);

CREATE TABLE tracker (
  id       {serial},
  created  bigint NOT NULL,
  code     text NOT NULL,
  code_key text NOT NULL UNIQUE,
  notes    text NOT NULL DEFAULT '',
  percent  bigint,
  amount   bigint,
  currency text NOT NULL DEFAULT ''
);

-- The tracker filter walks this table in applicant order.
CREATE TABLE applicant_tracker (
  tracker_id   bigint NOT NULL REFERENCES tracker (id) ON DELETE CASCADE,
  applicant_id bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  assigned     bigint NOT NULL,
  PRIMARY KEY (tracker_id, applicant_id)
);
CREATE INDEX applicant_tracker_applicant ON applicant_tracker (applicant_id, tracker_id);

CREATE TABLE note (
  id           {serial},
  applicant_id bigint REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  created      bigint NOT NULL,
  removed      bigint,
  colour       text NOT NULL DEFAULT 'Yellow',
  pinned       boolean NOT NULL DEFAULT FALSE,
  collapsed    boolean NOT NULL DEFAULT FALSE,
  text         text NOT NULL
);
CREATE INDEX note_applicant ON note (applicant_id, id);

CREATE TABLE email (
  id           {serial},
  applicant_id bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  inserted     bigint NOT NULL,
  delivered    bigint,
  failed       bigint,
  opened       bigint,
  from_name    text NOT NULL,
  from_email   text NOT NULL,
  subject      text NOT NULL,
  message      text NOT NULL
);
CREATE INDEX email_applicant ON email (applicant_id, id);

-- Mails on their way. A row is worked on by whoever holds its lease; the lease number goes up with every
-- taking, so that one who comes back late can tell that the row is no longer theirs.
CREATE TABLE outbox (
  id           {serial},
  kind         text NOT NULL,
  template     text NOT NULL,
  applicant_id bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  email_id     bigint REFERENCES email (id) ON DELETE CASCADE,
  created      bigint NOT NULL,
  sealed       bytea NOT NULL,
  lease        bigint NOT NULL,
  lease_until  bigint NOT NULL
);
CREATE INDEX outbox_lease ON outbox (lease_until, id);
CREATE INDEX outbox_applicant ON outbox (applicant_id);
CREATE INDEX outbox_email ON outbox (email_id);

CREATE TABLE email_template (
  code     text NOT NULL,
  language text NOT NULL,
  subject  text NOT NULL,
  body     text NOT NULL,
  PRIMARY KEY (code, language)
);

CREATE TABLE api_key (
  id         {serial},
  label      text NOT NULL,
  owner      text NOT NULL DEFAULT '',
  scope      text NOT NULL,
  operations text NOT NULL DEFAULT '[]',
  hash       bytea NOT NULL UNIQUE,
  created    bigint NOT NULL,
  expires    bigint,
  revoked    bigint,
  last_used  bigint,
  per_minute bigint,
  per_hour   bigint
);

-- Answers kept for Idempotency-Key. A row without status is a call in progress, until its lease ends.
CREATE TABLE idempotency (
  api_key_id  bigint NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  method      text NOT NULL,
  path        text NOT NULL,
  token       text NOT NULL,
  body_hash   bytea NOT NULL,
  lease       bigint NOT NULL,
  lease_until bigint NOT NULL,
  expires     bigint NOT NULL,
  status      bigint,
  location    text NOT NULL DEFAULT '',
  body        bytea,
  PRIMARY KEY (api_key_id, method, path, token)
);
CREATE INDEX idempotency_expires ON idempotency (expires);

-- Counts that would otherwise be scans: how many visible objects of a family and facet lie in a block of
-- IDs (or, for facet 'day', were registered on a day), and the lowest and highest ID ever counted there.
CREATE TABLE tally (
  family text NOT NULL,
  facet  text NOT NULL,
  block  bigint NOT NULL,
  n      bigint NOT NULL,
  low    bigint NOT NULL,
  high   bigint NOT NULL,
  PRIMARY KEY (family, facet, block)
);
