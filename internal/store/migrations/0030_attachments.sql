-- The order in which a letter takes its attachments along; those that nobody has moved come last, by their IDs.
ALTER TABLE offer_attachment ADD COLUMN place bigint NOT NULL DEFAULT 1000;
