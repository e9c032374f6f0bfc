// Package release builds an archive of a release as it is published and looks into it.
package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// build runs the builder for this system in the repository and returns the files by name.
func build(t *testing.T) map[string][]byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "dist")
	command := exec.Command("go", "run", "./internal/release", "-out", out, "-targets", runtime.GOOS+"/"+runtime.GOARCH)
	command.Dir = "../.."
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(out), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files[path], err = os.ReadFile(filepath.Join(out, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestRelease(t *testing.T) {
	first, second := build(t), build(t)
	if len(first) != 3 {
		t.Fatalf("%d files, want the archive, the SBOM and the checksums", len(first))
	}
	for name, content := range first {
		if !bytes.Equal(content, second[name]) {
			t.Errorf("%s has other bytes the second time", name)
		}
	}
	var sums strings.Builder
	var archive, sbom string
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range first {
			if name != "checksums.txt" && !yield(name) {
				return
			}
		}
	}) {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(first[name]), name)
		switch {
		case strings.HasSuffix(name, ".tar.gz"):
			archive = name
		case strings.HasSuffix(name, ".cdx.json"):
			sbom = name
		}
	}
	if got := string(first["checksums.txt"]); got != sums.String() {
		t.Errorf("checksums.txt is\n%swant\n%s", got, sums.String())
	}
	binary := unpack(t, first[archive])
	said, err := exec.Command(binary, "version").CombinedOutput()
	version, _, _ := strings.Cut(strings.TrimPrefix(string(said), "version "), "\n")
	if err != nil || !strings.Contains(archive, "_"+strings.TrimPrefix(version, "v")+"_") {
		t.Errorf("%v: the binary of %s says\n%s", err, archive, said)
	}
	compareModules(t, binary, first[sbom])
}

// unpack writes the binary of an archive to a file and returns its path.
func unpack(t *testing.T, content []byte) string {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	path, names := "", []string(nil)
	for archive := tar.NewReader(packed); ; {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		var file []byte
		if err == nil {
			file, err = io.ReadAll(archive)
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.Base(header.Name))
		if filepath.Base(header.Name) == "admitto" {
			path = filepath.Join(t.TempDir(), "admitto")
			if err := os.WriteFile(path, file, 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := []string{"admitto", "LICENSE", "README.md", "CHANGELOG.md"}; !slices.Equal(names, want) {
		t.Fatalf("the archive has %v, want %v", names, want)
	}
	return path
}

// compareModules compares the SBOM with the modules that are in the binary.
func compareModules(t *testing.T, binary string, sbom []byte) {
	t.Helper()
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"std@" + strings.TrimPrefix(info.GoVersion, "go")}
	for _, m := range info.Deps {
		want = append(want, m.Path+"@"+m.Version)
	}
	var document struct {
		Format     string `json:"bomFormat"`
		Components []struct{ Name, Version string }
	}
	if err := json.Unmarshal(sbom, &document); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range document.Components {
		got = append(got, c.Name+"@"+c.Version)
	}
	slices.Sort(want)
	slices.Sort(got)
	if document.Format != "CycloneDX" || !slices.Equal(got, want) || len(want) < 10 {
		t.Errorf("%s: components %v, want %v", document.Format, got, want)
	}
}
