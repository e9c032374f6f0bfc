-- What staff say of an API key has a row version: two who edit it notice each other.
ALTER TABLE api_key ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
