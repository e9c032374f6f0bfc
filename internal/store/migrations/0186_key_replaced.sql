-- Which key was made in the place of an API key: a key is replaced once.
ALTER TABLE api_key ADD COLUMN replaced_by bigint;
