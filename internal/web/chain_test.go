package web

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// ask sends one HTTPS request through a chain and returns the answer and the log.
func ask(t *testing.T, c Config, r *http.Request) (*httptest.ResponseRecorder, string) {
	t.Helper()
	l := new(logs)
	c.Log = l.logger()
	w := httptest.NewRecorder()
	Chain(c).ServeHTTP(w, r)
	return w, l.String()
}

func TestRequestID(t *testing.T) {
	made := regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	long := strings.Repeat("a", 64)
	for name, c := range map[string]struct {
		given []string
		kept  bool
	}{
		"none":            {nil, false},
		"plain":           {[]string{"abc-DEF_1.9"}, true},
		"one character":   {[]string{"x"}, true},
		"64":              {[]string{long}, true},
		"65":              {[]string{long + "a"}, false},
		"empty":           {[]string{""}, false},
		"space":           {[]string{"a b"}, false},
		"line break":      {[]string{"a\nb"}, false},
		"quote":           {[]string{`a"b`}, false},
		"at sign":         {[]string{"a@b"}, false},
		"bracket":         {[]string{"a[b"}, false},
		"brace":           {[]string{"a{b"}, false},
		"not ASCII":       {[]string{"ä"}, false},
		"two":             {[]string{"a", "b"}, false},
		"slash and colon": {[]string{"a/b:c"}, false},
	} {
		seen := ""
		r := httptest.NewRequest("GET", "https://localhost/", nil)
		if c.given != nil {
			r.Header["X-Request-Id"] = c.given
		}
		w, _ := ask(t, Config{Sites: only(http.HandlerFunc(func(_ http.ResponseWriter,
			r *http.Request) {
			seen = InfoOf(r.Context()).RequestID
		}))}, r)
		got := w.Header().Get("X-Request-Id")
		if got != seen {
			t.Errorf("%s: %q in the answer, %q inside", name, got, seen)
		}
		if c.kept && got != c.given[0] {
			t.Errorf("%s: became %q", name, got)
		}
		if !c.kept && !made.MatchString(got) {
			t.Errorf("%s: %q is no new ID", name, got)
		}
	}
}

func TestRequestIDsSortByTime(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	var ids []string
	for i := range 100 {
		ids = append(ids, newRequestID(at.Add(time.Duration(i)*time.Millisecond)))
	}
	if !slices.IsSorted(ids) {
		t.Error("not in order of time")
	}
	if one, other := newRequestID(at), newRequestID(at); one == other {
		t.Error("the same ID twice")
	}
}

func TestLogLine(t *testing.T) {
	r := httptest.NewRequest("SECRET", "https://localhost/api/secret?email=secret", strings.NewReader("secret"))
	r.Header.Set("Authorization", `SERVICE apikey="secret"`)
	r.Header.Set("X-Request-Id", "id-1")
	r.Header.Set("User-Agent", "secret")
	_, log := ask(t, Config{Sites: only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info := InfoOf(r.Context())
		info.Route, info.Version, info.KeyID = "/a/{id}", 9, 77
		w.WriteHeader(201)
		io.WriteString(w, "secret body")
	}))}, r)
	for _, want := range []string{"level=INFO", "msg=request", "method=OTHER", "route=/a/{id}", "version=9", "status=201",
		"bytes=11", "duration=", "key=77", "request_id=id-1"} {
		if !strings.Contains(log, want) {
			t.Errorf("no %s in %s", want, log)
		}
	}
	if n := strings.Count(log, "\n"); n != 1 {
		t.Errorf("%d lines", n)
	}
	for _, never := range []string{"secret", "SECRET", "192.0.2.1", "localhost", "error="} {
		if strings.Contains(log, never) {
			t.Errorf("%q in %s", never, log)
		}
	}
}

