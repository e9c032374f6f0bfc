-- What the lifecycle needs beside the records themselves: row versions for screens, memories of former states,
-- numbers without gaps, mails with retries, marks of what the rules have done, and the recovery list.

-- Every change of a record raises its row version; a screen that was built from an older one is refused.
ALTER TABLE applicant ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE application ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE offer ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE task ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE invoice ADD COLUMN row_version bigint NOT NULL DEFAULT 1;

-- Applications. status_before is the status that undoing a withdrawal or a closing brings back.
ALTER TABLE application ADD COLUMN status_before text NOT NULL DEFAULT '';
ALTER TABLE application ADD COLUMN withdrawn bigint;
ALTER TABLE application ADD COLUMN resubmitted bigint;
ALTER TABLE application ADD COLUMN reopened bigint;
ALTER TABLE application ADD COLUMN silenced boolean NOT NULL DEFAULT FALSE;
-- Until when the grace day of the term does not end this application, and why.
ALTER TABLE application ADD COLUMN grace_override bigint;
ALTER TABLE application ADD COLUMN grace_reason text NOT NULL DEFAULT '';
CREATE INDEX application_status_revised ON application (status, revised);
-- What may not be changed by the applicant (lifecycle.md 3.6): a JSON list of field paths and row, document,
-- score and course IDs.
CREATE TABLE application_frozen (
  application_id bigint PRIMARY KEY REFERENCES application (id) ON DELETE CASCADE,
  entries        text NOT NULL
);
-- A later deadline for one application.
CREATE TABLE deadline_extension (
  application_id bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
  intake_id      bigint NOT NULL REFERENCES intake (id),
  until          bigint NOT NULL,
  reason         text NOT NULL,
  PRIMARY KEY (application_id, intake_id)
);
-- Every attempt to submit, accepted or refused (lifecycle.md 3.7); text is what was signed.
CREATE TABLE receipt (
  id             {serial},
  application_id bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
  made           bigint NOT NULL,
  accepted       boolean NOT NULL,
  text           text NOT NULL,
  signature      text NOT NULL
);
CREATE INDEX receipt_application ON receipt (application_id, id);
-- Which fields a course asks for, a JSON object section → list of field paths; '' is the default form.
ALTER TABLE course ADD COLUMN form text NOT NULL DEFAULT '';

-- Offers. decision_before and decided_before are what undoing a withdrawal brings back; decision_origin says
-- what set a decision that nobody took by hand.
ALTER TABLE offer ADD COLUMN decision_before text NOT NULL DEFAULT '';
ALTER TABLE offer ADD COLUMN decided_before bigint;
ALTER TABLE offer ADD COLUMN decision_origin text NOT NULL DEFAULT '';
ALTER TABLE offer ADD COLUMN decision_late boolean NOT NULL DEFAULT FALSE;
-- Staff typed the deadline, so that confirming does not compute another.
ALTER TABLE offer ADD COLUMN deadline_typed boolean NOT NULL DEFAULT FALSE;
-- How score_auto came about: JSON, each line with weight and value, and the version of the criteria.
ALTER TABLE offer ADD COLUMN score_explained text NOT NULL DEFAULT '';
-- By which version of the criteria of its course score_auto was calculated.
ALTER TABLE offer ADD COLUMN criteria_version bigint NOT NULL DEFAULT 0;
-- One row a letter that was sent, never changed. attachments is a JSON list of {id, name, mime, size, hash}; source
-- is the working copy it was made from, so that confirming it again can tell that nothing changed.
CREATE TABLE offer_confirmation (
  id          {serial},
  offer_id    bigint NOT NULL REFERENCES offer (id) ON DELETE CASCADE,
  confirmed   bigint NOT NULL,
  type_id     bigint NOT NULL REFERENCES offer_type (id),
  subject     text NOT NULL,
  body        text NOT NULL,
  html        text NOT NULL,
  attachments text NOT NULL DEFAULT '[]',
  policy      text NOT NULL,
  deadline    text,
  reason      text NOT NULL DEFAULT '',
  source      text NOT NULL,
  email_id    bigint REFERENCES email (id) ON DELETE SET NULL
);
CREATE INDEX offer_confirmation_offer ON offer_confirmation (offer_id, id);
CREATE INDEX offer_confirmation_email ON offer_confirmation (email_id);
-- At most one binding acceptance of an applicant in a term (lifecycle.md 4.4, B1).
CREATE TABLE binding_acceptance (
  applicant_id     bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE,
  academic_term_id bigint NOT NULL REFERENCES academic_term (id),
  offer_id         bigint NOT NULL REFERENCES offer (id) ON DELETE CASCADE,
  accepted         bigint NOT NULL,
  PRIMARY KEY (applicant_id, academic_term_id)
);
CREATE INDEX binding_acceptance_offer ON binding_acceptance (offer_id);

