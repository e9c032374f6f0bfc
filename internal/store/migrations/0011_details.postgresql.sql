CREATE FUNCTION journal_details_stay() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (
    SELECT 1 FROM journal j JOIN applicant a ON a.id = coalesce(j.applicant_id, (SELECT p.applicant_id FROM application p WHERE p.id = j.application_id))
    WHERE j.id = OLD.journal_id AND a.state = 'recovery') THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the journal takes inserts only: details go when their applicant is erased';
END $body$;
CREATE TRIGGER journal_details_stay BEFORE UPDATE OR DELETE ON journal_detail FOR EACH ROW EXECUTE FUNCTION journal_details_stay();
CREATE TRIGGER journal_details_inserts_only BEFORE TRUNCATE ON journal_detail FOR EACH STATEMENT EXECUTE FUNCTION journal_inserts_only();
