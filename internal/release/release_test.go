package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

var (
	commitTime = time.Date(2026, 5, 4, 3, 2, 2, 0, time.UTC)
	wanted     = "admitto_1/admitto -rwxr-xr-x 7f454c46\nadmitto_1/LICENSE -rw-r--r-- 46726565\n"
)

// contents writes what goes into an archive.
func contents(t *testing.T) []string {
	t.Helper()
	folder := t.TempDir()
	binary, license := filepath.Join(folder, "admitto"), filepath.Join(folder, "LICENSE")
	if err := errors.Join(os.WriteFile(binary, []byte("\x7fELF"), 0o600),
		os.WriteFile(license, []byte("Free"), 0o600)); err != nil {
		t.Fatal(err)
	}
	return []string{binary, license}
}

func TestTar(t *testing.T) {
	files, out := contents(t), t.TempDir()
	var made [2][]byte
	for i := range made {
		path := filepath.Join(out, fmt.Sprint(i))
		if err := writeTar(path, "admitto_1", commitTime, files); err != nil {
			t.Fatal(err)
		}
		made[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("the same files make other bytes")
	}
	packed, err := gzip.NewReader(bytes.NewReader(made[0]))
	if err != nil {
		t.Fatal(err)
	}
	archive, found := tar.NewReader(packed), ""
	for {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, _ := io.ReadAll(archive)
		found += fmt.Sprintf("%s %s %x\n", header.Name, header.FileInfo().Mode(), content)
		if !header.ModTime.Equal(commitTime) {
			t.Errorf("%s is of %s", header.Name, header.ModTime)
		}
	}
	if found != wanted {
		t.Errorf("%swant\n%s", found, wanted)
	}
}

func TestZip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "admitto.zip")
	if err := writeZip(path, "admitto_1", commitTime, contents(t)); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	found := ""
	for _, entry := range archive.File {
		r, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, _ := io.ReadAll(r)
		found += fmt.Sprintf("%s %s %x\n", entry.Name, entry.Mode(), content)
	}
	if found != wanted {
		t.Errorf("%swant\n%s", found, wanted)
	}
}

func TestBOM(t *testing.T) {
	text, err := bom(&debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Path: "github.com/admitto/admitto",
		Version: "(devel)"},
		Deps: []*debug.Module{
			{Path: "golang.org/x/text", Version: "v0.43.0", Sum: "h1:abc="},
			{Path: "example.org/old", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/fork",
				Version: "v1.1.0+incompatible"}},
		}}, "v1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	got := d.Metadata.Component.PURL
	for _, c := range d.Components {
		got += "\n" + c.PURL + fmt.Sprint(c.Properties)
	}
	want := "pkg:golang/github.com/admitto/admitto@v1.2.3\npkg:golang/example.org/fork@v1.1.0+incompatible[]\n" +
		"pkg:golang/golang.org/x/text@v0.43.0[{go:sum h1:abc=}]\npkg:golang/std@1.26.8[]"
	if got != want || len(d.Dependencies) != 1 || len(d.Dependencies[0].On) != 3 {
		t.Errorf("%s\nwant\n%s\n%v", got, want, d.Dependencies)
	}
}

func TestChecksums(t *testing.T) {
	out := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(out, "b"), []byte("2"), 0o600),
		os.WriteFile(filepath.Join(out, "a"), []byte("1"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := writeChecksums(out, []string{"b", "a"}); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(filepath.Join(out, "checksums.txt"))
	if want := fmt.Sprintf("%x  a\n%x  b\n", sha256.Sum256([]byte("1")), sha256.Sum256([]byte("2"))); string(got) != want {
		t.Errorf("%swant\n%s", got, want)
	}
}

// A folder that is not empty may hold an earlier version, whose archives would be published again.
func TestOldArchivesStay(t *testing.T) {
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "old"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), out, nil); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Error(err)
	}
}
