-- What fees, series of invoices, terms and application statuses say in other languages than the first, and invoices,
-- which keep what it was when they were issued.
ALTER TABLE fee ADD COLUMN versions text NOT NULL DEFAULT '{}';
ALTER TABLE invoice_series ADD COLUMN versions text NOT NULL DEFAULT '{}';
ALTER TABLE academic_term ADD COLUMN versions text NOT NULL DEFAULT '{}';
ALTER TABLE application_status ADD COLUMN versions text NOT NULL DEFAULT '{}';
ALTER TABLE invoice ADD COLUMN versions text NOT NULL DEFAULT '{}';
