package archive

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/admitto/admitto/internal/store"
)

// entry is one of the tar.
type entry struct {
	name string
	data []byte
}

// unpack returns the entries of a backup.
func unpack(t *testing.T, path string) (list []entry) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The seal is a frame that every reader of zstd skips.
	packed, err := zstd.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	for r := tar.NewReader(packed); ; {
		head, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, entry{head.Name, content})
	}
}

// pack seals entries as a backup.
func pack(t *testing.T, list []entry) string {
	t.Helper()
	var out bytes.Buffer
	packed, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{tar: tar.NewWriter(packed)}
	for _, e := range list {
		if err := w.entry(e.name, e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.tar.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(out.Bytes())
	path := filepath.Join(t.TempDir(), "packed.tar.zst")
	if err := os.WriteFile(path, append(out.Bytes(), sealFrame(sum[:])...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// change returns the entries with those whose names begin with prefix changed; nil takes an entry away.
func change(list []entry, prefix string, fn func(data []byte) []byte) (out []entry) {
	for _, e := range list {
		if strings.HasPrefix(e.name, prefix) {
			if e.data = fn(bytes.Clone(e.data)); e.data == nil {
				continue
			}
		}
		out = append(out, e)
	}
	return out
}

// inManifest changes the manifest.
func inManifest(t *testing.T, list []entry, fn func(m *Manifest)) []entry {
	return change(list, manifestEntry, func(data []byte) []byte {
		var m Manifest
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		fn(&m)
		data, err := json.Marshal(&m)
		if err != nil {
			t.Fatal(err)
		}
		return data
	})
}

// manyTables returns more tables than a backup may have.
func manyTables() (list []entry) {
	for i := range maxTables + 1 {
		list = append(list, entry{fmt.Sprintf("tables/t%d/000001.jsonl", i), []byte("[]\n")})
	}
	return list
}

// What somebody has packed again, with a seal that fits, must still agree with itself.
func TestPackedAgain(t *testing.T) {
	source := migrated(t).fill(t, 3)
	whole := unpack(t, source.backup(t))
	gone := func([]byte) []byte { return nil }
	if a, err := Open(t.Context(), pack(t, whole)); err != nil {
		t.Fatal(err)
	} else {
		a.Close()
	}
	for name, list := range map[string][]entry{
		"no entries":   nil,
		"no format":    whole[1:],
		"other format": change(whole, formatEntry, func([]byte) []byte { return []byte(`{"format": 2}`) }),
		"no manifest":  change(whole, manifestEntry, gone),
		"no JSON":      change(whole, manifestEntry, func(d []byte) []byte { return d[1:] }),
		"more behind":  append(append([]entry{}, whole...), entry{"more", nil}),
		"no files":     change(whole, filesFolder, gone),
		"another file": change(whole, filesFolder, func(d []byte) []byte { return append(d, 'x') }),
		"no table":     change(whole, tablesFolder+"tracker/", gone),
		"a part twice": append(append([]entry{}, whole[:len(whole)-1]...), whole[len(whole)-2:]...),
		"a row less": change(whole, tablesFolder+"applicant/", func(d []byte) []byte {
			return d[bytes.IndexByte(d, '\n')+1:]
		}),
		"another row": change(whole, tablesFolder+"applicant/", func(d []byte) []byte {
			return bytes.Replace(d, []byte("[1,"), []byte("[9,"), 1)
		}),
		"no end of line": change(whole, tablesFolder+"applicant/", func(d []byte) []byte { return d[:len(d)-1] }),
		"foreign table":  append([]entry{whole[0], {"tables/x/000001.jsonl", []byte("[]\n")}}, whole[1:]...),
		"foreign entry":  append([]entry{whole[0], {"../../etc/passwd", []byte("x")}}, whole[1:]...),
		"a file twice":   append(append([]entry{whole[0]}, whole[1]), whole[1:]...),
		"a long format": change(whole, formatEntry, func([]byte) []byte {
			return []byte(`{"format": 1, "x": "` +
				strings.Repeat("x", maxHead) + `"}`)
		}),
		"a long part": change(whole, tablesFolder+"applicant/", func([]byte) []byte {
			return append(make([]byte, maxPart),
				'\n')
		}),
		"a long summary": change(whole, manifestEntry, func(d []byte) []byte {
			return append(d, bytes.Repeat([]byte(" "), maxManifest)...)
		}),
		"many tables":    append(append([]entry{whole[0]}, manyTables()...), whole[len(whole)-1]),
		"a file no hash": append([]entry{whole[0], {"files/../../x", []byte("x")}}, whole[1:]...),
		"other count":    inManifest(t, whole, func(m *Manifest) { m.Tables[0].Rows++ }),
		"other hash":     inManifest(t, whole, func(m *Manifest) { m.Tables[0].SHA256 = strings.Repeat("0", 64) }),
	} {
		if a, err := Open(t.Context(), pack(t, list)); err == nil {
			a.Close()
			t.Errorf("%s: taken", name)
		}
	}
	for name, fn := range map[string]func(m *Manifest){
		"newer schema":  func(m *Manifest) { m.Steps = append(m.Steps, store.SchemaStep{Name: "9999_later", Checksum: "x"}) },
		"other schema":  func(m *Manifest) { m.Steps[0].Checksum = "x" },
		"no schema":     func(m *Manifest) { m.Steps = nil },
		"other engine":  func(m *Manifest) { m.Engine = "Oracle" },
		"other journal": func(m *Manifest) { m.JournalLast-- },
		"other head":    func(m *Manifest) { m.JournalHash = strings.Repeat("0", 64) },
		"less a table":  func(m *Manifest) { m.Tables[0].Columns = m.Tables[0].Columns[1:] },
	} {
		a, err := Open(t.Context(), pack(t, inManifest(t, whole, fn)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		target := onSQLite(t)
		if err := a.Restore(t.Context(), target.Store, target.files, nil); err == nil {
			t.Errorf("%s: restored", name)
		}
		a.Close()
	}
}

// A file that is missing, or whose bytes have changed, is no part of a good backup.
func TestDamagedFiles(t *testing.T) {
	source := migrated(t).fill(t, 3)
	hash := source.sums(t).files(t, source)[0]
	if err := source.files.Remove(t.Context(), hash); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "backup")
	if _, err := Create(t.Context(), path, source.Store, source.files, nil); err == nil ||
		!strings.Contains(err.Error(), hash) {
		t.Errorf("a missing file: %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(t.Context(), path, source.Store, source.files, nil); err == nil ||
		!strings.Contains(err.Error(), "there already") {
		t.Errorf("over another file: %v", err)
	}
}

// Files that nothing refers to may be needed by a waiting mail: they are in a backup while their bytes are there.
func TestLooseFiles(t *testing.T) {
	source := migrated(t).fill(t, 3)
	hash, _, err := source.files.Put(t.Context(), strings.NewReader("loose"), 100)
	if err != nil {
		t.Fatal(err)
	}
	err = source.Write(t.Context(), func(tx *store.Tx) error {
		return errors.Join(tx.LoosenFile(hash), tx.LoosenFile(strings.Repeat("0", 64)))
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Open(t.Context(), source.backup(t))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	target := onSQLite(t)
	if err := a.Restore(t.Context(), target.Store, target.files, nil); err != nil {
		t.Fatal(err)
	}
	if there, err := target.files.Exists(t.Context(), hash); !there || err != nil {
		t.Error(there, err)
	}
	target.has(t, a.Manifest, idsSkipped)
}

// Whatever somebody seals as a backup, reading it ends, and what is taken agrees with its manifest.
func FuzzArchive(f *testing.F) {
	f.Add("{\"format\": 1}", "files/x", "x", "{}")
	f.Add("{\"format\": 1}", "tables/tracker/000001.jsonl", "[1]\n",
		`{"tables": [{"name": "tracker", "rows": 1}], "files": {"sha256": ""}}`)
	f.Add("{\"format\": 1}"+strings.Repeat(" ", maxHead), "files/x", strings.Repeat("x", maxPart/1024),
		"{}"+strings.Repeat(" ", maxManifest))
	f.Add("{\"format\": 1}", "tables//000001.jsonl", "\n\n", `{"tables": [{"rows": 2}]}`)
	f.Fuzz(func(t *testing.T, head, name, content, manifest string) {
		if name == "" || strings.HasSuffix(name, "/") || strings.ContainsRune(name, 0) || !utf8.ValidString(name) {
			return // the writer of the tar refuses it
		}
		a, err := Open(t.Context(), pack(t, []entry{{formatEntry, []byte(head)}, {name, []byte(content)},
			{manifestEntry, []byte(manifest)}}))
		if err != nil {
			return
		}
		defer a.Close()
		if n := a.Manifest.Files.Count; n != int64(len(a.files)) {
			t.Fatalf("%d files by the manifest, %d in it", n, len(a.files))
		}
	})
}