-- Tasks and their templates.
ALTER TABLE task ADD COLUMN course_id bigint REFERENCES course (id);
ALTER TABLE task ADD COLUMN deadline text;
ALTER TABLE task ADD COLUMN closed boolean NOT NULL DEFAULT FALSE;
-- Statuses that only one task has, beside those of its template.
CREATE TABLE task_status (
  task_id bigint NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  name    text NOT NULL,
  PRIMARY KEY (task_id, name)
);
ALTER TABLE task_template ADD COLUMN instructions text NOT NULL DEFAULT '';
ALTER TABLE task_template ADD COLUMN staff_instructions text NOT NULL DEFAULT '';
ALTER TABLE task_template ADD COLUMN mails boolean NOT NULL DEFAULT FALSE;
ALTER TABLE task_template ADD COLUMN allows_comments boolean NOT NULL DEFAULT TRUE;
ALTER TABLE task_template ADD COLUMN allows_documents boolean NOT NULL DEFAULT TRUE;
ALTER TABLE task_template ADD COLUMN max_documents bigint NOT NULL DEFAULT 20;
ALTER TABLE task_template ADD COLUMN freezable boolean NOT NULL DEFAULT FALSE;
ALTER TABLE task_template ADD COLUMN deadline_days bigint;
ALTER TABLE task_template ADD COLUMN all_courses boolean NOT NULL DEFAULT TRUE;
ALTER TABLE task_template_status ADD COLUMN remind_days bigint NOT NULL DEFAULT 0;
ALTER TABLE task_template_status ADD COLUMN remind_max_days bigint NOT NULL DEFAULT 0;
CREATE TABLE task_template_course (
  template_id bigint NOT NULL REFERENCES task_template (id) ON DELETE CASCADE,
  course_id   bigint NOT NULL REFERENCES course (id),
  PRIMARY KEY (template_id, course_id)
);
CREATE TABLE task_template_offer_type (
  template_id   bigint NOT NULL REFERENCES task_template (id) ON DELETE CASCADE,
  offer_type_id bigint NOT NULL REFERENCES offer_type (id),
  PRIMARY KEY (template_id, offer_type_id)
);

-- Invoices. A counter keeps the highest number that was given in a period ('' is all of time, 2026, 2026-11 or
-- 2026-11-20), whichever period the format counts in; the register keeps every number ever given, void ones too. The
-- numbers of a series that has no counter yet are taken over from its invoices when the next number is given, since
-- only its format says how to read them.
CREATE TABLE invoice_counter (
  series_id bigint NOT NULL REFERENCES invoice_series (id),
  period    text NOT NULL,
  last      bigint NOT NULL,
  PRIMARY KEY (series_id, period)
);
CREATE TABLE invoice_number (
  series_id  bigint NOT NULL REFERENCES invoice_series (id),
  period     text NOT NULL,
  number     bigint NOT NULL,
  nr         text NOT NULL,
  issued     bigint NOT NULL,
  invoice_id bigint,
  void       boolean NOT NULL DEFAULT FALSE,
  PRIMARY KEY (series_id, period, number)
);
CREATE INDEX invoice_number_invoice ON invoice_number (invoice_id);
CREATE INDEX invoice_number_nr ON invoice_number (series_id, nr);
-- Which administrator issued a key; NULL for keys made on the command line.
ALTER TABLE api_key ADD COLUMN administrator_id bigint REFERENCES administrator (id);
ALTER TABLE invoice ADD COLUMN issuer_administrator_id bigint REFERENCES administrator (id);
ALTER TABLE invoice ADD COLUMN notify boolean NOT NULL DEFAULT FALSE;
ALTER TABLE invoice ADD COLUMN email_id bigint;

