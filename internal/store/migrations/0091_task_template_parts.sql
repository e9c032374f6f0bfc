-- A template makes one task of an application, or one for each course that it applies to. Those for some courses, and
-- those of confirmed offers, have made one for each course so far.
ALTER TABLE task_template ADD COLUMN per_course boolean NOT NULL DEFAULT FALSE;
UPDATE task_template SET per_course = TRUE WHERE NOT all_courses OR causing = 'confirmed';
-- A JSON list of the kinds of documents that are taken, [] for all, and texts in other languages than the first.
ALTER TABLE task_template ADD COLUMN document_kinds text NOT NULL DEFAULT '[]';
ALTER TABLE task_template ADD COLUMN versions text NOT NULL DEFAULT '{}';
