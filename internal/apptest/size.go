// Package apptest is what the tests of several packages share: the sizes of tests, and the counter of kills. Only tests
// import it. It imports the standard library.
package apptest

import "os"

// Long reports whether tests have the size of make test-long, which sets ADMITTO_TEST_SIZE=long. Without it, in
// go test ./..., they are short.
func Long() bool { return os.Getenv("ADMITTO_TEST_SIZE") == "long" }

// Every returns the list in the long size, and every n-th of it in short: it is for cases that cost the same and differ
// in one value.
func Every[T any](n int, list []T) (some []T) {
	for k := 0; k < len(list); k += Size(n, 1) {
		some = append(some, list[k])
	}
	return some
}

// Size returns the size that a test has now: short or long.
func Size[T any](short, long T) T {
	if Long() {
		return long
	}
	return short
}
