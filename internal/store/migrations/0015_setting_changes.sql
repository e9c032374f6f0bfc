-- Who changed a saved setting, and when; NULL and '' for what was saved before.
ALTER TABLE setting ADD COLUMN changed bigint;
ALTER TABLE setting ADD COLUMN changed_by text NOT NULL DEFAULT '';
ALTER TABLE setting ADD COLUMN changed_by_id bigint;
