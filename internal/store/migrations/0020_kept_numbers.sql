-- Numbers of the dashboard that take long to count, as they were counted last: the first reader after a start has them.
CREATE TABLE kept_numbers (
  name  text PRIMARY KEY,
  at    bigint NOT NULL,
  value text NOT NULL
);
