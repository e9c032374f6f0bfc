CREATE TRIGGER journal_detail_no_update BEFORE UPDATE ON journal_detail BEGIN SELECT RAISE(ABORT, 'the journal takes inserts only'); END;
CREATE TRIGGER journal_detail_no_delete BEFORE DELETE ON journal_detail WHEN NOT EXISTS (
  SELECT 1 FROM journal j JOIN applicant a ON a.id = coalesce(j.applicant_id, (SELECT p.applicant_id FROM application p WHERE p.id = j.application_id))
  WHERE j.id = OLD.journal_id AND a.state = 'recovery')
BEGIN SELECT RAISE(ABORT, 'the journal takes inserts only: details go when their applicant is erased'); END;