-- Fees (resources.md 24.14): what applying or studying costs, by territory.
CREATE TABLE fee (
  id           {serial},
  name         text NOT NULL,
  type         text NOT NULL,
  notes        text NOT NULL DEFAULT '',
  automatic    text NOT NULL DEFAULT 'none',
  causing      text NOT NULL DEFAULT 'submitted',
  series_id    bigint REFERENCES invoice_series (id),
  payment_days bigint,
  all_courses  boolean NOT NULL DEFAULT TRUE
);
CREATE TABLE fee_amount (
  fee_id    bigint NOT NULL REFERENCES fee (id) ON DELETE CASCADE,
  territory text NOT NULL,
  qualifier text NOT NULL DEFAULT '',
  currency  text NOT NULL,
  amount    bigint NOT NULL,
  basis     text NOT NULL,
  info      text NOT NULL DEFAULT '',
  PRIMARY KEY (fee_id, territory)
);
CREATE TABLE fee_course (
  fee_id    bigint NOT NULL REFERENCES fee (id) ON DELETE CASCADE,
  course_id bigint NOT NULL REFERENCES course (id),
  PRIMARY KEY (fee_id, course_id)
);
CREATE INDEX fee_course_course ON fee_course (course_id, fee_id);
ALTER TABLE invoice ADD COLUMN fee_id bigint REFERENCES fee (id);
CREATE UNIQUE INDEX invoice_fee_once ON invoice (fee_id, application_id, coalesce(course_id, 0)) WHERE fee_id IS NOT NULL AND lapsed IS NULL;

-- Which scores make the automatic score of a course's offers; weights count ten-thousandths.
CREATE TABLE criterion (
  course_id     bigint NOT NULL REFERENCES course (id) ON DELETE CASCADE,
  scoresheet_id bigint NOT NULL REFERENCES scoresheet (id),
  position      bigint NOT NULL,
  weight        bigint NOT NULL,
  percent       boolean NOT NULL DEFAULT FALSE,
  required      boolean NOT NULL DEFAULT FALSE,
  PRIMARY KEY (course_id, scoresheet_id)
);
CREATE INDEX criterion_scoresheet ON criterion (scoresheet_id, course_id);
ALTER TABLE course ADD COLUMN criteria_version bigint NOT NULL DEFAULT 0;
-- Who wrote the present values of a score.
ALTER TABLE score ADD COLUMN scorer_kind text NOT NULL DEFAULT '';
ALTER TABLE score ADD COLUMN scorer_id bigint;

-- What a rule has done to a record, so that it never does it twice (lifecycle.md 11.2).
CREATE TABLE rule_action (
  rule       text NOT NULL,
  record     bigint NOT NULL,
  occurrence text NOT NULL,
  done       bigint NOT NULL,
  PRIMARY KEY (rule, record, occurrence)
);
-- One row a run of a job: whoever inserts it runs it, whoever holds the lease goes on after a crash.
CREATE TABLE job_run (
  job         text NOT NULL,
  due         bigint NOT NULL,
  lease       bigint NOT NULL,
  lease_until bigint NOT NULL,
  finished    bigint,
  PRIMARY KEY (job, due)
);

