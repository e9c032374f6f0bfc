-- One row for each request that passed within the last hour, numbered for each key, so that an instance reads and writes
-- only what it does not know yet. Unlogged as the table quota was, which stays for instances of the release before; until
-- they are gone, they and the new ones count apart.
CREATE UNLOGGED TABLE quota_passed (
  api_key_id bigint NOT NULL,
  n          bigint NOT NULL,
  passed     bigint NOT NULL,
  PRIMARY KEY (api_key_id, n)
);
