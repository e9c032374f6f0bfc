-- Files of forms may arrive in parts: how many bytes of each are not there yet, and the parts, sealed. The row of a file has what is
-- known of it, and from releases before this one all of its bytes.
ALTER TABLE stash_file ADD COLUMN lacking bigint NOT NULL DEFAULT 0;
CREATE TABLE stash_part (
  area       text NOT NULL,
  account_id bigint NOT NULL,
  path       text NOT NULL,
  field      text NOT NULL,
  start      bigint NOT NULL,
  sealed     bytea NOT NULL,
  PRIMARY KEY (area, account_id, path, field, start),
  FOREIGN KEY (area, account_id, path, field) REFERENCES stash_file ON DELETE CASCADE
);
