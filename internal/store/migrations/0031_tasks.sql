-- needs: 0031_tasks
-- The tasks overview lists and counts tasks by cell: the term of the application, the template, whether the task was handed
-- in (1) and resolved (2), and its status. Tasks in the trash and those of invisible applications have none. Triggers of each
-- engine fill it. Counts are kept (store/task_cell.go); an earlier release would change tasks and not the counts, so none may
-- work next to this step.
ALTER TABLE task ADD COLUMN cell text;
UPDATE task SET cell = (SELECT a.academic_term_id || ':' || task.template_id || ':' ||
  (CASE WHEN task.committed IS NULL THEN 0 ELSE 1 END + CASE WHEN task.resolved IS NULL THEN 0 ELSE 2 END) || ':' || task.status
  FROM application a WHERE a.id = task.application_id AND a.visible) WHERE trashed IS NULL;
CREATE INDEX task_cell ON task (cell, coalesce(deadline, '9999-12-31'), id) WHERE cell IS NOT NULL;
CREATE INDEX task_due ON task (coalesce(deadline, '9999-12-31'), id) WHERE cell IS NOT NULL;
INSERT INTO tally (family, facet, block, n, low, high)
  SELECT 'task:' || a.academic_term_id, t.cell, t.id / 16384, count(*), min(t.id), max(t.id)
  FROM task t JOIN application a ON a.id = t.application_id WHERE t.cell IS NOT NULL GROUP BY a.academic_term_id, t.cell, t.id / 16384;
