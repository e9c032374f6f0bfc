package replay

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
	run := func(program string, args ...string) string {
		t.Helper()
		cmd := exec.Command(program, append(args, flags...)...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, &stderr)
		}
		return strings.TrimSpace(string(out))
	}
	run(before, "demo", "--applicants=200", "--seed=7")
	s := &service{binary: binary, key: run(before, "keys", "create", "--name=replay", "--expires=never")}
	s.client = &http.Client{
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	cmd := exec.Command(binary, append([]string{"serve", "--listen=127.0.0.1:0", "--log.format=json", "--log.level=info",
		"--base-url=https://replay.example", "--quota.per-minute=0", "--quota.per-hour=0"}, flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	var said []string
	for s.url == "" && lines.Scan() {
		said = append(said, lines.Text())
		if found := servingAt.FindStringSubmatch(lines.Text()); found != nil {
			s.url = found[1]
		}
	}
	if s.url == "" {
		t.Fatalf("%s did not serve:\n%s", binary, strings.Join(said, "\n"))
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	return s
}

var servingAt = regexp.MustCompile(`"msg":"serving","address":"([^"]+)"`)

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
