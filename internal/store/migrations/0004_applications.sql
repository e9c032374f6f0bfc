-- Applications and everything that hangs on applicants and applications. Files are known by the hash of
-- their bytes (SHA-256, hexadecimal); the bytes are in the blob store.

-- An application is visible when its applicant is.
ALTER TABLE application ADD COLUMN visible boolean NOT NULL DEFAULT TRUE;
CREATE UNIQUE INDEX application_open ON application (applicant_id, academic_term_id) WHERE status <> 'Closed';
CREATE INDEX application_status_id ON application (status, id) WHERE visible;
CREATE INDEX application_hidden ON application (id) WHERE NOT visible;
CREATE INDEX application_created ON application (created, id) WHERE visible;
CREATE INDEX application_revised ON application (revised, id) WHERE visible;
CREATE INDEX application_submitted ON application (submitted, id) WHERE visible AND submitted IS NOT NULL;

-- The content part: one JSON document, typed in Go.
CREATE TABLE application_content (
  application_id bigint PRIMARY KEY REFERENCES application (id) ON DELETE CASCADE,
  content        text NOT NULL
);

CREATE TABLE application_course (
  application_id bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
  course_id      bigint NOT NULL REFERENCES course (id),
  intake_id      bigint REFERENCES intake (id),
  institution_id bigint NOT NULL REFERENCES institution (id),
  course_type    text NOT NULL DEFAULT '',
  priority       bigint NOT NULL,
  added          bigint NOT NULL,
  submitted      bigint,
  late           boolean NOT NULL DEFAULT FALSE,
  modifier       text NOT NULL DEFAULT '',
  PRIMARY KEY (application_id, course_id)
);
CREATE INDEX application_course_course ON application_course (course_id, application_id);
CREATE INDEX application_course_intake ON application_course (intake_id, application_id);
CREATE INDEX application_course_institution ON application_course (institution_id, application_id);
CREATE INDEX application_course_type ON application_course (course_type, application_id);

CREATE TABLE application_flag (
  flag_id        bigint NOT NULL REFERENCES flag (id) ON DELETE CASCADE,
  application_id bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
  assigned       bigint NOT NULL,
  PRIMARY KEY (flag_id, application_id)
);
CREATE INDEX application_flag_application ON application_flag (application_id, flag_id);

