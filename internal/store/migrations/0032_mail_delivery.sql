-- What a stored mail is about, which template it has and where it went; how often it was tried, when last, and what the
-- mail server said. Of mails from before, and of those that a release before has queued, that is not known.
ALTER TABLE email ADD COLUMN application_id bigint;
ALTER TABLE email ADD COLUMN template text NOT NULL DEFAULT '';
ALTER TABLE email ADD COLUMN recipient text NOT NULL DEFAULT '';
ALTER TABLE email ADD COLUMN tries bigint NOT NULL DEFAULT 0;
ALTER TABLE email ADD COLUMN tried bigint;
ALTER TABLE email ADD COLUMN reply text NOT NULL DEFAULT '';
-- Mails that were given up, sealed as they were in the outbox, so that they can be sent again. None of them holds a
-- secret.
CREATE TABLE failed_mail (
  email_id bigint PRIMARY KEY REFERENCES email (id) ON DELETE CASCADE,
  sealed   bytea NOT NULL
);
-- Of letters and invoices that is known after all.
UPDATE email SET template = 'offer-letter', application_id = o.application_id FROM offer_confirmation c, offer o
  WHERE c.email_id = email.id AND o.id = c.offer_id;
UPDATE email SET template = 'invoice-delivery', application_id = i.application_id FROM invoice i WHERE i.email_id = email.id;
