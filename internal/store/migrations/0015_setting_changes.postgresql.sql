-- An instance of an earlier release, which works beside this one while instances are upgraded, changes the value alone: nobody is
-- known then who did.
CREATE FUNCTION forget_setting_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed := NULL;
  NEW.changed_by := '';
  NEW.changed_by_id := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER setting_change BEFORE UPDATE ON setting FOR EACH ROW WHEN (NEW.changed = OLD.changed AND NEW.value <> OLD.value)
  EXECUTE FUNCTION forget_setting_change();
