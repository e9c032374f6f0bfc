-- When the applicant first read a mail in the portal.
ALTER TABLE email ADD COLUMN read_at bigint;
