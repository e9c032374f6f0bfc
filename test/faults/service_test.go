package faults_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/wait"
	"github.com/admitto/admitto/test/internal/program"
)

// service is a running `admitto serve`.
type service struct {
	*program.Service
	t      *testing.T
	place  *place
	url    string // where it listens
	client *http.Client
	key    string
}

// serve starts the service on a free port and waits until it is ready.
func (p *place) serve(args ...string) *service {
	p.t.Helper()
	s := &service{t: p.t, place: p, Service: program.Serve(p.t, p.binary(), append(args, p.flags...)...)}
	s.url, s.client = s.URL, p.client()
	wait.Until(p.t, "ready", s.ready)
	return s
}

// ready tells what /readyz says.
func (s *service) ready() bool {
	r, err := s.client.Get(s.url + "/readyz")
	if err != nil {
		return false
	}
	r.Body.Close()
	return r.StatusCode == 200
}

// memory reads a size of the process in bytes, VmHWM (the most it ever had) or VmRSS (what it has).
func (s *service) memory(name string) (bytes int64) {
	s.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			_, err = fmt.Sscan(value, &bytes)
		}
	}
	if err != nil || bytes == 0 {
		s.t.Fatalf("%s cannot be read: %v", name, err)
	}
	return bytes << 10
}

// answer is a response with its body read.
type answer struct {
	status int
	header http.Header
	body   string
}

// as is the service for the holder of another key.
func (s *service) as(key string) *service {
	other := *s
	other.key = key
	return &other
}

// do sends a request with the key of the service.
func (s *service) do(method, path, contentType, body string) (answer, error) {
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return s.send(r)
}

// send adds the key of the service and reads the whole answer.
func (s *service) send(r *http.Request) (answer, error) {
	r.Header.Set("Authorization", `SERVICE apikey="`+s.key+`"`)
	response, err := s.client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	var body bytes.Buffer
	_, err = body.ReadFrom(response.Body)
	return answer{response.StatusCode, response.Header, body.String()}, err
}

// get reads; an error is no answer.
func (s *service) get(path string) (answer, error) { return s.do("GET", path, "", "") }

// create makes an applicant.
func (s *service) create(address string) (answer, error) {
	form := url.Values{"email": {address}, "name": {"Ilse Varga"}, "notes": {"Called"}}
	return s.do("POST", "/api/v10/applicants", "application/x-www-form-urlencoded", form.Encode())
}

// want returns the answer of a call and fails the test unless it has the status.
func (s *service) want(status int) func(answer, error) answer {
	s.t.Helper()
	return func(a answer, err error) answer {
		s.t.Helper()
		if err != nil || a.status != status {
			s.t.Fatalf("%v, status %d, want %d: %s", err, a.status, status, a.body)
		}
		return a
	}
}

// isLater reports whether the answer asks to come back later, as every answer must that a fault outside of the service
// keeps from being right.
func (a answer) isLater() bool { return a.status == 503 && a.header.Get("Retry-After") != "" }
