-- Releases that do not know the column hold the row in a transaction while they remove. Bytes that one of them would store while a
-- newer instance removes the same ones would be lost, so it is refused; the client sends them again.
CREATE FUNCTION loose_file_stays_loose() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN RAISE EXCEPTION 'these bytes are being removed'; END $body$;
CREATE TRIGGER loose_file_stays_loose BEFORE UPDATE ON loose_file FOR EACH ROW
WHEN (NEW.holders > OLD.holders AND NEW.removing IS NOT NULL) EXECUTE FUNCTION loose_file_stays_loose();
