package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck has a line for each part, with what is wrong.
func TestCheck(t *testing.T) {
	t.Parallel()
	p := emptyPlace(t)
	if code, stdout, _ := p.command("check"); code != 1 || !strings.HasPrefix(stdout, "database  wrong  there is no") {
		t.Errorf("status %d: %s", code, stdout)
	}
	p.must("migrate")
	files := filepath.Join(p.folder, "files")
	if err := os.WriteFile(files, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, stdout, _ := p.command("check"); code != 1 || !strings.HasPrefix(stdout, "start  wrong  ") ||
		!strings.Contains(stdout, files) {
		t.Errorf("files that are no folder: status %d: %s", code, stdout)
	}
	if err := os.Remove(files); err != nil {
		t.Fatal(err)
	}
	parts := []string{"database", "mail", "files", "certificate", "clock", "space"}
	lines := strings.Split(p.must("check"), "\n")
	if len(lines) != len(parts) {
		t.Fatalf("%q", lines)
	}
	for i, line := range lines {
		if words := strings.Fields(line); len(words) < 3 || words[0] != parts[i] || words[1] != "ok" {
			t.Errorf("%s", line)
		}
	}
	code, stdout, stderr := p.command("check", "--mail.smtp=smtp://127.0.0.1:1", "--tls.mode=files",
		"--tls.cert=/c.pem", "--tls.key=/k.pem")
	if code != 1 || strings.Count(stdout, " wrong ") != 2 || strings.Count(stdout, " ok ") != 4 {
		t.Errorf("status %d: %s %s", code, stdout, stderr)
	}
	if n := p.number("SELECT count(*) FROM journal"); n != 0 {
		t.Errorf("checking wrote %d records", n)
	}
}
