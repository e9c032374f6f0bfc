// Package apptest is what the tests of several packages share: the sizes of tests, and the counter of kills. Only tests
// import it. It imports the standard library.
package apptest

import "os"

// Long reports whether tests have the size of make test-long, which sets ADMITTO_TEST_SIZE=long. Without it, in
// go test ./..., they are short.
func Long() bool { return os.Getenv("ADMITTO_TEST_SIZE") == "long" }

// Size returns the size that a test has now: short or long.
func Size[T any](short, long T) T {
	if Long() {
		return long
	}
	return short
}
