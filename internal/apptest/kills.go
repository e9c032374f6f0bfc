package apptest

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// CountKills adds cycles of kill and restart that have passed to the counter of all that ever ran with this build
// cache, and prints both. The counter is the file admitto-kills in the build cache of Go: one line a test run, so that
// test processes can append at the same time. Where it cannot be kept only the cycles are printed.
func CountKills(t testing.TB, cycles int) {
	t.Helper()
	if t.Failed() {
		return
	}
	all, err := addKills(t.Name(), cycles)
	if err != nil {
		t.Logf("%d kills survived; the counter of all cannot be kept: %v", cycles, err)
		return
	}
	t.Logf("%d kills survived, %d with this build cache", cycles, all)
}

func addKills(test string, cycles int) (all int, err error) {
	folder := os.Getenv("GOCACHE")
	if folder == "" {
		if folder, err = os.UserCacheDir(); err != nil {
			return 0, err
		}
		folder = filepath.Join(folder, "go-build")
	}
	f, err := os.OpenFile(filepath.Join(folder, "admitto-kills"), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o644)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "%d %s\n", cycles, test); err != nil {
		return 0, err
	}
	if _, err := f.Seek(0, 0); err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var n int
		if _, err := fmt.Sscan(lines.Text(), &n); err == nil {
			all += n
		}
	}
	return all, lines.Err()
}
