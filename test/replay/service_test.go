package replay

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/test/internal/program"
)

// service is one running build.
type service struct {
	binary, url, key string
	client           *http.Client
}

// start fills a folder and a database with invented data, using the build before for both sides, and serves it.
func start(t *testing.T, before, binary, database string) *service {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	flags := []string{"--data=" + data}
	if database != "" {
		flags = append(flags, "--database.url="+database)
	}
	program.Must(t, before, append([]string{"demo", "--applicants=200", "--seed=7"}, flags...)...)
	s := &service{binary: binary, key: program.Must(t, before, append([]string{"keys", "create", "--name=replay",
		"--expires=never"}, flags...)...)}
	s.client = &http.Client{
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	s.url = program.Serve(t, binary, append([]string{"--log.level=info", "--base-url=https://replay.example",
		"--quota.per-minute=0", "--quota.per-hour=0"}, flags...)...).URL
	return s
}

// request is what both sides are sent.
type request struct {
	method, path, body string // the path with its query
	kind               string // the content type of the body
	accept             string
}

func (r request) String() string {
	text := r.method + " " + r.path
	if r.body != "" {
		text += " " + r.body
	}
	return text
}

// answer is what is compared.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send sends the request with an ID of its own, so that both answers name the same one.
func (s *service) send(ctx context.Context, r request, id string) (*answer, error) {
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, s.url+r.path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", `SERVICE apikey="`+s.key+`"`)
	req.Header.Set("X-Request-Id", id)
	if r.kind != "" {
		req.Header.Set("Content-Type", r.kind)
	}
	if r.accept != "" {
		req.Header.Set("Accept", r.accept)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return nil, err
	}
	return &answer{status: resp.StatusCode, header: resp.Header, body: raw}, nil
}
