-- Money as staff keep it: what a reversal takes back, what new invoices of a series say, the lists of invoices by what
-- became of them with their sums, and the register of numbers.
ALTER TABLE invoice_transaction ADD COLUMN reverses bigint;
ALTER TABLE invoice_series ADD COLUMN instructions text NOT NULL DEFAULT '';
ALTER TABLE invoice_series ADD COLUMN smallprint text NOT NULL DEFAULT '';
ALTER TABLE fee ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
CREATE INDEX invoice_unpaid ON invoice (id, collected, lapsed, deadline, paid, reminded, delivered) WHERE collected IS NULL;
-- All that filters and sums of the list read, so that they read no row.
CREATE INDEX invoice_ledger ON invoice (currency, series_id, issued, collected, lapsed, deadline, total, paid, reminded, delivered);
CREATE INDEX invoice_number_given ON invoice_number (series_id, issued, nr);
CREATE INDEX invoice_number_void ON invoice_number (series_id, issued, nr) WHERE void;