func TestLogLevels(t *testing.T) {
	for name, c := range map[string]struct {
		status  int
		problem error
		level   slog.Level
	}{
		"fine": {200, nil, slog.LevelInfo}, "client's fault": {404, nil, slog.LevelInfo}, "ours": {503, nil, slog.LevelError},
		"with a cause": {400, errors.New("the private cause"), slog.LevelError}, "silent": {0, nil, slog.LevelInfo},
	} {
		_, log := ask(t, Config{Sites: only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			InfoOf(r.Context()).Problem = c.problem
			if c.status != 0 {
				w.WriteHeader(c.status)
			}
		}))}, httptest.NewRequest("GET", "https://localhost/", nil))
		if !strings.Contains(log, "level="+c.level.String()+" ") || strings.Count(log, "the private cause") > 1 ||
			strings.Contains(log, "the private cause") != (c.problem != nil) {
			t.Errorf("%s: %s", name, log)
		}
	}
}

func TestInfoOutsideAChain(t *testing.T) {
	if InfoOf(context.Background()) == nil {
		t.Error("nil")
	}
}

func TestPanicBeforeTheAnswer(t *testing.T) {
	fault := func(w http.ResponseWriter, _ *http.Request, _ error) {
		w.WriteHeader(500)
		io.WriteString(w, "problem")
	}
	for name, c := range map[string]struct {
		fault func(http.ResponseWriter, *http.Request, error)
		body  string
	}{"own text": {nil, "internal error\n"}, "problem": {fault, "problem"}} {
		w, log := ask(t, Config{Sites: []Site{{Fault: c.fault, Handler: http.HandlerFunc(func(w http.ResponseWriter,
			_ *http.Request) {
			w.Header().Set("Content-Length", "7000")
			w.Header().Set("ETag", `"1"`)
			panic("private reason")
		})}}}, httptest.NewRequest("GET", "https://localhost/", nil))
		if w.Code != 500 || w.Body.String() != c.body {
			t.Errorf("%s: %d %q", name, w.Code, w.Body)
		}
		h := w.Header()
		if h.Get("Content-Length") != "" || h.Get("ETag") != "" || h.Get("X-Request-Id") == "" ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Strict-Transport-Security") == "" {
			t.Errorf("%s: headers %v", name, h)
		}
		if strings.Count(log, "private reason") != 1 || !strings.Contains(log, "level=ERROR") ||
			strings.Count(log, "stack=") != 1 ||
			!strings.Contains(log, "chain_test.go") || strings.Count(log, "\n") != 1 {
			t.Errorf("%s: log %s", name, log)
		}
	}
}

func TestPanicsThatEndTheConnection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		fault   func(http.ResponseWriter, *http.Request, error)
		logged  bool
	}{
		"abort": {handler: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		"begun": {handler: func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "half"); panic("why") },
			logged: true},
		"the fault": {handler: func(http.ResponseWriter, *http.Request) { panic("why") },
			fault: func(http.ResponseWriter, *http.Request, error) { panic("too") }, logged: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, Config{Sites: []Site{{Handler: c.handler, Fault: c.fault}}})
			resp, err := s.client(t).Get(s.url)
			if err == nil {
				_, err = io.ReadAll(resp.Body)
				resp.Body.Close()
			}
			if err == nil {
				t.Error("looks complete")
			}
			s.stop()
			s.end()
			log := s.log.String()
			if !strings.Contains(log, "aborted=true") || strings.Contains(log, "panic=why") != c.logged ||
				strings.Contains(log, "http: panic") {
				t.Errorf("log %s", log)
			}
		})
	}
}

