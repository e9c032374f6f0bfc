-- What writers of PostgreSQL leave for whoever has the head of the journal next: events without their numbers, and counts
-- that are not in tally yet. Both are empty but for moments.
CREATE TABLE journal_waiting (
	id {serial},
	events text NOT NULL
);
CREATE TABLE tally_waiting (
	id {serial},
	family text NOT NULL,
	facet text NOT NULL,
	block bigint NOT NULL,
	n bigint NOT NULL,
	low bigint NOT NULL,
	high bigint NOT NULL
);
CREATE INDEX tally_waiting_key ON tally_waiting (family, facet, block);
