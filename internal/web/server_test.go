package web

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// logs collects what is logged, safe for many goroutines.
type logs struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func (l *logs) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// server is a running Serve.
type server struct {
	url, host string
	folder    string
	log       *logs
	stop      context.CancelFunc
	done      chan error
}

func start(t *testing.T, c Config) *server {
	t.Helper()
	s := &server{log: new(logs), done: make(chan error, 1), folder: c.TLS.Folder}
	if s.folder == "" {
		s.folder = t.TempDir()
		c.TLS.Folder = s.folder
	}
	if c.Log == nil {
		c.Log = s.log.logger()
	}
	if c.Sites == nil {
		c.Sites = only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "%s %s", r.Proto, InfoOf(r.Context()).Client)
		}))
	}
	c.Listen = "127.0.0.1:0"
	started := make(chan string, 1)
	c.Started = func(a string) { started <- a }
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	go func() { s.done <- Serve(ctx, c) }()
	select {
	case s.url = <-started:
	case err := <-s.done:
		t.Fatalf("Serve: %v", err)
	}
	_, s.host, _ = strings.Cut(s.url, "://")
	t.Cleanup(func() {
		stop()
		if err := s.end(); err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return s
}

// end waits for Serve; it may be called again.
func (s *server) end() error {
	err := <-s.done
	s.done <- err
	return err
}

func (s *server) tlsConfig(t *testing.T) *tls.Config {
	t.Helper()
	return trusting(t, filepath.Join(s.folder, "tls-cert.pem"))
}

func trusting(t *testing.T, certFile string) *tls.Config {
	t.Helper()
	data, err := os.ReadFile(certFile)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(data) {
		t.Fatal("no certificate")
	}
	return &tls.Config{RootCAs: roots}
}

func (s *server) client(t *testing.T) *http.Client {
	tr := &http.Transport{TLSClientConfig: s.tlsConfig(t), ForceAttemptHTTP2: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

func get(t *testing.T, c *http.Client, url string) (*http.Response, string) {
	t.Helper()
	resp, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

// exchange sends text over c and reads one answer.
func exchange(t *testing.T, c net.Conn, text string) (*http.Response, string) {
	t.Helper()
	c.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

func dial(t *testing.T, host string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func dialTLS(t *testing.T, s *server) net.Conn {
	t.Helper()
	conf := s.tlsConfig(t)
	conf.NextProtos = []string{"http/1.1"}
	c, err := tls.Dial("tcp", s.host, conf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestSelfSignedServesHTTP2(t *testing.T) {
	s := start(t, Config{})
	resp, body := get(t, s.client(t), s.url)
	if resp.StatusCode != 200 || body != "HTTP/2.0 127.0.0.1" {
		t.Errorf("%d %q", resp.StatusCode, body)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Strict-Transport-Security": "max-age=31536000",
	} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		resp, body := get(t, s.client(t), s.url+path)
		if resp.StatusCode != 200 || body != "ok\n" || resp.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s: %d %q", path, resp.StatusCode, body)
		}
	}
}

func TestOldTLSIsRefused(t *testing.T) {
	s := start(t, Config{})
	conf := s.tlsConfig(t)
	conf.MinVersion, conf.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	if c, err := tls.Dial("tcp", s.host, conf); err == nil {
		c.Close()
		t.Error("TLS 1.1 was accepted")
	}
	conf.MinVersion, conf.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
	c, err := tls.Dial("tcp", s.host, conf)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

func TestPlainHTTPOnTheTLSPort(t *testing.T) {
	problem := func(w http.ResponseWriter, r *http.Request, err error) {
		if err != ErrHTTPSRequired {
			t.Error(err)
		}
		if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" {
			t.Error("the key was handed to Fault")
		}
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, `{"type":"/problems/https-required"}`)
	}
	never := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the handler was reached") })
	for name, c := range map[string]struct {
		required func(http.ResponseWriter, *http.Request, error)
		request  string
		body     string
	}{
		"own text": {nil, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HTTPS is required\n"},
		"problem": {problem, "GET /api/v9/x HTTP/1.1\r\nHost: a\r\nAuthorization: SERVICE apikey=k\r\nCookie: a=b\r\n\r\n",
			`{"type":"/problems/https-required"}`},
		"probe": {problem, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", `{"type":"/problems/https-required"}`},
		"forwarded": {problem, "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: https\r\n\r\n",
			`{"type":"/problems/https-required"}`},
		"upload": {problem, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
			`{"type":"/problems/https-required"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, Config{Sites: []Site{{Handler: never, Fault: c.required}}})
			resp, body := exchange(t, dial(t, s.host), c.request)
			if resp.StatusCode != 403 || body != c.body || !resp.Close {
				t.Errorf("%d %q close=%v", resp.StatusCode, body, resp.Close)
			}
			if resp.Header.Get("X-Request-Id") == "" || resp.Header.Get("Strict-Transport-Security") != "" {
				t.Errorf("headers %v", resp.Header)
			}
		})
	}
}

func TestSilentConnectionsAreCutOff(t *testing.T) {
	s := start(t, Config{limits: limits{firstByte: 50 * time.Millisecond, readHeader: 100 * time.Millisecond}})
	for name, c := range map[string]struct {
		conn net.Conn
		text string
	}{
		"no byte at all":      {dial(t, s.host), ""},
		"half a hello":        {dial(t, s.host), "\x16\x03\x01\x02\x00\x01"},
		"slow plain headers":  {dial(t, s.host), "GET / HT"},
		"slow secure headers": {dialTLS(t, s), "GET / HTTP/1.1\r\nHost: a\r\nX: "},
	} {
		c.conn.SetDeadline(time.Now().Add(20 * time.Second))
		io.WriteString(c.conn, c.text)
		if _, err := io.Copy(io.Discard, c.conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: still open", name)
		}
	}
}

func TestSlowBodyIsCutOff(t *testing.T) {
	t.Parallel()
	read := make(chan error, 1)
	s := start(t, Config{limits: limits{stall: 100 * time.Millisecond},
		Sites: only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/read" {
				_, err := io.ReadAll(r.Body)
				read <- err
			}
		}))})
	// A body that nobody reads must not hold the answer up either.
	for _, path := range []string{"/read", "/ignore"} {
		c := dialTLS(t, s)
		c.SetDeadline(time.Now().Add(20 * time.Second))
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc", path)
		if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: still open", path)
		}
	}
	if err := <-read; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("reading the body: %v", err)
	}
}

func TestHeaderLimit(t *testing.T) {
	t.Parallel()
	s := start(t, Config{})
	big := strings.Repeat("x", 80<<10)
	resp, _ := exchange(t, dialTLS(t, s), "GET / HTTP/1.1\r\nHost: a\r\nX-Big: "+big+"\r\n\r\n")
	if resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("status %d", resp.StatusCode)
	}
	resp, _ = exchange(t, dialTLS(t, s), "GET / HTTP/1.1\r\nHost: a\r\nX-Big: "+big[:60<<10]+"\r\n\r\n")
	if resp.StatusCode != 200 {
		t.Errorf("status %d", resp.StatusCode)
	}
}

// refused waits until the port takes no more connections.
func refused(t *testing.T, host string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		c, err := net.Dial("tcp", host)
		if err != nil {
			return
		}
		c.Close()
	}
	t.Fatal("connections are still accepted")
}

func TestDrain(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	s := start(t, Config{Sites: only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-leave
		if err := r.Context().Err(); err != nil {
			t.Errorf("the request was ended: %v", err)
		}
		io.WriteString(w, "finished")
	}))})
	answers := make(chan string, 1)
	client := s.client(t)
	go func() {
		resp, err := client.Get(s.url + "/slow")
		if err != nil {
			answers <- err.Error()
			return
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		answers <- string(b)
	}()
	<-entered
	s.stop()
	refused(t, s.host)
	select {
	case err := <-s.done:
		t.Fatalf("Serve ended before its request: %v", err)
	default:
	}
	close(leave)
	if got := <-answers; got != "finished" {
		t.Errorf("the running request got %q", got)
	}
	if err := s.end(); err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestDrainHasAnEnd(t *testing.T) {
	entered, left := make(chan struct{}), make(chan struct{})
	s := start(t, Config{Drain: 50 * time.Millisecond, Sites: only(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		close(entered)
		<-r.Context().Done()
		close(left)
	}))})
	client := s.client(t)
	go client.Get(s.url)
	<-entered
	s.stop()
	if err := s.end(); err != nil {
		t.Errorf("Serve: %v", err)
	}
	<-left
	if !strings.Contains(s.log.String(), "cut off at the end of draining") {
		t.Error("nothing was said about it")
	}
}

func TestServeRefusesToStart(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	folder := t.TempDir()
	for name, c := range map[string]Config{
		"address in use": {Listen: taken.Addr().String(), TLS: TLS{Folder: folder}},
		"metrics in use": {Listen: "127.0.0.1:0", MetricsListen: taken.Addr().String(), TLS: TLS{Folder: folder}},
		"no address":     {Listen: "nonsense", TLS: TLS{Folder: folder}},
		"no such files":  {Listen: "127.0.0.1:0", TLS: TLS{Mode: Files, CertFile: folder + "/a", KeyFile: folder + "/b"}},
		"unknown mode":   {Listen: "127.0.0.1:0", TLS: TLS{Mode: "none"}},
	} {
		if err := Serve(t.Context(), c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestMetricsPort(t *testing.T) {
	up := make(chan string, 1)
	m, b := NewMetrics(), NewBudget(1<<20, 1, 0)
	p, err := b.Build(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	p.WriteString("x")
	s := start(t, Config{Metrics: m, Answers: b, MetricsListen: "127.0.0.1:0",
		limits: limits{metricsUp: func(a string) { up <- a }},
		Sites: only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/v9/a/1" {
				info := InfoOf(r.Context())
				info.Route, info.Version = "/a/{id}", 9
			} else {
				w.WriteHeader(404)
			}
		}))})
	for _, path := range []string{"/api/v9/a/1", "/metrics", "/debug/pprof/"} {
		get(t, s.client(t), s.url+path)
	}
	at := "http://" + <-up
	_, text := get(t, http.DefaultClient, at+"/metrics")
	for _, want := range []string{
		`admitto_http_requests_total{route="/a/{id}",status="2xx",version="9"} 1`,
		`admitto_http_requests_total{route="other",status="4xx",version="0"} 2`,
		`admitto_http_request_duration_seconds_count{route="/a/{id}"} 1`,
		"admitto_answer_bytes_in_flight 65536", "go_goroutines", "process_open_fds",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	for path, want := range map[string]int{"/debug/pprof/heap": 200, "/debug/pprof/cmdline": 404, "/": 404} {
		if resp, _ := get(t, http.DefaultClient, at+path); resp.StatusCode != want {
			t.Errorf("%s: %d", path, resp.StatusCode)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}
