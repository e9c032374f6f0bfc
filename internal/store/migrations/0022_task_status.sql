-- Few tasks are in some statuses: lists are found by these.
CREATE INDEX task_in_status ON task (status, application_id, template_id) WHERE trashed IS NULL;
