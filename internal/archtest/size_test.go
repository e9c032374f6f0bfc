package archtest

import (
	"path"
	"strings"
	"testing"
)

// The most lines of a file and files of a package that a reader finds the way in. Tests count as files of their
// package.
const (
	mostLines = 600
	mostFiles = 40
)

// large are the packages that have more files, each with the reason. What is split goes from here.
var large = map[string]string{
	"internal/admin":   "one file a page; those that share a frame, lists and a table of routes stay together, families of pages go into packages below",
	"internal/api":     "every route in ten versions: one file a family, with its records, and another for its tests, which share one harness",
	"internal/admitto": "the vocabulary: one file an entity, which the others name",
	"internal/store":   "one file a table family: all are methods of Tx, which keeps counts, journal and locks of one transaction together",
	"cmd/admitto":      "one file a command, and the tests that run the binary",
}

// TestSizes counts lines of files and files of packages, those of the modules for tests and measurements too.
func TestSizes(t *testing.T) {
	files := readFiles(t)
	for _, module := range []string{"test", "bench"} {
		files = append(files, readModule(t, module)...)
	}
	count := map[string]int{}
	for _, f := range files {
		count[path.Dir(f.path)]++
		if lines := strings.Count(f.text, "\n"); lines > mostLines && !strings.Contains(f.text, "\n// Code generated ") &&
			!strings.HasPrefix(f.text, "// Code generated ") {
			t.Errorf("%s has %d lines, more than %d: split it", f.path, lines, mostLines)
		}
	}
	for folder, n := range count {
		if n > mostFiles && large[folder] == "" {
			t.Errorf("%s has %d Go files, more than %d: split it, or write the reason into the table of this test", folder, n,
				mostFiles)
		}
	}
	for folder := range large {
		if count[folder] <= mostFiles {
			t.Errorf("%s has %d Go files and needs no reason any more", folder, count[folder])
		}
	}
}
