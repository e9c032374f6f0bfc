-- A status may tell the applicant when staff set it, and what staff write about a task may be for the applicant.
ALTER TABLE task_template_status ADD COLUMN tells boolean NOT NULL DEFAULT FALSE;
ALTER TABLE task ADD COLUMN notes_shared boolean NOT NULL DEFAULT FALSE;
UPDATE task_template_status SET tells = TRUE WHERE name IN ('Returned', 'Rejected');
