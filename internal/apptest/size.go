// Package apptest is what the tests of several packages share: the sizes of tests, and the counter of kills. Only tests
// import it. It imports the standard library.
package apptest

import "os"

// Size returns short, the size that a test has in go test ./..., or long, that of make test-long, which sets
// ADMITTO_TEST_SIZE=long.
func Size[T any](short, long T) T {
	if os.Getenv("ADMITTO_TEST_SIZE") == "long" {
		return long
	}
	return short
}
