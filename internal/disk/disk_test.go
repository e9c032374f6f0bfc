package disk_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/admitto/admitto/internal/disk"
)

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	for _, content := range []string{"the first", "another", ""} {
		if err := disk.WriteFile(path, []byte(content)); err != nil {
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
		if err := disk.WriteFile(path, []byte("x")); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	if entries, _ := os.ReadDir(base); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestSyncFolder(t *testing.T) {
	folder := t.TempDir()
	if err := disk.SyncFolder(folder); err != nil {
		t.Error(err)
	}
	if err := disk.SyncFolder(filepath.Join(folder, "missing")); err == nil {
		t.Error("a folder that is not there was synced")
	}
}

func TestScratch(t *testing.T) {
	folder := t.TempDir()
	s, err := disk.NewScratch(folder, "upload-*")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.WriteString("bytes"); err != nil {
		t.Fatal(err)
	}
	if found, err := io.ReadAll(io.NewSectionReader(s, 0, 10)); err != nil || string(found) != "bytes" {
		t.Errorf("%q %v", found, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
	if _, err := disk.NewScratch(filepath.Join(folder, "missing"), "upload-*"); err == nil {
		t.Error("a file was made in a folder that is not there")
	}
}
