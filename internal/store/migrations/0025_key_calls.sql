-- What a key called last, and how often its quota refused it, by the hour. Both are counted in memory and saved with the
-- times of the last use of keys.
ALTER TABLE api_key ADD COLUMN last_version bigint;
ALTER TABLE api_key ADD COLUMN last_operation text NOT NULL DEFAULT '';
CREATE TABLE api_key_refused (
  api_key_id bigint NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  hour       bigint NOT NULL,
  n          bigint NOT NULL,
  PRIMARY KEY (api_key_id, hour)
);
CREATE INDEX api_key_refused_hour ON api_key_refused (hour);
