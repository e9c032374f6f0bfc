-- Applicants get in by themselves. Language and scheme are how pages are shown to them, '' for what their browser wants; unconfirmed
-- are those who registered and have not used the link of the welcome mail yet.
ALTER TABLE applicant ADD COLUMN language text NOT NULL DEFAULT '';
ALTER TABLE applicant ADD COLUMN scheme text NOT NULL DEFAULT '';
ALTER TABLE applicant ADD COLUMN signed_in bigint;
ALTER TABLE applicant ADD COLUMN unconfirmed boolean NOT NULL DEFAULT FALSE;
-- An address that an applicant is to have once the link that was sent there is used; at most one each.
CREATE TABLE email_change (
  applicant_id bigint PRIMARY KEY REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  hash         bytea NOT NULL UNIQUE,
  email        text NOT NULL,
  email_key    text NOT NULL,
  asked        bigint NOT NULL,
  expires      bigint NOT NULL
);
CREATE INDEX email_change_expires ON email_change (expires);
-- How often something was done in the last hour that may be done so many times only, by what is limited: a JSON list of times.
CREATE TABLE hourly_use (
  subject text PRIMARY KEY,
  times   text NOT NULL,
  last    bigint NOT NULL
);
CREATE INDEX hourly_use_last ON hourly_use (last);