-- The recovery list, and what was erased for good (resources.md 24.12).
ALTER TABLE applicant ADD COLUMN deleted bigint;
ALTER TABLE applicant ADD COLUMN deleted_by bigint;
ALTER TABLE applicant ADD COLUMN forget_requested bigint;
-- The state that restoring brings back.
ALTER TABLE applicant ADD COLUMN state_before text NOT NULL DEFAULT '';
CREATE INDEX applicant_deleted ON applicant (deleted, id) WHERE deleted IS NOT NULL;
CREATE TABLE purged_resource (
  id               {serial},
  object_id        bigint NOT NULL,
  type             text NOT NULL,
  created          bigint NOT NULL,
  forget_requested bigint,
  marked           bigint NOT NULL,
  marked_by        bigint,
  purged           bigint NOT NULL
);
CREATE INDEX purged_resource_purged ON purged_resource (purged, id);

-- Sign-ins of administrators (resources.md 24.15).
CREATE TABLE login (
  id               {serial},
  logged           bigint NOT NULL,
  ip               text NOT NULL,
  administrator_id bigint REFERENCES administrator (id),
  role_id          bigint REFERENCES role (id),
  role             text NOT NULL DEFAULT '',
  result           text NOT NULL
);
CREATE INDEX login_logged ON login (logged, id);

-- The history of consents, with the version of the text that was decided on.
CREATE TABLE consent_history (
  id           {serial},
  applicant_id bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE,
  consent_id   bigint NOT NULL REFERENCES consent (id),
  decided      bigint NOT NULL,
  decision     text NOT NULL,
  version      bigint NOT NULL
);
CREATE INDEX consent_history_applicant ON consent_history (applicant_id, id);

-- Mails on their way, remade: a mail may concern no applicant, waits for its next try with a count of tries, and
-- has a key that keeps one cause from sending it twice.
CREATE TABLE outbox_remade (
  id           {serial},
  kind         text NOT NULL,
  template     text NOT NULL,
  applicant_id bigint REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  email_id     bigint REFERENCES email (id) ON DELETE CASCADE,
  created      bigint NOT NULL,
  sealed       bytea NOT NULL,
  lease        bigint NOT NULL,
  lease_until  bigint NOT NULL
);
INSERT INTO outbox_remade (id, kind, template, applicant_id, email_id, created, sealed, lease, lease_until)
  SELECT id, kind, template, applicant_id, email_id, created, sealed, lease, lease_until FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_remade RENAME TO outbox;
CREATE INDEX outbox_lease ON outbox (kind, lease_until, id);
CREATE INDEX outbox_applicant ON outbox (applicant_id);
CREATE INDEX outbox_email ON outbox (email_id);
-- The keys of mails that were queued, also after they left: (template, subject entity, occurrence).
CREATE TABLE mail_key (
  key    text PRIMARY KEY,
  queued bigint NOT NULL
);
CREATE INDEX mail_key_queued ON mail_key (queued);
-- Matriculation numbers of matriculation.format, counted as invoices are.
CREATE TABLE matriculation_counter (
  period text PRIMARY KEY,
  last   bigint NOT NULL
);
-- Files whose bytes are stored, but which nothing refers to (yet, or any more), by the hash of their bytes. Whoever
-- stores bytes writes the row before and takes it away with the reference; a job removes what stays. holders counts
-- those who are storing the bytes right now.
CREATE TABLE loose_file (
  hash    text PRIMARY KEY,
  since   bigint NOT NULL,
  holders bigint NOT NULL DEFAULT 0
);
CREATE INDEX loose_file_since ON loose_file (since);
CREATE INDEX offer_attachment_hash ON offer_attachment (hash);
CREATE INDEX email_attachment_hash ON email_attachment (hash);
CREATE INDEX applicant_photo_hash ON applicant_photo (hash);
CREATE INDEX export_blob_hash ON export_blob (hash);
