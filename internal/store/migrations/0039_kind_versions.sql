-- What staff keep of offer types, consents, series and fees has a row version, too.
ALTER TABLE offer_type ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE consent ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE invoice_series ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
