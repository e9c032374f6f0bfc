-- What the journal browser of staff looks through, and how far the chain was checked.
CREATE INDEX journal_administrator ON journal (actor_id, id) WHERE actor = 'administrator';
CREATE INDEX journal_api_key ON journal (actor_id, id) WHERE actor = 'api_key';

CREATE TABLE journal_check (
  one         bigint PRIMARY KEY CHECK (one = 1),
  verified    bigint NOT NULL DEFAULT 0,
  verified_at bigint,
  first       bigint NOT NULL DEFAULT 0,
  last        bigint NOT NULL DEFAULT 0,
  asked       bigint,
  reached     bigint NOT NULL DEFAULT 0,
  finished    bigint,
  broken      bigint NOT NULL DEFAULT 0,
  reason      text NOT NULL DEFAULT '',
  lease       bigint NOT NULL DEFAULT 0,
  lease_until bigint NOT NULL DEFAULT 0
);
INSERT INTO journal_check (one) VALUES (1);
