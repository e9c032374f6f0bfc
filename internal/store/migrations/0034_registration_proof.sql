-- The hash of a value that only the browser has which registered somebody, until a link was used: whoever goes back there to
-- change the address takes this registration back, and nobody else can.
ALTER TABLE applicant ADD COLUMN registration_proof bytea;
CREATE INDEX applicant_registration_proof ON applicant (registration_proof) WHERE registration_proof IS NOT NULL;
