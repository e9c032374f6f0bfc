-- The list of invoices by the day by which they are to be paid.
CREATE INDEX invoice_due ON invoice (deadline, id) WHERE deadline IS NOT NULL;
