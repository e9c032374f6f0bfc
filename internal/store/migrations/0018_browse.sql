-- What the lists, the search and the dashboard of staff look through.

-- Who works on an application, and when the applicant changed it last.
ALTER TABLE application ADD COLUMN officer_id bigint;
ALTER TABLE application ADD COLUMN applicant_changed bigint;
UPDATE application SET applicant_changed = (SELECT max(j.logged) FROM journal j WHERE j.application_id = application.id
  AND j.actor = 'applicant' AND j.pattern IN ('Application was edited', 'Document was uploaded', 'Document was uploaded to a task'))
  WHERE submitted IS NOT NULL;
CREATE INDEX application_officer ON application (officer_id, id) WHERE visible AND officer_id IS NOT NULL;
CREATE INDEX application_changed ON application (applicant_changed, id) WHERE visible AND applicant_changed > submitted;
CREATE INDEX application_frozen_id ON application (id) WHERE visible AND frozen IS NOT NULL;
CREATE INDEX application_term_status ON application (academic_term_id, status, id) WHERE visible;
CREATE INDEX application_term_revised ON application (academic_term_id, revised, id) WHERE visible;
CREATE INDEX application_term_submitted ON application (academic_term_id, coalesce(submitted, 0), id) WHERE visible;
CREATE INDEX application_submitted_all ON application (coalesce(submitted, 0), id) WHERE visible;
CREATE INDEX application_term_created ON application (academic_term_id, created) WHERE visible;
CREATE INDEX receipt_refused ON receipt (made, application_id) WHERE NOT accepted;

-- The term of an offer is that of its application; a trigger of each engine fills it.
ALTER TABLE offer ADD COLUMN academic_term_id bigint;
UPDATE offer SET academic_term_id = (SELECT a.academic_term_id FROM application a WHERE a.id = offer.application_id);
CREATE INDEX offer_term_type ON offer (academic_term_id, type_id, application_id, type_confirmed_id, decision);
CREATE INDEX offer_type_confirmed ON offer (type_confirmed_id, application_id) WHERE type_confirmed_id IS NOT NULL;
CREATE INDEX offer_decided ON offer (decided, application_id) WHERE decided IS NOT NULL;
CREATE INDEX offer_deadline ON offer (decision_deadline, academic_term_id, application_id)
  WHERE decision_deadline IS NOT NULL AND decision = 'None' AND confirmed IS NOT NULL;
CREATE INDEX task_open ON task (template_id, status, application_id) WHERE trashed IS NULL;
CREATE INDEX task_handed_in ON task (committed, application_id) WHERE committed IS NOT NULL AND resolved IS NULL AND trashed IS NULL;
CREATE INDEX invoice_due_application ON invoice (application_id) WHERE collected IS NULL AND lapsed IS NULL AND application_id IS NOT NULL;
CREATE INDEX invoice_surplus ON invoice (id) WHERE paid > total;
CREATE INDEX invoice_nr ON invoice (nr, id);
CREATE INDEX email_failed ON email (failed, id) WHERE failed IS NOT NULL AND delivered IS NULL;
CREATE INDEX applicant_blocked ON applicant (id) WHERE state = 'blocked';
CREATE INDEX applicant_lead ON applicant (id) WHERE lead;
CREATE INDEX consent_decision_by ON consent_decision (consent_id, decision, applicant_id);
CREATE INDEX applicant_matriculated ON applicant (matriculation, id) WHERE matriculation <> '';

-- Applicants whose entry in applicant_search is due. Triggers of each engine put them here; a job takes them out.
CREATE TABLE search_due (
  id           {serial},
  applicant_id bigint NOT NULL
);
INSERT INTO search_due (applicant_id) SELECT id FROM applicant ORDER BY id;

-- Numbers of a term as they were at the end of a day.
CREATE TABLE term_snapshot (
  academic_term_id bigint NOT NULL REFERENCES academic_term (id) ON DELETE CASCADE,
  day              text NOT NULL,
  applicants       bigint NOT NULL,
  unsubmitted      bigint NOT NULL,
  submitted        bigint NOT NULL,
  final            bigint NOT NULL,
  PRIMARY KEY (academic_term_id, day)
);
