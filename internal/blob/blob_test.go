package blob_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/blob"
)

// onEach runs a test on a store in a folder and on one in memory. folder is "" for memory.
func onEach(t *testing.T, test func(t *testing.T, s *blob.Store, folder string)) {
	t.Run("folder", func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "data", "files")
		test(t, open(t, folder), folder)
	})
	t.Run("memory", func(t *testing.T) { test(t, blob.InMemory(), "") })
}

func open(t *testing.T, folder string) *blob.Store {
	t.Helper()
	s, err := blob.Open("", folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func hashOf(data string) string {
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:])
}

func read(t *testing.T, s *blob.Store, hash string) string {
	t.Helper()
	r, size, err := s.Open(t.Context(), hash)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil || int64(len(data)) != size {
		t.Fatalf("%d bytes of %d, %v", len(data), size, err)
	}
	return string(data)
}

func TestPutAndOpen(t *testing.T) {
	onEach(t, func(t *testing.T, s *blob.Store, _ string) {
		for _, data := range []string{"", "x", strings.Repeat("0123456789", 100_000)} {
			for range 2 { // the second time changes nothing
				hash, size, err := s.Put(t.Context(), strings.NewReader(data), 1_000_000)
				if err != nil || hash != hashOf(data) || size != int64(len(data)) {
					t.Fatalf("%s, %d, %v", hash, size, err)
				}
			}
			if got := read(t, s, hashOf(data)); got != data {
				t.Fatalf("%d bytes, want %d", len(got), len(data))
			}
			if there, err := s.Exists(t.Context(), hashOf(data)); err != nil || !there {
				t.Fatal(there, err)
			}
		}
	})
}

// Keep stores what has the hash and nothing else; Remove removes it, and does not mind when it is gone.
func TestKeepAndRemove(t *testing.T) {
	onEach(t, func(t *testing.T, s *blob.Store, _ string) {
		for range 2 {
			if err := s.Keep(t.Context(), hashOf("abc"), 3, strings.NewReader("abc")); err != nil ||
				read(t, s, hashOf("abc")) != "abc" {
				t.Fatal(err)
			}
		}
		for hash, data := range map[string]string{hashOf("other"): "wrong", hashOf("whole"): "who", "../x": "x", "": ""} {
			if err := s.Keep(t.Context(), hash, int64(len(data)), strings.NewReader(data)); err == nil {
				t.Errorf("%q was stored as %q", data, hash)
			}
			if there, err := s.Exists(t.Context(), hash); there || err != nil {
				t.Errorf("%q: %t %v", hash, there, err)
			}
		}
		for _, hash := range []string{hashOf("abc"), hashOf("abc"), hashOf("never"), "../x", ""} {
			if err := s.Remove(t.Context(), hash); err != nil {
				t.Errorf("%q: %v", hash, err)
			}
		}
		if there, err := s.Exists(t.Context(), hashOf("abc")); there || err != nil {
			t.Errorf("%t %v", there, err)
		}
	})
}

func TestSeek(t *testing.T) {
	onEach(t, func(t *testing.T, s *blob.Store, _ string) {
		if err := s.PutFile(t.Context(), hashOf("0123456789"), []byte("0123456789")); err != nil {
			t.Fatal(err)
		}
		r, _, err := s.Open(t.Context(), hashOf("0123456789"))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if end, err := r.Seek(0, io.SeekEnd); err != nil || end != 10 {
			t.Fatal(end, err)
		}
		for _, from := range []int64{7, 2} {
			if at, err := r.Seek(from, io.SeekStart); err != nil || at != from {
				t.Fatal(at, err)
			}
			rest, err := io.ReadAll(r)
			if err != nil || string(rest) != "0123456789"[from:] {
				t.Fatalf("%q, %v", rest, err)
			}
		}
	})
}

func TestMissing(t *testing.T) {
	onEach(t, func(t *testing.T, s *blob.Store, _ string) {
		for _, hash := range []string{hashOf("nothing"), "", "../../etc/passwd", strings.ToUpper(hashOf("x")),
			strings.Repeat("/", 64)} {
			if _, _, err := s.Open(t.Context(), hash); admitto.KindOf(err) != admitto.NotFound {
				t.Errorf("%q: %v", hash, err)
			}
			if there, err := s.Exists(t.Context(), hash); there || err != nil {
				t.Errorf("%q: %v, %v", hash, there, err)
			}
		}
	})
}

func TestTooLarge(t *testing.T) {
	onEach(t, func(t *testing.T, s *blob.Store, folder string) {
		if _, _, err := s.Put(t.Context(), strings.NewReader("12345"), 4); admitto.KindOf(err) != admitto.TooLarge {
			t.Fatal(err)
		}
		if _, _, err := s.Put(t.Context(), strings.NewReader("1234"), 4); err != nil {
			t.Fatal(err)
		}
		if names := files(t, folder); folder != "" && len(names) != 1 {
			t.Fatal(names)
		}
	})
}

