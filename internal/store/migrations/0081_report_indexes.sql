-- Reports count who registered and who was collected from the index alone, and whose offers are confirmed with which type.
CREATE INDEX journal_collected ON journal (applicant_id) WHERE pattern = 'Applicant was collected' AND applicant_id IS NOT NULL;
CREATE INDEX journal_registered ON journal (applicant_id) WHERE pattern = 'Applicant registered' AND applicant_id IS NOT NULL;
CREATE INDEX offer_confirmed_type ON offer (application_id, type_confirmed_id) WHERE confirmed IS NOT NULL;
