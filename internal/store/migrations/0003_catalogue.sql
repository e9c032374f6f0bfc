-- Reference data: what the institution offers, and the words it uses.

CREATE TABLE administrator (
  id             {serial},
  name           text NOT NULL,
  email          text NOT NULL,
  outgoing_name  text NOT NULL DEFAULT '',
  outgoing_email text NOT NULL DEFAULT '',
  phone          text NOT NULL DEFAULT '',
  function       text NOT NULL DEFAULT '',
  suspended      boolean NOT NULL DEFAULT FALSE,
  removed        boolean NOT NULL DEFAULT FALSE
);

CREATE TABLE role (
  id   {serial},
  name text NOT NULL
);

CREATE TABLE administrator_role (
  administrator_id bigint NOT NULL REFERENCES administrator (id) ON DELETE CASCADE,
  role_id          bigint NOT NULL REFERENCES role (id) ON DELETE CASCADE,
  PRIMARY KEY (administrator_id, role_id)
);

CREATE TABLE institution (
  id           {serial},
  status       text NOT NULL,
  mode         text NOT NULL,
  type         text NOT NULL DEFAULT '',
  name         text NOT NULL,
  country      text NOT NULL DEFAULT '',
  location     text NOT NULL DEFAULT '',
  www          text NOT NULL DEFAULT '',
  erasmus      text NOT NULL DEFAULT '',
  address      text NOT NULL DEFAULT '',
  vat          text NOT NULL DEFAULT '',
  iban         text NOT NULL DEFAULT '',
  registration text NOT NULL DEFAULT ''
);
CREATE INDEX institution_status ON institution (status, id);
CREATE INDEX institution_mode ON institution (mode, id);
CREATE INDEX institution_country ON institution (country, id);

CREATE TABLE department (
  id             {serial},
  institution_id bigint NOT NULL REFERENCES institution (id),
  name           text NOT NULL,
  country        text NOT NULL DEFAULT '',
  location       text NOT NULL DEFAULT '',
  www            text NOT NULL DEFAULT ''
);
CREATE INDEX department_institution ON department (institution_id, id);

-- Awards are a JSON list of {abbr, full}.
CREATE TABLE course (
  id             {serial},
  status         text NOT NULL,
  updated        bigint NOT NULL,
  institution_id bigint NOT NULL REFERENCES institution (id),
  featured       boolean NOT NULL DEFAULT FALSE,
  type           text NOT NULL DEFAULT '',
  awards         text NOT NULL DEFAULT '[]',
  name           text NOT NULL,
  mode           text NOT NULL DEFAULT '',
  duration       text NOT NULL DEFAULT '',
  credits        text NOT NULL DEFAULT '',
  language       text NOT NULL DEFAULT '',
  country        text NOT NULL DEFAULT '',
  location       text NOT NULL DEFAULT '',
  code           text NOT NULL DEFAULT '',
  code_internal  text NOT NULL DEFAULT '',
  accreditation  text NOT NULL DEFAULT '',
  quota          bigint,
  prospect_uri   text NOT NULL DEFAULT ''
);
CREATE INDEX course_institution ON course (institution_id, id);
CREATE INDEX course_status ON course (status, id);
CREATE INDEX course_type ON course (type, id);
CREATE INDEX course_mode ON course (mode, id);
CREATE INDEX course_code ON course (code, id);

CREATE TABLE academic_year (
  year  bigint PRIMARY KEY,
  name  text NOT NULL,
  start text NOT NULL
);

CREATE TABLE academic_term_type (
  id   {serial},
  name text NOT NULL
);

CREATE TABLE intake (
  id               {serial},
  name             text NOT NULL,
  start            text,
  pre_deadline     text,
  pre_info         text NOT NULL DEFAULT '',
  pre_mask         boolean NOT NULL DEFAULT FALSE,
  policy           text NOT NULL,
  decision_policy  text NOT NULL DEFAULT 'None',
  decision_days    bigint,
  decision_date    text,
  arrival          text,
  commence         text,
  academic_term_id bigint NOT NULL REFERENCES academic_term (id)
);
CREATE INDEX intake_term ON intake (academic_term_id, id);

CREATE TABLE intake_deadline (
  intake_id bigint NOT NULL REFERENCES intake (id) ON DELETE CASCADE,
  territory text NOT NULL,
  deadline  text,
  info      text NOT NULL DEFAULT '',
  barred    boolean NOT NULL DEFAULT FALSE,
  PRIMARY KEY (intake_id, territory)
);

CREATE TABLE course_intake (
  course_id bigint NOT NULL REFERENCES course (id) ON DELETE CASCADE,
  intake_id bigint NOT NULL REFERENCES intake (id) ON DELETE CASCADE,
  PRIMARY KEY (course_id, intake_id)
);
CREATE INDEX course_intake_intake ON course_intake (intake_id, course_id);

-- Territories between country and world; members is a JSON list of alpha-2 codes, position their order.
CREATE TABLE region (
  code     text PRIMARY KEY,
  name     text NOT NULL,
  position bigint NOT NULL,
  members  text NOT NULL
);

-- Classificator values; classes 27 and 28 are computed from the institutions.
CREATE TABLE classificator (
  class    text NOT NULL,
  code     text NOT NULL,
  title    text NOT NULL,
  active   boolean NOT NULL DEFAULT TRUE,
  class_position bigint NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (class, code)
);

CREATE TABLE consent (
  id      {serial},
  type    text NOT NULL,
  text    text NOT NULL,
  link    text NOT NULL DEFAULT '',
  active  boolean NOT NULL DEFAULT TRUE,
  version bigint NOT NULL DEFAULT 1
);

