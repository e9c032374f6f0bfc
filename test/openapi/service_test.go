package openapi

import (
	"crypto/tls"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/test/internal/program"
)

// service is the program, serving invented data.
type service struct {
	url, key string
	client   *http.Client
}

func TestMain(m *testing.M) { program.Main(m) }

// start fills a folder and serves it until the test ends.
func start(t *testing.T) *service {
	t.Helper()
	binary, data := program.Path(t), "--data="+filepath.Join(t.TempDir(), "data")
	program.Must(t, binary, "demo", "--applicants=60", data)
	s := &service{key: program.Must(t, binary, "keys", "create", "--name=openapi", data)}
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	t.Cleanup(s.client.CloseIdleConnections)
	s.url = program.Serve(t, binary, "--quota.per-minute=0", "--quota.per-hour=0", data).URL
	return s
}

// answer is an answer with its body.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// request makes a request with the key.
func (s *service) request(t *testing.T, method, path, kind, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", `SERVICE apikey="`+s.key+`"`)
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	return r
}

// send sends a request.
func (s *service) send(t *testing.T, r *http.Request) answer {
	t.Helper()
	response, err := s.client.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	return answer{response.StatusCode, response.Header, body}
}
