package s3

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/blob"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

const (
	bucket = "admitto-files"
	user   = "ADMITTOTEST"
)

// server is a server that speaks S3 and lets in one user.
type server struct {
	*httptest.Server
	sick atomic.Bool // answers 503
}

// newServer runs a server with the bucket and puts the user's credentials into the environment.
func newServer(t *testing.T) *server {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", user)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	backend := s3mem.New()
	if err := backend.CreateBucket(bucket); err != nil {
		t.Fatal(err)
	}
	files := gofakes3.New(backend, gofakes3.WithLogger(gofakes3.StdLog(log.New(io.Discard, "", 0)))).Server()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case s.sick.Load():
			w.WriteHeader(http.StatusServiceUnavailable)
		case !strings.Contains(r.Header.Get("Authorization"), "Credential="+user+"/"):
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>no</Message></Error>`)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// url is the setting files.url for a bucket on the server.
func (s *server) url(bucket string) string {
	return "s3://" + bucket + "?region=eu-central-1&use_path_style=true&endpoint=" + s.URL
}

func open(t *testing.T, url string) *blob.Store {
	t.Helper()
	s, err := blob.Open(url, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func hashOf(data string) string {
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:])
}

// Everything that is done with files, on a bucket.
func TestFiles(t *testing.T) {
	server := newServer(t)
	s := open(t, server.url(bucket))
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	big := strings.Repeat("0123456789abcdef", 1<<20) // 16 MiB: sent in parts
	for _, data := range []string{"", "x", big} {
		for range 2 { // the second time changes nothing
			hash, size, err := s.Put(t.Context(), strings.NewReader(data), 1<<25)
			if err != nil || hash != hashOf(data) || size != int64(len(data)) {
				t.Fatalf("%s, %d, %v", hash, size, err)
			}
		}
		r, size, err := s.Open(t.Context(), hashOf(data))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || string(got) != data || size != int64(len(data)) {
			t.Errorf("%d of %d bytes, %v", len(got), len(data), err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	// A range: from the middle, then back.
	r, _, err := s.Open(t.Context(), hashOf(big))
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []int64{9_000_001, 5} {
		part := make([]byte, 64)
		if _, err := r.Seek(from, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(r, part); err != nil || string(part) != big[from:from+64] {
			t.Errorf("from %d: %q, %v", from, part, err)
		}
	}
	r.Close()

	if _, _, err := s.Put(t.Context(), strings.NewReader("12345"), 4); admitto.KindOf(err) != admitto.TooLarge {
		t.Error(err)
	}
	if err := s.Keep(t.Context(), hashOf("right"), 5, strings.NewReader("wrong")); err == nil {
		t.Error("other bytes were kept")
	}
	if err := s.Keep(t.Context(), hashOf("kept"), 4, strings.NewReader("kept")); err != nil {
		t.Error(err)
	}
	if err := s.PutFile(t.Context(), hashOf("demo"), []byte("demo")); err != nil {
		t.Error(err)
	}
	for data, want := range map[string]bool{"": true, "x": true, "kept": true, "demo": true, "right": false,
		"12345": false} {
		if there, err := s.Exists(t.Context(), hashOf(data)); there != want || err != nil {
			t.Errorf("%q: %t, %v", data, there, err)
		}
	}
	for range 2 { // that there is none is no error
		if err := s.Remove(t.Context(), hashOf("x")); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := s.Open(t.Context(), hashOf("x")); admitto.KindOf(err) != admitto.NotFound {
		t.Error(err)
	}
	var all sync.WaitGroup
	for range 4 { // the same bytes from several at once
		all.Go(func() {
			if _, _, err := s.Put(t.Context(), strings.NewReader(big[:1<<20]), 1<<25); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// every calls each thing that is done with files at once, since each is tried again for seconds, and returns its error.
func every(t *testing.T, s *blob.Store) (errs [6]error) {
	var all sync.WaitGroup
	for i, call := range []func() error{
		func() error { _, _, err := s.Put(t.Context(), strings.NewReader("new"), 10); return err },
		func() error { _, _, err := s.Open(t.Context(), hashOf("old")); return err },
		func() error { _, err := s.Exists(t.Context(), hashOf("old")); return err },
		func() error { return s.Keep(t.Context(), hashOf("abc"), 3, strings.NewReader("abc")) },
		func() error { return s.Remove(t.Context(), hashOf("old")) },
		func() error { return s.Check(t.Context()) },
	} {
		all.Go(func() { errs[i] = call() })
	}
	all.Wait()
	return errs
}

// A server that is away or not well is 503 with Retry-After for clients.
func TestAway(t *testing.T) {
	for name, harm := range map[string]func(*server){"away": func(s *server) { s.Close() },
		"sick": func(s *server) { s.sick.Store(true) }} {
		server := newServer(t)
		s := open(t, server.url(bucket))
		harm(server)
		for i, err := range every(t, s) {
			var refusal *admitto.Error
			if !errors.As(err, &refusal) || refusal.Kind != admitto.Unavailable || refusal.RetryAfter == 0 {
				t.Errorf("%s, call %d: %v", name, i, err)
			}
		}
	}
}

// A bucket that is missing is told at start; one that went away later is no "not found" for who uploads.
func TestMissingBucket(t *testing.T) {
	server := newServer(t)
	s := open(t, server.url("other"))
	if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "is not there; make it first") {
		t.Error(err)
	}
	if _, _, err := s.Put(t.Context(), strings.NewReader("new"), 10); admitto.KindOf(err) != admitto.Unavailable {
		t.Error(err)
	}
}

// Credentials come from the environment.
func TestCredentials(t *testing.T) {
	server := newServer(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "STRANGER")
	s := open(t, server.url(bucket))
	if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "credentials") ||
		admitto.KindOf(err) == admitto.Unavailable {
		t.Error(err)
	}
	if _, _, err := s.Put(t.Context(), strings.NewReader("new"), 10); admitto.KindOf(err) != admitto.Unavailable {
		t.Error(err)
	}
}
