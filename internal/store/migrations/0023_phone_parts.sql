-- Applicants are found by any part of their telephone number: those with one are read again.
INSERT INTO search_due (applicant_id) SELECT id FROM applicant WHERE phone <> '' ORDER BY id;
