-- All that lists of staff check, and reports count, of the courses, offers and tasks of an application, which so takes none
-- of their rows.
CREATE INDEX application_course_checked ON application_course (application_id, intake_id, course_id, institution_id, course_type, priority, submitted);
CREATE INDEX offer_checked ON offer (application_id, type_id, type_confirmed_id, decision, decided, decision_deadline, confirmed, institution_id);
CREATE INDEX task_checked ON task (application_id, template_id, status, resolved, created) WHERE trashed IS NULL;
