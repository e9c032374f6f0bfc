-- Who sealed the list of a batch that another administrator has taken over, and may not release it as a second person.
ALTER TABLE batch ADD COLUMN sealed_by bigint;
