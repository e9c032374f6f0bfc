package openapi

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// service is the program, serving invented data.
type service struct {
	url, key string
	client   *http.Client
}

// start builds the program, fills a folder and serves it until the test ends.
func start(t *testing.T) *service {
	t.Helper()
	folder := t.TempDir()
	binary, data := filepath.Join(folder, "admitto"), "--data="+filepath.Join(folder, "data")
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		if name == "go" {
			cmd.Dir = "../.."
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, &stderr)
		}
		return strings.TrimSpace(string(out))
	}
	run("go", "build", "-o", binary, "./cmd/admitto")
	run(binary, "demo", "--applicants=60", data)
	s := &service{key: run(binary, "keys", "create", "--name=openapi", data)}
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	t.Cleanup(s.client.CloseIdleConnections)
	cmd := exec.Command(binary, "serve", "--listen=127.0.0.1:0", "--log.format=json", "--quota.per-minute=0",
		"--quota.per-hour=0", data)
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	drained := make(chan struct{})
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-drained
		_ = cmd.Wait()
	})
	lines := bufio.NewReader(stderr)
	defer func() {
		go func() {
			defer close(drained)
			_, _ = io.Copy(io.Discard, lines)
		}()
	}()
	var said []string
	for s.url == "" {
		text, err := lines.ReadString('\n')
		var line struct{ Msg, Address string }
		if json.Unmarshal([]byte(text), &line) == nil && line.Msg == "serving" {
			s.url = line.Address
		}
		if said = append(said, text); err != nil {
			t.Fatalf("the service ended:\n%s", strings.Join(said, ""))
		}
	}
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
