-- Several mails leave at once, but those to one recipient in their order: recipient is the same for all mails to one address. Rows of
-- releases that do not know the column have none and wait for no other, as before.
ALTER TABLE outbox ADD COLUMN recipient bigint;
CREATE INDEX outbox_recipient ON outbox (recipient, id);