CREATE TABLE flag (
  id       {serial},
  created  bigint NOT NULL,
  name     text NOT NULL,
  name_key text NOT NULL UNIQUE
);

CREATE TABLE application_status (
  name     text PRIMARY KEY,
  position bigint NOT NULL,
  title    text NOT NULL,
  colour   text NOT NULL,
  explained text NOT NULL
);

-- bcc is a JSON list of addresses.
CREATE TABLE offer_type (
  id              {serial},
  status          text NOT NULL,
  title           text NOT NULL,
  title_key       text NOT NULL UNIQUE,
  public_title    text NOT NULL,
  colour          text NOT NULL,
  ranking         text NOT NULL,
  bcc             text NOT NULL DEFAULT '[]',
  confirm         boolean NOT NULL DEFAULT FALSE,
  freezes         boolean NOT NULL DEFAULT FALSE,
  decide          boolean NOT NULL DEFAULT FALSE,
  decline         boolean NOT NULL DEFAULT FALSE,
  strict_declined boolean NOT NULL DEFAULT FALSE,
  reopen          boolean NOT NULL DEFAULT FALSE,
  silence         boolean NOT NULL DEFAULT FALSE,
  subject         text NOT NULL DEFAULT '',
  comments        text NOT NULL DEFAULT ''
);

CREATE TABLE offer_reason (
  id            {serial},
  offer_type_id bigint NOT NULL REFERENCES offer_type (id),
  reason        text NOT NULL
);
CREATE INDEX offer_reason_type ON offer_reason (offer_type_id, id);

CREATE TABLE letterhead (
  id       {serial},
  name     text NOT NULL,
  created  bigint NOT NULL,
  modified bigint NOT NULL
);

-- Questions behind extras of applications; options is a JSON list of titles, fields one of {id, name, type}.
CREATE TABLE question (
  id       {serial},
  name     text NOT NULL,
  type     text NOT NULL,
  options  text NOT NULL DEFAULT '[]',
  fields   text NOT NULL DEFAULT '[]',
  position bigint NOT NULL DEFAULT 0
);

CREATE TABLE task_template (
  id      {serial},
  class   text NOT NULL UNIQUE,
  title   text NOT NULL,
  causing text NOT NULL DEFAULT 'none',
  active  boolean NOT NULL DEFAULT FALSE
);

CREATE TABLE task_template_status (
  template_id       bigint NOT NULL REFERENCES task_template (id) ON DELETE CASCADE,
  name              text NOT NULL,
  position          bigint NOT NULL,
  title             text NOT NULL,
  description       text NOT NULL DEFAULT '',
  public            boolean NOT NULL DEFAULT FALSE,
  is_default        boolean NOT NULL DEFAULT FALSE,
  blocks            boolean NOT NULL DEFAULT FALSE,
  resolves          boolean NOT NULL DEFAULT FALSE,
  closes            boolean NOT NULL DEFAULT FALSE,
  requires_document boolean NOT NULL DEFAULT FALSE,
  PRIMARY KEY (template_id, name)
);

-- fields is a JSON object of names and texts; never a secret.
CREATE TABLE export_profile (
  code    text PRIMARY KEY,
  name    text NOT NULL,
  adapter text NOT NULL,
  fields  text NOT NULL DEFAULT '{}'
);

CREATE TABLE invoice_series (
  id          {serial},
  name        text NOT NULL,
  format      text NOT NULL,
  blocking    boolean NOT NULL DEFAULT FALSE,
  permanent   boolean NOT NULL DEFAULT FALSE,
  is_default  boolean NOT NULL DEFAULT FALSE,
  last_issued bigint,
  last_number text NOT NULL DEFAULT ''
);

CREATE TABLE scoresheet_group (
  id   {serial},
  name text NOT NULL
);

-- maps is a JSON list of {label, value}, '' without; ranges and points count ten-thousandths.
CREATE TABLE scoresheet (
  id           {serial},
  created      bigint NOT NULL,
  scored       bigint,
  confirmed    bigint,
  name         text NOT NULL,
  type         text NOT NULL,
  maps         text NOT NULL DEFAULT '',
  date         text NOT NULL DEFAULT 'None',
  reference    text NOT NULL DEFAULT 'None',
  subject      text NOT NULL DEFAULT 'None',
  language     text NOT NULL DEFAULT 'None',
  depth        text NOT NULL,
  range_min    bigint NOT NULL,
  range_max    bigint NOT NULL,
  scale        bigint NOT NULL,
  instructions text NOT NULL DEFAULT '',
  group_id     bigint REFERENCES scoresheet_group (id)
);

-- columns is a JSON list of {source, title}, filters a JSON object (tableview filters of the interface).
CREATE TABLE tableview (
  id       {serial},
  created  bigint NOT NULL,
  modified bigint NOT NULL,
  title    text NOT NULL,
  row_kind text NOT NULL,
  columns  text NOT NULL,
  filters  text NOT NULL DEFAULT '{}',
  private  boolean NOT NULL DEFAULT FALSE,
  owner_id bigint REFERENCES administrator (id)
);

-- filters is a JSON object {intakes, citizenships, flags, statuses}.
CREATE TABLE ranking (
  id               {serial},
  name             text NOT NULL,
  created          bigint NOT NULL,
  modified         bigint NOT NULL,
  academic_term_id bigint REFERENCES academic_term (id),
  filters          text NOT NULL DEFAULT '{}',
  quota            bigint
);
CREATE TABLE ranking_course (
  ranking_id bigint NOT NULL REFERENCES ranking (id) ON DELETE CASCADE,
  course_id  bigint NOT NULL REFERENCES course (id),
  PRIMARY KEY (ranking_id, course_id)
);
CREATE INDEX ranking_course_course ON ranking_course (course_id, ranking_id);