func TestProbes(t *testing.T) {
	down := errors.New("database is away")
	hang := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for name, c := range map[string]struct {
		method, path string
		ready        func(context.Context) error
		draining     bool
		status       int
		body, level  string
	}{
		"alive":           {"GET", "/healthz", func(context.Context) error { return down }, false, 200, "ok\n", "DEBUG"},
		"alive, draining": {"GET", "/healthz", nil, true, 200, "ok\n", "DEBUG"},
		"ready":           {"GET", "/readyz", func(context.Context) error { return nil }, false, 200, "ok\n", "DEBUG"},
		"ready, HEAD":     {"HEAD", "/readyz", nil, false, 200, "ok\n", "DEBUG"}, // net/http drops the body
		"not ready": {"GET", "/readyz", func(context.Context) error { return down }, false, 503, "not ready\n",
			"ERROR"},
		"too slow":         {"GET", "/readyz", hang, false, 503, "not ready\n", "ERROR"},
		"draining":         {"GET", "/readyz", nil, true, 503, "not ready\n", "DEBUG"},
		"POST":             {"POST", "/readyz", nil, false, 405, "method not allowed\n", "DEBUG"},
		"OPTIONS":          {"OPTIONS", "/healthz", nil, false, 405, "method not allowed\n", "DEBUG"},
		"something beside": {"GET", "/readyz2", nil, false, 418, "", "INFO"},
	} {
		t.Run(name, func(t *testing.T) {
			l, draining := new(logs), new(atomic.Bool)
			draining.Store(c.draining)
			conf := Config{Ready: c.ready, Log: l.logger(), limits: limits{ready: 10 * time.Millisecond},
				Sites: only(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(418) }))}
			w := httptest.NewRecorder()
			newChain(conf.withDefaults(), draining).ServeHTTP(w, httptest.NewRequest(c.method, "https://localhost"+c.path, nil))
			if w.Code != c.status || w.Body.String() != c.body || !strings.Contains(l.String(), "level="+c.level) {
				t.Errorf("%d %q %s", w.Code, w.Body, l)
			}
			if allow := w.Header().Get("Allow"); (w.Code == 405) != (allow == "GET, HEAD") {
				t.Errorf("Allow %q", allow)
			}
		})
	}
}

func TestGeneralOptionsCarryARequestID(t *testing.T) {
	s := start(t, Config{})
	resp, _ := exchange(t, dialTLS(t, s), "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
	if resp.Header.Get("X-Request-Id") == "" {
		t.Error("no request ID")
	}
}

func TestHandshakeNoiseIsNotLogged(t *testing.T) {
	quiet := new(logs)
	s := start(t, Config{Log: slog.New(slog.NewTextHandler(quiet, nil))})
	c := dial(t, s.host)
	io.WriteString(c, "\x16\x03\x01\x00\x05nonsense")
	io.Copy(io.Discard, c)
	s.stop()
	s.end()
	if strings.Contains(quiet.String(), "handshake") {
		t.Error(quiet)
	}
}

func TestStreamMayRest(t *testing.T) {
	// A handler that streams may rest for longer than a client may: nothing is being written then.
	gate := make(chan struct{})
	s := start(t, Config{Sites: only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "one,")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-gate
		io.WriteString(w, "two")
	}))})
	resp, err := s.client(t).Get(s.url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	close(gate) // the headers are here, so it rests
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "one,two" || resp.ProtoMajor != 2 {
		t.Errorf("%s %q %v", resp.Proto, body, err)
	}
	for name, step := range map[string]func(a *answer) error{
		"write": func(a *answer) error { _, err := a.Write([]byte("one")); return err },
		"flush": (*answer).FlushError,
	} {
		d := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		if err := step(newAnswer(d, &http.Request{ProtoMajor: 2, Body: http.NoBody}, time.Hour, time.Now)); err != nil {
			t.Error(err)
		}
		if n := len(d.write); n < 2 || d.write[n-2].IsZero() || !d.write[n-1].IsZero() {
			t.Errorf("%s: the deadlines were %v, want one that is taken away again", name, d.write)
		}
	}
}

// deadlines notes the deadlines that are set.
type deadlines struct {
	*httptest.ResponseRecorder
	write []time.Time
}

func (d *deadlines) SetWriteDeadline(at time.Time) error {
	d.write = append(d.write, at)
	return nil
}
