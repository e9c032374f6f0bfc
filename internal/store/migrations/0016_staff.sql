-- How staff sign in, and how they like their pages. email_key is the normal form of the address. Secrets of second factors are sealed;
-- the step is that of the last code, which cannot be used again.
ALTER TABLE administrator ADD COLUMN email_key text NOT NULL DEFAULT '';
ALTER TABLE administrator ADD COLUMN password text NOT NULL DEFAULT '';
ALTER TABLE administrator ADD COLUMN second_factor bytea;
ALTER TABLE administrator ADD COLUMN second_factor_new bytea;
ALTER TABLE administrator ADD COLUMN second_factor_step bigint NOT NULL DEFAULT 0;
ALTER TABLE administrator ADD COLUMN language text NOT NULL DEFAULT '';
ALTER TABLE administrator ADD COLUMN scheme text NOT NULL DEFAULT '';
ALTER TABLE administrator ADD COLUMN density text NOT NULL DEFAULT '';
ALTER TABLE administrator ADD COLUMN shortcuts boolean NOT NULL DEFAULT TRUE;
ALTER TABLE administrator ADD COLUMN term_id bigint;
ALTER TABLE administrator ADD COLUMN valid_until text;
ALTER TABLE administrator ADD COLUMN last_sign_in bigint;
ALTER TABLE administrator ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
UPDATE administrator SET email_key = lower(email);
CREATE INDEX administrator_email ON administrator (email_key);
CREATE INDEX administrator_role_role ON administrator_role (role_id);

-- The permissions of custom roles; those of built-in roles are in the code.
CREATE TABLE role_permission (
  role_id    bigint NOT NULL REFERENCES role (id) ON DELETE CASCADE,
  permission text NOT NULL,
  PRIMARY KEY (role_id, permission)
);
ALTER TABLE role ADD COLUMN row_version bigint NOT NULL DEFAULT 1;

-- Links that let staff set a password or confirm an address; email is where the mail went.
CREATE TABLE account_token (
  hash             bytea PRIMARY KEY,
  purpose          text NOT NULL,
  administrator_id bigint NOT NULL REFERENCES administrator (id) ON DELETE CASCADE,
  email            text NOT NULL,
  created          bigint NOT NULL,
  expires          bigint NOT NULL,
  used             bigint
);
CREATE INDEX account_token_administrator ON account_token (administrator_id);
CREATE INDEX account_token_expires ON account_token (expires);

-- Codes that stand for a second factor, each once.
CREATE TABLE recovery_code (
  administrator_id bigint NOT NULL REFERENCES administrator (id) ON DELETE CASCADE,
  hash             bytea NOT NULL,
  used             bigint,
  PRIMARY KEY (administrator_id, hash)
);

-- Links to the first set-up of the instance.
CREATE TABLE setup_token (
  hash    bytea PRIMARY KEY,
  created bigint NOT NULL,
  expires bigint NOT NULL,
  used    bigint
);

-- Sessions of both areas; account_id is NULL before the sign-in, and of an administrator or an applicant after it.
CREATE TABLE session (
  hash       bytea PRIMARY KEY,
  area       text NOT NULL,
  account_id bigint,
  begun      bigint NOT NULL,
  seen       bigint NOT NULL,
  proved     bigint,
  agent      text NOT NULL DEFAULT '',
  data       bytea NOT NULL
);
CREATE INDEX session_account ON session (area, account_id);
CREATE INDEX session_seen ON session (seen);

-- Failed sign-ins of the last hour, by hashes of the account and of the network address.
CREATE TABLE sign_in_failure (
  id      {serial},
  area    text NOT NULL,
  account bytea NOT NULL,
  network bytea NOT NULL,
  at      bigint NOT NULL
);
CREATE INDEX sign_in_failure_account ON sign_in_failure (area, account, at);
CREATE INDEX sign_in_failure_network ON sign_in_failure (area, network, at);
CREATE INDEX sign_in_failure_at ON sign_in_failure (at);

-- What was typed into forms that could not be saved, sealed.
CREATE TABLE stash (
  area       text NOT NULL,
  account_id bigint NOT NULL,
  path       text NOT NULL,
  sealed     bytea NOT NULL,
  inserted   bigint NOT NULL,
  PRIMARY KEY (area, account_id, path)
);
CREATE INDEX stash_inserted ON stash (inserted);
