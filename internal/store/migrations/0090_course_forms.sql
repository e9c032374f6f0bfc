-- The form of a course is kept as what it changes in the table of fields, and the questions that it asks: {sections, fields,
-- questions}. Nothing but the default form, {}, was ever written before.
UPDATE course SET form = '' WHERE form <> '';
-- Questions have words of help, versions in other languages than the first ({"ar": {"name": "…"}}), and a row version.
ALTER TABLE question ADD COLUMN help text NOT NULL DEFAULT '';
ALTER TABLE question ADD COLUMN versions text NOT NULL DEFAULT '{}';
ALTER TABLE question ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
