// Package replay compares two builds of admitto: both serve the same invented data, both get the same thousands of
// requests over all versions, reads and writes, and both must answer the same bytes but for times and random names. It
// is how a change of structure shows that nothing changed outside.
//
//	go build -o /tmp/before ./cmd/admitto    # of the commit to compare with
//	cd test && ADMITTO_REPLAY_BEFORE=/tmp/before go test ./replay
//
// Without ADMITTO_REPLAY_BEFORE the build of the current source is compared with itself, which shows that the
// comparison finds no differences where there are none: on SQLite, in the newest version.
package replay
