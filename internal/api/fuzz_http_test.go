package api_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/web"
)

// The fuzzer's bounds.
const (
	fuzzRound    = 10 * time.Second // after it the world of the contract is made again, since the requests delete it
	fuzzDeadline = 30 * time.Second // of one request; a busy machine is no hang
	fuzzGrowth   = 24 << 20         // of the heap while the same kinds of requests go on
	fuzzFailures = 5                // that a round tells
)

// TestHTTPFuzz walks THE table with requests made from the OpenAPI documents and mutated: paths, queries, forms, JSON,
// multipart, bare values, headers, methods and versions. Whatever comes is answered in time, by no fault of ours, with
// JSON, a problem document or what the document of the operation promises, and the memory stays flat.
//
// ADMITTO_TEST_FUZZ_TIME says for how long (half a second without it, 10 seconds in make test-long),
// ADMITTO_TEST_FUZZ_SEED where to begin: one seed returns the same requests again, until the answer of a changed
// program leads elsewhere.
func TestHTTPFuzz(t *testing.T) {
	length, seed := apptest.Size(time.Second/2, 10*time.Second), uint64(time.Now().UnixNano())
	var err error
	if text := os.Getenv("ADMITTO_TEST_FUZZ_TIME"); text != "" {
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	if text := os.Getenv("ADMITTO_TEST_FUZZ_SEED"); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	plan := newFuzzPlan(t)
	for left := length; left > 0; left -= 2 * fuzzRound {
		inTurn(t, func(t *testing.T, s *service) {
			putContract(s)
			putContractAccess(s)
			s.skipAllIDs()
			newHTTPFuzzer(t, s, plan, seed).run(min(fuzzRound, left/2))
		})
		if t.Failed() {
			return
		}
		seed++
	}
}

// skipAllIDs lets whatever is made have IDs above those of the contract, as it has on SQLite by itself.
func (s *service) skipAllIDs() {
	s.t.Helper()
	if !s.store.Shared() {
		return
	}
	err := s.store.Write(s.t.Context(), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query("SELECT table_name::text FROM information_schema.columns WHERE table_schema = current_schema() AND column_name = 'id' AND is_identity = 'YES'")
		var tables []string
		for rows.Next() {
			tables = append(tables, rows.Text(0))
		}
		if err := rows.Close(); err != nil {
			return err
		}
		for _, table := range tables {
			if err := tx.SkipIDs(table, 10_000); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// httpFuzzer sends requests over one connection after the other.
type httpFuzzer struct {
	t      *testing.T
	seed   uint64
	plan   *fuzzPlan
	random *rand.Rand
	keys   []string // the one that may do everything, one that may read, one that is none
	server *httptest.Server
	faults *lastLines // of the log
	conn   net.Conn
	reader *bufio.Reader
	count  int
	status map[int]int
}

// newHTTPFuzzer puts a service of its own before the instance, whose log is not kept.
func newHTTPFuzzer(t *testing.T, s *service, plan *fuzzPlan, seed uint64) *httpFuzzer {
	f := &httpFuzzer{t: t, seed: seed, plan: plan, random: rand.New(rand.NewPCG(seed, 1)), faults: &lastLines{},
		status: map[int]int{}}
	_, readOnly := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
	f.keys = []string{s.key, readOnly, "admitto_none"}
	log := slog.New(slog.NewJSONHandler(f.faults, &slog.HandlerOptions{Level: slog.LevelError}))
	budget := web.NewBudget(32<<20, runtime.GOMAXPROCS(0), 0)
	rest := api.New(s.services, budget, config.NewLive(documentSettings()), log)
	f.server = httptest.NewUnstartedServer(web.Chain(web.Config{Sites: sites(rest, s.services, budget,
		config.NewLive(documentSettings())), Log: log}))
	f.server.StartTLS()
	t.Cleanup(func() {
		f.hangUp()
		f.server.Close()
	})
	return f
}

// run sends requests until the time is over.
func (f *httpFuzzer) run(length time.Duration) {
	begin, failures := time.Now(), 0
	var heap uint64 // once everything that is kept for good is there
	for time.Since(begin) < length {
		if heap == 0 && time.Since(begin) > length/3 {
			heap = heapInUse()
		}
		f.count++
		r := f.plan.request(f.random, f.keys)
		f.faults.forget()
		a, err := f.send(r)
		fault := ""
		if err != nil {
			fault = err.Error()
		} else {
			f.status[a.status]++
			a.body = unpacked(f.t, a)
			fault = f.plan.judge(r, a)
		}
		if fault == "" {
			continue
		}
		f.t.Errorf("ADMITTO_TEST_FUZZ_SEED=%d, request %d: %s\n%s\nanswer: %d %v\n%.2000q\nlog: %s", f.seed, f.count, fault,
			r, a.status, a.header, a.body, f.faults)
		if failures++; failures == fuzzFailures {
			return
		}
	}
	if now := heapInUse(); heap > 0 && now > heap+fuzzGrowth {
		f.t.Errorf("ADMITTO_TEST_FUZZ_SEED=%d: the heap grew from %d to %d bytes in %d requests", f.seed, heap, now, f.count)
	}
	f.t.Logf("ADMITTO_TEST_FUZZ_SEED=%d: %d requests, by status %v", f.seed, f.count, f.status)
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// send sends one request and reads its answer. The connection is written by hand, so that nothing of the request is
// made right on the way.
func (f *httpFuzzer) send(r *fuzzRequest) (a answer, err error) {
	if f.conn == nil {
		roots := f.server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
		if f.conn, err = tls.Dial("tcp", f.server.Listener.Addr().String(),
			&tls.Config{RootCAs: roots, ServerName: "example.com"}); err != nil {
			return a, err
		}
		f.reader = bufio.NewReader(f.conn)
	}
	f.conn.SetDeadline(time.Now().Add(fuzzDeadline))
	_, writeErr := f.conn.Write(r.bytes())
	response, err := http.ReadResponse(f.reader, &http.Request{Method: r.method})
	if err != nil {
		f.hangUp()
		if writeErr != nil && len(r.body) > 128<<10 {
			return answer{status: http.StatusRequestEntityTooLarge}, nil // refused before all of it was sent
		}
		return a, fmt.Errorf("no answer: %w", err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		f.hangUp()
		return a, fmt.Errorf("the answer breaks off: %w", err)
	}
	if response.Close || writeErr != nil {
		f.hangUp()
	}
	return answer{response.StatusCode, response.Header, string(body)}, nil
}

func (f *httpFuzzer) hangUp() {
	if f.conn != nil {
		f.conn.Close()
		f.conn = nil
	}
}

// judge says what is wrong with an answer, "" when nothing is.
func (p *fuzzPlan) judge(r *fuzzRequest, a answer) string {
	if a.header == nil {
		return ""
	}
	kind, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	if a.header.Get("X-Request-Id") == "" { // net/http refuses what is no HTTP before anybody of ours sees it
		if a.status < 400 || a.status >= 500 || kind != "text/plain" {
			return "an answer without X-Request-Id"
		}
		return ""
	}
	if a.status >= 500 && (a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "") {
		return "a fault of ours"
	}
	for name, values := range a.header {
		for _, value := range values {
			if strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' }) {
				return fmt.Sprintf("the header %s has %q", name, value)
			}
		}
	}
	if place := a.header.Get("Location"); place != "" && !strings.HasPrefix(place, "/api/") {
		return "Location leads elsewhere"
	}
	if disposition := a.header.Get("Content-Disposition"); disposition != "" {
		if _, _, err := mime.ParseMediaType(disposition); err != nil {
			return "Content-Disposition: " + err.Error()
		}
	}
	if r.method == "HEAD" || a.status == http.StatusNoContent || a.status == http.StatusNotModified {
		if a.body != "" {
			return "a body where there is none"
		}
		return ""
	}
	switch {
	case a.status >= 400:
		return judgeProblem(r, a, kind)
	case a.status >= 300:
		return "a redirect"
	case a.status == http.StatusCreated && a.body == "":
		return ""
	case kind == "application/json" && a.header.Get("Content-Disposition") == "":
		if !json.Valid([]byte(a.body)) || !utf8.ValidString(a.body) {
			return "the body is not JSON"
		}
		return ""
	case a.status == http.StatusPartialContent && kind == "multipart/byteranges":
		return ""
	}
	return p.judgeFile(r, kind)
}

// judgeProblem looks at a problem document, or at its text where the client wants text.
func judgeProblem(r *fuzzRequest, a answer, kind string) string {
	if kind == "text/plain" {
		if !strings.Contains(strings.ToLower(r.header.Get("Accept")), "text/") ||
			!strings.Contains(a.body, a.header.Get("X-Request-Id")) || !utf8.ValidString(a.body) {
			return "an error as text that nobody wanted"
		}
		return ""
	}
	var p struct {
		Type, Title, Detail, Instance string
		Status                        int
		RequestID                     string `json:"request_id"`
	}
	if err := json.Unmarshal([]byte(a.body), &p); err != nil || kind != "application/problem+json" ||
		!utf8.ValidString(a.body) {
		return fmt.Sprintf("no problem document: %v", err)
	}
	if !strings.HasPrefix(p.Type, "/problems/") || p.Title == "" || p.Detail == "" || p.Status != a.status ||
		p.RequestID != a.header.Get("X-Request-Id") {
		return "a problem document with members missing"
	}
	return ""
}

// judgeFile looks up whether the document of the operation promises such a body.
func (p *fuzzPlan) judgeFile(r *fuzzRequest, kind string) string {
	path, version := r.operation()
	target := p.byName[api.OperationOf(strings.Replace(r.method, "HEAD", "GET", 1), path, version)]
	if target == nil {
		return "a body of " + kind + " where there is no operation"
	}
	content, _ := at(target.op, "responses", "200", "content").(map[string]any)
	if content[kind] == nil && content["*/*"] == nil {
		return "a body of " + kind + ", which the document does not have"
	}
	return ""
}

// lastLines keeps the end of the log.
type lastLines struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (l *lastLines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, line...)
	l.text = l.text[max(0, len(l.text)-8<<10):]
	return len(line), nil
}

func (l *lastLines) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = nil
}

// String returns what was logged last.
func (l *lastLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// fuzzRequest is a request as it goes over the wire.
type fuzzRequest struct {
	method, path, query string // the path and the query are written as they are
	header              http.Header
	body                []byte
	chunked             bool
}

// bytes writes the request down. Line breaks would end a header, which no client can send inside of one.
func (r *fuzzRequest) bytes() []byte {
	var b bytes.Buffer
	line := strings.NewReplacer("\r", "", "\n", "")
	target := r.path
	if r.query != "" {
		target += "?" + r.query
	}
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: localhost\r\n", r.method, line.Replace(target))
	for _, name := range sortedNames(r.header) {
		for _, value := range r.header[name] {
			fmt.Fprintf(&b, "%s: %s\r\n", name, line.Replace(value))
		}
	}
	switch {
	case r.chunked && len(r.body) > 0:
		fmt.Fprintf(&b, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(r.body), r.body)
	case len(r.body) > 0 || r.method == "POST" || r.method == "PUT" || r.method == "PATCH":
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(r.body), r.body)
	default:
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

// String shows the request; what is long is cut.
func (r *fuzzRequest) String() string { return fmt.Sprintf("%.6000q", r.bytes()) }

// operation returns the path without its prefix, and the version that answers it.
func (r *fuzzRequest) operation() (path string, version int) {
	path = strings.TrimPrefix(r.path, "/api")
	first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if n, err := strconv.Atoi(strings.TrimPrefix(first, "v")); err == nil && strings.HasPrefix(first, "v") {
		return "/" + rest, n
	}
	return path, documentSettings().API.DefaultVersion
}
