//go:build !linux

package dbtest

import (
	"fmt"
	"os"
)

// start is for Linux only, where the server can be bound to the life of the test process.
func start() (string, error) {
	return "", fmt.Errorf("%w: outside of Linux set ADMITTO_TEST_POSTGRES", errMissing)
}

// quickFolder is where the data of tests lie.
func quickFolder() string { return os.TempDir() }
