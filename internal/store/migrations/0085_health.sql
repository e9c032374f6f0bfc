-- What each instance says of itself twice a minute, as JSON: it takes its row along when it stops.
CREATE TABLE instance_report (
  id      text PRIMARY KEY,
  started bigint NOT NULL,
  seen    bigint NOT NULL,
  report  text NOT NULL
);
-- How the last runs of the jobs went that one instance does for all, and for when somebody asked for one. failures counts
-- since the last run that went well.
CREATE TABLE job_outcome (
  job      text PRIMARY KEY,
  asked    bigint,
  begun    bigint,
  took     bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,
  failed   bigint,
  cause    text NOT NULL DEFAULT ''
);
-- The last backup that was made of this database.
CREATE TABLE backup_seen (
  one         bigint PRIMARY KEY,
  made        bigint NOT NULL,
  bytes       bigint NOT NULL,
  last_record bigint NOT NULL
);
