-- The access log: who of staff opened sensitive data of whom (lifecycle.md 13), as long as sign-ins are kept.
CREATE TABLE access (
  id               {serial},
  logged           bigint NOT NULL,
  administrator_id bigint NOT NULL,
  application_id   bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
  what             text NOT NULL
);
CREATE INDEX access_logged ON access (logged, id);
CREATE INDEX access_application ON access (application_id, id);
