CREATE FUNCTION task_cell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.cell := (SELECT a.academic_term_id || ':' || NEW.template_id || ':' ||
    (CASE WHEN NEW.committed IS NULL THEN 0 ELSE 1 END + CASE WHEN NEW.resolved IS NULL THEN 0 ELSE 2 END) || ':' || NEW.status
    FROM application a WHERE a.id = NEW.application_id AND a.visible AND NEW.trashed IS NULL);
  RETURN NEW;
END $$;
CREATE TRIGGER task_cell BEFORE INSERT OR UPDATE OF application_id, template_id, committed, resolved, status, trashed ON task
  FOR EACH ROW EXECUTE FUNCTION task_cell();
CREATE FUNCTION application_task_cell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE task SET application_id = NEW.id WHERE application_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER application_task_cell AFTER UPDATE OF visible, academic_term_id ON application
  FOR EACH ROW EXECUTE FUNCTION application_task_cell();
