// Package wait is how tests wait: for a condition or an event, and never for a time to pass. It is the one place of the
// tests that knows a clock, for the short rest between two looks at a condition of another process and for the bound
// after which a test has failed; internal/archtest keeps all others from it. It imports the standard library only.
package wait

import (
	"testing"
	"time"
)

const (
	rest  = 5 * time.Millisecond
	bound = 2 * time.Minute
)

// Until looks until the condition holds, and fails the test when it never does.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	if !Ever(holds, nil) {
		t.Fatalf("waited in vain: %s", what)
	}
}

// Ever reports whether the condition came to hold before ended was closed (nil: it never is) and before the bound.
func Ever(holds func() bool, ended <-chan struct{}) bool {
	tooLong := TooLong()
	for !holds() {
		select {
		case <-ended:
			return false
		case <-tooLong:
			return false
		case <-time.After(rest):
		}
	}
	return true
}

// TooLong is for a select over events: it tells when the test has failed because none of them came.
func TooLong() <-chan time.Time { return time.After(bound) }