// What fails on the way leaves nothing behind, neither under its name nor under another.
func TestNothingHalfWritten(t *testing.T) {
	broken := errors.New("the client has gone")
	onEach(t, func(t *testing.T, s *blob.Store, folder string) {
		_, _, err := s.Put(t.Context(), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)), 100)
		if !errors.Is(err, broken) {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, _, err = s.Put(ctx, &endsWith{strings.NewReader("whole"), cancel}, 100)
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if there, err := s.Exists(t.Context(), hashOf("whole")); there || err != nil {
			t.Fatal(there, err)
		}
		if names := files(t, folder); len(names) > 0 {
			t.Fatal(names)
		}
	})
}

// endsWith cancels something when its reader has come to the end.
type endsWith struct {
	io.Reader
	end func()
}

func (e *endsWith) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err == io.EOF {
		e.end()
	}
	return n, err
}

// files lists all files below a folder.
func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	if folder == "" {
		return nil
	}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestFolderIsTheOwners(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "files")
	s := open(t, folder)
	hash, _, err := s.Put(t.Context(), strings.NewReader("secret"), 100)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, hash[:2], hash[2:4], hash)
	for at, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700, folder: 0o700} {
		info, err := os.Stat(at)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", at, info.Mode(), err)
		}
	}
	if names := files(t, folder); len(names) != 1 {
		t.Error(names)
	}
}

// TestFolderTakesNoFiles asks a store whose folder is there and takes no files.
func TestFolderTakesNoFiles(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "files")
	s := open(t, folder)
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Error("trying it has left something: ", left, err)
	}
	if err := errors.Join(os.Remove(folder), os.WriteFile(folder, nil, 0o600)); err != nil { // root may write anywhere
		t.Fatal(err)
	}
	err := s.Check(t.Context())
	if admitto.KindOf(err) != admitto.Unavailable || !strings.Contains(errors.Unwrap(err).Error(), folder+": ") {
		t.Error(err)
	}
}

// A file that a failure of the machine cut off is made good when it is stored again.
func TestCutOffFileIsMadeGood(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	hash, _, err := s.Put(t.Context(), strings.NewReader("whole"), 100)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(files(t, folder)[0], 2); err != nil {
		t.Fatal(err)
	}
	if err := s.PutFile(t.Context(), hash, []byte("whole")); err != nil || read(t, s, hash) != "whole" {
		t.Fatal(err)
	}
}

func TestPutFileRefusesOtherBytes(t *testing.T) {
	s := blob.InMemory()
	if err := s.PutFile(t.Context(), hashOf("a"), []byte("b")); err == nil {
		t.Fatal("a hash of other bytes was taken")
	}
}

// The same bytes may come from several at once.
func TestAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, s *blob.Store, _ string) {
		data := bytes.Repeat([]byte("admitto "), 10_000)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if _, _, err := s.Put(context.Background(), bytes.NewReader(data), 1<<20); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if read(t, s, hashOf(string(data))) != string(data) {
			t.Error("other bytes")
		}
	})
}

func TestOpenRefusesNonsense(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ url, folder, want string }{
		{"", file, "not a directory"},
		{"", filepath.Join(file, "below"), "not a directory"},
		{"ftp://host", "", "is no address of a bucket"},
		{"mem://", "", "is no address of a bucket"},
		{"s3://", "", "is no address of a bucket"},
		{"s3://bucket/folder", "", "is no address of a bucket"},
		{"s3://KEY:secret@bucket", "", "s3://KEY:xxxxx@bucket is no address of a bucket"}, // the secret is not told
		{"s3://KEY:sec%ret@bucket", "", "files: the address of a bucket cannot be read"},  // nor here
		{"s3://bucket?region=%", "", "invalid URL escape"},
		{"s3://bucket?regoin=eu-west-1", "", `"regoin" is no parameter of a bucket`},
		{"s3://bucket?use_path_style=please", "", `use_path_style is "please"`},
		{"s3://bucket?endpoint=ftp://127.0.0.1", "", `endpoint is "ftp://127.0.0.1"`},
		{"s3://bucket?endpoint=http://", "", `endpoint is "http://"`},
	} {
		if _, err := blob.Open(c.url, c.folder); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %q: %v", c.url, c.folder, err)
		}
	}
	// A bucket is not asked before it is used. The parameter at the end is of earlier releases.
	for _, parameters := range []string{"", "?region=eu-west-1", "?endpoint=127.0.0.1:9000&use_path_style=true",
		"?profile=files&response_checksum_validation=when_required"} {
		if _, err := blob.Open("s3://admitto-files"+parameters, ""); err != nil {
			t.Errorf("%q: %v", parameters, err)
		}
	}
}

// FuzzOpen opens buckets of any name and parameters: nothing is asked, and nothing panics.
func FuzzOpen(f *testing.F) {
	for _, rest := range []string{"bucket?region=eu-west-1", "b.c?endpoint=http://[::1]:9&use_path_style=0",
		"?profile=%00"} {
		f.Add(rest)
	}
	f.Fuzz(func(t *testing.T, rest string) {
		if s, err := blob.Open("s3://"+rest, ""); (s == nil) == (err == nil) {
			t.Errorf("%v, %v", s, err)
		}
	})
}