CREATE TABLE offer (
  id                {serial},
  application_id    bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
  applicant_id      bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE,
  course_id         bigint NOT NULL REFERENCES course (id),
  institution_id    bigint NOT NULL REFERENCES institution (id),
  intake_id         bigint REFERENCES intake (id),
  priority          bigint NOT NULL,
  inserted          bigint NOT NULL,
  saved             bigint,
  confirmed         bigint,
  decided           bigint,
  scored            bigint,
  type_id           bigint NOT NULL REFERENCES offer_type (id),
  type_confirmed_id bigint REFERENCES offer_type (id),
  subject           text NOT NULL DEFAULT '',
  comments          text NOT NULL DEFAULT '',
  comments_confirmed text NOT NULL DEFAULT '',
  decision          text NOT NULL DEFAULT 'None',
  decision_policy   text NOT NULL DEFAULT 'None',
  decision_deadline text,
  score_auto        bigint,
  score_extra       bigint,
  reason_id         bigint REFERENCES offer_reason (id),
  reason            text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX offer_course_once ON offer (application_id, course_id);
CREATE INDEX offer_application ON offer (application_id, id);
CREATE INDEX offer_applicant ON offer (applicant_id, id);
CREATE INDEX offer_type_application ON offer (type_id, application_id);
CREATE INDEX offer_decision_application ON offer (decision, application_id);
CREATE INDEX offer_institution_application ON offer (institution_id, application_id);
CREATE INDEX offer_course ON offer (course_id, id);
CREATE INDEX offer_confirmed ON offer (application_id) WHERE confirmed IS NOT NULL;

ALTER TABLE note ADD COLUMN offer_id bigint REFERENCES offer (id) ON DELETE CASCADE;
CREATE INDEX note_offer ON note (offer_id, id);

CREATE TABLE offer_attachment (
  id       {serial},
  offer_id bigint NOT NULL REFERENCES offer (id) ON DELETE CASCADE,
  uploaded bigint NOT NULL,
  name     text NOT NULL,
  mime     text NOT NULL,
  size     bigint NOT NULL,
  hash     text NOT NULL,
  expires  bigint
);
CREATE INDEX offer_attachment_offer ON offer_attachment (offer_id, id);

CREATE TABLE offer_letter (
  id               {serial},
  offer_id         bigint NOT NULL REFERENCES offer (id) ON DELETE CASCADE,
  rendered         bigint NOT NULL,
  letterhead_id    bigint NOT NULL REFERENCES letterhead (id),
  administrator_id bigint REFERENCES administrator (id),
  attachment_id    bigint REFERENCES offer_attachment (id) ON DELETE SET NULL
);
CREATE INDEX offer_letter_offer ON offer_letter (offer_id, id);

CREATE TABLE task (
  id                  {serial},
  application_id      bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
  template_id         bigint NOT NULL REFERENCES task_template (id),
  created             bigint NOT NULL,
  reminded            bigint,
  committed           bigint,
  resolved            bigint,
  status              text NOT NULL,
  notes_applicant     text NOT NULL DEFAULT '',
  notes_administrator text NOT NULL DEFAULT '',
  trashed             bigint
);
CREATE INDEX task_application ON task (application_id, id);
CREATE INDEX task_template_task ON task (template_id, status);

CREATE TABLE document (
  id             {serial},
  application_id bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
  task_id        bigint REFERENCES task (id) ON DELETE SET NULL,
  uploaded       bigint NOT NULL,
  name           text NOT NULL,
  mime           text NOT NULL,
  size           bigint NOT NULL,
  hash           text NOT NULL,
  expires        bigint,
  trashed        bigint
);
CREATE INDEX document_application ON document (application_id, id);
CREATE INDEX document_task ON document (task_id, id);
CREATE INDEX document_hash ON document (hash);

CREATE TABLE applicant_photo (
  applicant_id bigint PRIMARY KEY REFERENCES applicant (id) ON DELETE CASCADE,
  uploaded     bigint NOT NULL,
  size         bigint NOT NULL,
  hash         text NOT NULL
);

CREATE TABLE email_attachment (
  id       {serial},
  email_id bigint NOT NULL REFERENCES email (id) ON DELETE CASCADE,
  uploaded bigint NOT NULL,
  name     text NOT NULL,
  mime     text NOT NULL,
  size     bigint NOT NULL,
  hash     text NOT NULL,
  expires  bigint
);
CREATE INDEX email_attachment_email ON email_attachment (email_id, id);

CREATE TABLE export (
  id             {serial},
  application_id bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
  offer_id       bigint REFERENCES offer (id) ON DELETE SET NULL,
  profile_code   text NOT NULL REFERENCES export_profile (code),
  exported       bigint NOT NULL,
  processed      bigint,
  cancelled      bigint
);
CREATE INDEX export_application ON export (application_id, id);

CREATE TABLE export_blob (
  export_id bigint NOT NULL REFERENCES export (id) ON DELETE CASCADE,
  n         bigint NOT NULL,
  token     text NOT NULL,
  uploaded  bigint NOT NULL,
  name      text NOT NULL,
  mime      text NOT NULL,
  size      bigint NOT NULL,
  hash      text NOT NULL,
  expires   bigint,
  PRIMARY KEY (export_id, n)
);

-- subjects is a JSON list of {code, type, name, credits, term_type}.
CREATE TABLE study_plan (
  id             {serial},
  application_id bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
  applicant_id   bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE,
  created        bigint NOT NULL,
  revised        bigint,
  status         text NOT NULL,
  course_id      bigint REFERENCES course (id),
  subjects       text NOT NULL DEFAULT '[]'
);
CREATE INDEX study_plan_application ON study_plan (application_id, id);
CREATE INDEX study_plan_applicant ON study_plan (applicant_id, id);

CREATE TABLE consent_decision (
  applicant_id bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE,
  consent_id   bigint NOT NULL REFERENCES consent (id),
  decided      bigint NOT NULL,
  decision     text NOT NULL,
  version      bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (applicant_id, consent_id)
);

CREATE TABLE wish (
  id           {serial},
  applicant_id bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE,
  course_id    bigint NOT NULL REFERENCES course (id),
  intake_id    bigint REFERENCES intake (id),
  wished       bigint NOT NULL,
  notes        text NOT NULL DEFAULT ''
);
CREATE INDEX wish_applicant ON wish (applicant_id, id);

CREATE TABLE score (
  id             {serial},
  scoresheet_id  bigint NOT NULL REFERENCES scoresheet (id),
  application_id bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
  offer_id       bigint REFERENCES offer (id) ON DELETE CASCADE,
  scored         bigint,
  points         bigint,
  comments       text NOT NULL DEFAULT '',
  date           text,
  reference      text NOT NULL DEFAULT '',
  subject        text NOT NULL DEFAULT '',
  language       text NOT NULL DEFAULT ''
);
CREATE INDEX score_sheet ON score (scoresheet_id, id);
CREATE INDEX score_application ON score (application_id, id);
CREATE INDEX score_scored ON score (scoresheet_id, scored, id) WHERE scored IS NOT NULL;
CREATE INDEX score_unscored ON score (scoresheet_id, id) WHERE points IS NULL;
CREATE UNIQUE INDEX score_once ON score (scoresheet_id, application_id, coalesce(offer_id, 0));

CREATE TABLE invoice (
  id             {serial},
  type           text NOT NULL,
  nr             text NOT NULL,
  series_id      bigint NOT NULL REFERENCES invoice_series (id),
  applicant_id   bigint REFERENCES applicant (id) ON DELETE SET NULL ON UPDATE CASCADE,
  application_id bigint REFERENCES application (id) ON DELETE SET NULL,
  course_id      bigint REFERENCES course (id),
  issuer_institution_id bigint REFERENCES institution (id),
  issued         bigint NOT NULL,
  deadline       text NOT NULL,
  delivered      bigint,
  reminder       boolean NOT NULL DEFAULT TRUE,
  reminded       bigint,
  collected      bigint,
  lapsed         bigint,
  automatic      boolean NOT NULL DEFAULT FALSE,
  currency       text NOT NULL,
  total          bigint NOT NULL,
  paid           bigint NOT NULL DEFAULT 0,
  instructions   text NOT NULL DEFAULT '',
  smallprint     text NOT NULL DEFAULT '',
  payer_name     text NOT NULL,
  payer_email    text NOT NULL DEFAULT ''
);
CREATE INDEX invoice_issued ON invoice (issued, id);
CREATE INDEX invoice_collected ON invoice (collected, id) WHERE collected IS NOT NULL;
CREATE INDEX invoice_paid ON invoice (id, collected) WHERE collected IS NOT NULL;
CREATE INDEX invoice_open ON invoice (id, collected, lapsed, deadline) WHERE collected IS NULL;
CREATE INDEX invoice_deadline ON invoice (deadline, id) WHERE collected IS NULL AND lapsed IS NULL;
CREATE INDEX invoice_applicant ON invoice (applicant_id, id);
CREATE INDEX invoice_application ON invoice (application_id, id);
CREATE INDEX invoice_series_id ON invoice (series_id, id);
CREATE INDEX invoice_currency ON invoice (currency, id);

CREATE TABLE invoice_item (
  invoice_id        bigint NOT NULL REFERENCES invoice (id) ON DELETE CASCADE,
  n                 bigint NOT NULL,
  item              text NOT NULL,
  price             bigint NOT NULL,
  qty               bigint NOT NULL,
  unit              text NOT NULL DEFAULT '',
  inventory_item_id bigint,
  PRIMARY KEY (invoice_id, n)
);

-- Payments towards invoices. payment is what a gateway said, a JSON object, '' without.
CREATE TABLE invoice_transaction (
  id               {serial},
  invoice_id       bigint NOT NULL REFERENCES invoice (id),
  amount           bigint NOT NULL,
  inserted         bigint NOT NULL,
  collected        text NOT NULL,
  administrator_id bigint REFERENCES administrator (id),
  payment          text NOT NULL DEFAULT ''
);
CREATE INDEX invoice_transaction_invoice ON invoice_transaction (invoice_id, id);
CREATE INDEX invoice_transaction_inserted ON invoice_transaction (inserted, id);
CREATE INDEX invoice_transaction_collected ON invoice_transaction (collected, id);
