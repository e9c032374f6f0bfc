package durable_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/admitto/admitto/internal/durable"
)

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	for _, content := range []string{"the first", "another", ""} {
		if err := durable.WriteFile(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if found, err := os.ReadFile(path); err != nil || string(found) != content {
			t.Errorf("%q %v, want %q", found, err, content)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}

func TestWriteFileFails(t *testing.T) {
	base := t.TempDir()
	if err := os.MkdirAll(filepath.Join(base, "taken", "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(base, "taken"), filepath.Join(base, "missing", "key")} {
		if err := durable.WriteFile(path, []byte("x")); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	if entries, _ := os.ReadDir(base); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestSyncFolder(t *testing.T) {
	folder := t.TempDir()
	if err := durable.SyncFolder(folder); err != nil {
		t.Error(err)
	}
	if err := durable.SyncFolder(filepath.Join(folder, "missing")); err == nil {
		t.Error("a folder that is not there was synced")
	}
}
