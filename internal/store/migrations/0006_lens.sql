-- How often each API key used what is deprecated or has ended in a newer version, by day: a whole version, a path of
-- one, a parameter. Counted in memory and saved with the times of the last use of keys.
CREATE TABLE api_key_use (
  api_key_id bigint NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  operation  text NOT NULL,
  version    bigint NOT NULL,
  what       text NOT NULL,
  day        text NOT NULL,
  n          bigint NOT NULL,
  PRIMARY KEY (api_key_id, operation, version, what, day)
);
CREATE INDEX api_key_use_day ON api_key_use (day);
