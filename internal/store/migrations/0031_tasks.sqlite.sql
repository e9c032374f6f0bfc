CREATE TRIGGER task_cell_new AFTER INSERT ON task BEGIN
  UPDATE task SET cell = (SELECT a.academic_term_id || ':' || NEW.template_id || ':' ||
    (CASE WHEN NEW.committed IS NULL THEN 0 ELSE 1 END + CASE WHEN NEW.resolved IS NULL THEN 0 ELSE 2 END) || ':' || NEW.status
    FROM application a WHERE a.id = NEW.application_id AND a.visible AND NEW.trashed IS NULL) WHERE id = NEW.id;
END;
CREATE TRIGGER task_cell AFTER UPDATE OF application_id, template_id, committed, resolved, status, trashed ON task BEGIN
  UPDATE task SET cell = (SELECT a.academic_term_id || ':' || NEW.template_id || ':' ||
    (CASE WHEN NEW.committed IS NULL THEN 0 ELSE 1 END + CASE WHEN NEW.resolved IS NULL THEN 0 ELSE 2 END) || ':' || NEW.status
    FROM application a WHERE a.id = NEW.application_id AND a.visible AND NEW.trashed IS NULL) WHERE id = NEW.id;
END;
CREATE TRIGGER application_task_cell AFTER UPDATE OF visible, academic_term_id ON application BEGIN
  UPDATE task SET cell = (SELECT NEW.academic_term_id || ':' || task.template_id || ':' ||
    (CASE WHEN task.committed IS NULL THEN 0 ELSE 1 END + CASE WHEN task.resolved IS NULL THEN 0 ELSE 2 END) || ':' || task.status
    WHERE NEW.visible AND task.trashed IS NULL) WHERE application_id = NEW.id;
END;
