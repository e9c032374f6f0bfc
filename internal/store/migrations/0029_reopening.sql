-- What staff write to an applicant whose application they reopen, and by when it is to be submitted again; and whether
-- a document waits to be opened by staff for the first time.
ALTER TABLE application ADD COLUMN reopen_text text NOT NULL DEFAULT '';
ALTER TABLE application ADD COLUMN reopen_until text;
ALTER TABLE document ADD COLUMN unread boolean NOT NULL DEFAULT FALSE;
