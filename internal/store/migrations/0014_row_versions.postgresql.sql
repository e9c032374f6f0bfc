-- An instance of an earlier release, which works beside this one while instances are upgraded, does not raise the row version
-- of what it changes.
CREATE FUNCTION raise_row_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.row_version := OLD.row_version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER note_row_version BEFORE UPDATE ON note FOR EACH ROW WHEN (NEW.row_version = OLD.row_version)
  EXECUTE FUNCTION raise_row_version();
CREATE TRIGGER score_row_version BEFORE UPDATE ON score FOR EACH ROW WHEN (NEW.row_version = OLD.row_version)
  EXECUTE FUNCTION raise_row_version();
