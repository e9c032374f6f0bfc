-- The journal: one row an event, IDs without gaps, each row sealed by a hash over itself and the row before.
CREATE TABLE journal (
  id               {id},
  logged           bigint NOT NULL,
  pattern          text NOT NULL,
  bind             text,
  actor            text NOT NULL,
  actor_id         bigint,
  request_id       text NOT NULL DEFAULT '',
  administrator_id bigint,
  applicant_id     bigint,
  application_id   bigint,
  course_id        bigint,
  institution_id   bigint,
  invoice_id       bigint,
  offer_id         bigint,
  document_id      bigint,
  flag_id          bigint,
  tracker_id       bigint,
  detail_hash      text NOT NULL DEFAULT '',
  hash             text NOT NULL
);
CREATE INDEX journal_logged ON journal (logged, id);
CREATE INDEX journal_pattern ON journal (pattern, id);
CREATE INDEX journal_bind ON journal (pattern, bind, id) WHERE bind IS NOT NULL;
CREATE INDEX journal_applicant ON journal (applicant_id, id) WHERE applicant_id IS NOT NULL;
CREATE INDEX journal_application ON journal (application_id, id) WHERE application_id IS NOT NULL;

-- Old and new values, erased with the person; the journal row keeps only their salted hash.
CREATE TABLE journal_detail (
  journal_id {id} REFERENCES journal (id),
  salt       bytea NOT NULL,
  payload    text NOT NULL
);

-- The head of the chain. Writers lock it as their last step, so the order of IDs is the order of commits.
CREATE TABLE journal_head (
  one    bigint PRIMARY KEY CHECK (one = 1),
  id     bigint NOT NULL,
  logged bigint NOT NULL,
  hash   text NOT NULL
);
INSERT INTO journal_head (one, id, logged, hash)
VALUES (1, 0, 0, '0000000000000000000000000000000000000000000000000000000000000000');

-- What byAcademicYear and byAcademicTermID of the journal look through.
CREATE TABLE academic_term (
  id     {serial},
  year   bigint NOT NULL,
  name   text NOT NULL,
  type   bigint NOT NULL,
  start  text NOT NULL,
  grace  text NOT NULL,
  finish text NOT NULL
);
CREATE INDEX academic_term_year ON academic_term (year);

CREATE TABLE application (
  id               {serial},
  applicant_id     bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE,
  academic_term_id bigint NOT NULL REFERENCES academic_term (id),
  status           text NOT NULL,
  created          bigint NOT NULL,
  revised          bigint NOT NULL,
  submitted        bigint,
  frozen           bigint
);
CREATE INDEX application_applicant ON application (applicant_id, id);
CREATE INDEX application_term ON application (academic_term_id, id);
