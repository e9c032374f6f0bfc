-- Forms of pages that were sent, each by the hash of its mark and of what was typed, so that it counts once. The answer is sealed;
-- it is NULL while the form is being saved, and stays so when that ended with its process.
CREATE TABLE sent_form (
  area       text NOT NULL,
  account_id bigint NOT NULL,
  mark       bytea NOT NULL,
  begun      bigint NOT NULL,
  answer     bytea,
  PRIMARY KEY (area, account_id, mark)
);
CREATE INDEX sent_form_begun ON sent_form (begun);

-- Files of forms that could not be saved, sealed, by the path and the field that they were chosen in.
CREATE TABLE stash_file (
  area       text NOT NULL,
  account_id bigint NOT NULL,
  path       text NOT NULL,
  field      text NOT NULL,
  size       bigint NOT NULL,
  sealed     bytea NOT NULL,
  inserted   bigint NOT NULL,
  PRIMARY KEY (area, account_id, path, field)
);
CREATE INDEX stash_file_inserted ON stash_file (inserted);
