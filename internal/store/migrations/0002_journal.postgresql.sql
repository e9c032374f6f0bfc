CREATE FUNCTION journal_inserts_only() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN RAISE EXCEPTION 'the journal takes inserts only'; END $body$;
CREATE TRIGGER journal_inserts_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
FOR EACH STATEMENT EXECUTE FUNCTION journal_inserts_only();

-- The quota counts of several service instances. Unlogged: losing them in a crash forgives at most an hour.
CREATE UNLOGGED TABLE quota (
  api_key_id bigint PRIMARY KEY,
  passed     bigint[] NOT NULL DEFAULT '{}'
);
