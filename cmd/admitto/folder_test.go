package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestOpenFolder(t *testing.T) {
	base := t.TempDir()
	f, err := openFolder(filepath.Join(base, "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(f.path)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info, err)
	}
	if _, err := openFolder(f.path); err != nil {
		t.Errorf("a second time: %v", err)
	}
	file := write(t, "file", "x")
	for _, path := range []string{file, filepath.Join(file, "below")} {
		if _, err := openFolder(path); err == nil || !strings.Contains(err.Error(), "a file is in its place") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// write makes a file with this content and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const goodKey = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

func TestInstanceKey(t *testing.T) {
	f, err := openFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	set, made, err := f.instanceKey(goodKey)
	if err != nil || made || len(set) != 1 || set[0][31] != 31 {
		t.Fatalf("from the setting: %v %v %v", set, made, err)
	}
	if _, err := os.Stat(f.file(keyFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was made beside the setting: %v", err)
	}

	// Many at once: one makes it, all get the same.
	var wg sync.WaitGroup
	var mu sync.Mutex
	keys, makers := map[string]bool{}, 0
	for range 20 {
		wg.Go(func() {
			key, made, err := f.instanceKey("")
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if made {
				makers++
			}
			keys[string(bytes.Join(key, nil))] = true
		})
	}
	wg.Wait()
	if len(keys) != 1 || makers != 1 {
		t.Errorf("%d keys, %d makers", len(keys), makers)
	}
	info, err := os.Stat(f.file(keyFile))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if names, _ := filepath.Glob(f.file("*")); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
	again, made, err := f.instanceKey("")
	if err != nil || made || !keys[string(bytes.Join(again, nil))] {
		t.Errorf("again: %v %v", made, err)
	}

	// A damaged key is told, never replaced: everything sealed would be lost.
	for _, content := range []string{"", "hunter2hunter2", strings.Repeat("A", 2000)} {
		if err := os.WriteFile(f.file(keyFile), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := f.instanceKey("")
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%.20q: %v", content, err)
		}
		if after, _ := os.ReadFile(f.file(keyFile)); !bytes.Equal(after, []byte(content)) {
			t.Errorf("%.20q was replaced", content)
		}
	}
}

func TestLockServe(t *testing.T) {
	f, err := openFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	release, err := f.lockServe()
	if err != nil {
		t.Fatal(err)
	}
	// Another descriptor counts like another process.
	if _, err := f.lockServe(); !errors.Is(err, errFolderInUse) || !strings.Contains(err.Error(), f.path) ||
		!strings.Contains(err.Error(), "process ") {
		t.Errorf("%v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	release, err = f.lockServe()
	if err != nil {
		t.Fatalf("after release: %v", err)
	}
	release()
}
