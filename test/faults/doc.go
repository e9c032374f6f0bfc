// Package faults breaks things around the real binary and looks whether the promises of docs/promises.md hold: it kills
// the service and the database, fills the disk, stops the mail server, holds connections open, sets clocks back, and
// runs several instances at once. All of it is in its test files.
//
// The tests are bounded so that all take about two minutes. ADMITTO_TEST_FAULTS=full runs the sizes of the promises.
package faults
