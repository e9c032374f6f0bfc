-- Which task, score, note and mail an event is about.
ALTER TABLE journal ADD COLUMN task_id bigint;
ALTER TABLE journal ADD COLUMN scoresheet_id bigint;
ALTER TABLE journal ADD COLUMN score_id bigint;
ALTER TABLE journal ADD COLUMN note_id bigint;
ALTER TABLE journal ADD COLUMN email_id bigint;
