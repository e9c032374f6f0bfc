// Package pdftest reads PDF documents in tests by the programs of poppler, which are another's implementation.
// Without them those tests skip, and fail when ADMITTO_TEST_NOSKIP is 1. It imports the standard library only.
package pdftest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Tool runs a program of poppler on a document and returns what it prints. FILE in the arguments stands for the
// document.
func Tool(t testing.TB, name string, document []byte, arguments ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		if os.Getenv("ADMITTO_TEST_NOSKIP") == "1" {
			t.Fatalf("%s is missing: apt-get install poppler-utils", name)
		}
		t.Skipf("%s is missing: apt-get install poppler-utils", name)
	}
	path := filepath.Join(t.TempDir(), "document.pdf")
	if err := os.WriteFile(path, document, 0o600); err != nil {
		t.Fatal(err)
	}
	given := make([]string, len(arguments))
	for i, a := range arguments {
		given[i] = strings.ReplaceAll(a, "FILE", path)
	}
	out, err := exec.CommandContext(t.Context(), name, given...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	return string(out)
}

// Text returns the text of a document, its white space made single spaces.
func Text(t testing.TB, document []byte) string {
	t.Helper()
	return strings.Join(strings.Fields(Tool(t, "pdftotext", document, "-layout", "FILE", "-")), " ")
}
