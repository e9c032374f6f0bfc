-- The HTML form of the copy of a mail, without its secrets, where it shows more than the text; '' where it does not, and
-- for mails of earlier releases.
ALTER TABLE email ADD COLUMN html text NOT NULL DEFAULT '';
