package faults_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/wait"
)

// writers send a mix of writes and keep what was acknowledged.
type writers struct {
	mu        sync.Mutex
	addresses map[string]string // → Location of a 201 or 409
	tried     map[string]bool
	notes     map[string]string // text → Location of the applicant, acknowledged with 201
	wrong     []string          // answers that are neither right nor 503 with Retry-After
	later     atomic.Int64
	served    atomic.Int64
	slowest   atomic.Int64 // of all answers
}

func newWriters() *writers {
	return &writers{addresses: map[string]string{}, tried: map[string]bool{}, notes: map[string]string{}}
}

// run writes until stop is closed: applicants, a note on each, and reads.
func (w *writers) run(s *service, name string, stop <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		address := fmt.Sprintf("%s-%d@example.org", name, i)
		w.mu.Lock()
		w.tried[address] = true
		w.mu.Unlock()
		a, ok := w.call(s, 201, "POST", "/api/v10/applicants", "application/json",
			`{"email":"`+address+`","name":"Ilse Varga"}`)
		if !ok {
			continue
		}
		location := a.header.Get("Location")
		w.mu.Lock()
		w.addresses[address] = location
		w.mu.Unlock()
		w.call(s, 200, "GET", location, "", "")
		text := "note of " + address
		if _, ok := w.call(s, 201, "POST", location+"/notes", "application/json", `{"notes":"`+text+`"}`); ok {
			w.mu.Lock()
			w.notes[text] = location
			w.mu.Unlock()
		}
	}
}

// call sends one request; ok tells that it was answered with the status.
func (w *writers) call(s *service, status int, method, path, contentType, body string) (a answer, ok bool) {
	begun := time.Now()
	a, err := s.do(method, path, contentType, body)
	took := time.Since(begun)
	for {
		n := w.slowest.Load()
		if int64(took) <= n || w.slowest.CompareAndSwap(n, int64(took)) {
			break
		}
	}
	switch {
	case err == nil && a.status == status:
		w.served.Add(1)
		return a, true
	case err == nil && a.isLater():
		w.later.Add(1)
	case err == nil:
		w.mu.Lock()
		w.wrong = append(w.wrong, fmt.Sprintf("%s %s: %d %s", method, path, a.status, a.body))
		w.mu.Unlock()
	default:
		w.mu.Lock()
		w.wrong = append(w.wrong, fmt.Sprintf("%s %s: %v", method, path, err))
		w.mu.Unlock()
	}
	return a, false
}

// check compares what was acknowledged with what is there.
func (w *writers) check(s *service) {
	s.t.Helper()
	for i, wrong := range w.wrong {
		if i < 10 {
			s.t.Error(wrong)
		}
	}
	for address := range w.tried {
		a := s.want(200)(s.get("/api/v10/applicants?byEmails=" + address))
		n, location := a.header.Get("X-Count"), w.addresses[address]
		if n != "1" && (location != "" || n != "0") {
			s.t.Errorf("%s is there %s times, acknowledged as %q", address, n, location)
		}
		if location != "" && !strings.Contains(s.want(200)(s.get(location)).body, address) {
			s.t.Errorf("%s is not %s", location, address)
		}
	}
	for text, location := range w.notes {
		if n := strings.Count(s.want(200)(s.get(location+"/notes")).body, `"`+text+`"`); n != 1 {
			s.t.Errorf("%q is in %s %d times", text, location, n)
		}
	}
}

// PostgreSQL is killed again and again under a mix of writes. The service goes on by itself: it answers 503 with
// Retry-After while there is no database, and nothing that was acknowledged is lost or doubled.
func TestKillPostgres(t *testing.T) {
	t.Parallel()
	server := dbtest.NewServer(t)
	p := onServer(t, server)
	mails := startMailServer(t)
	key, _ := p.key()
	s := p.serve("--mail.smtp="+mails.url, "--mail.sync-timeout=2s", "--quota.per-minute=100000",
		"--quota.per-hour=100000").as(key)
	w, stop := newWriters(), make(chan struct{})
	var running sync.WaitGroup
	for i := range 4 {
		running.Go(func() { w.run(s, fmt.Sprintf("w%d", i), stop) })
	}
	cycles := either(3, 100)
	for cycle := range cycles {
		before := w.served.Load()
		// At another point each time.
		wait.Until(t, "writes pass", func() bool { return w.served.Load() > before+40+int64(7*(cycle%7)) })
		before = w.later.Load()
		server.Kill()
		wait.Until(t, "the service says to come back later", func() bool { return w.later.Load() > before })
		if s.ready() {
			t.Error("it is ready without a database")
		}
		begun := time.Now()
		server.Start()
		started := time.Now()
		before = w.served.Load()
		wait.Until(t, "writes pass again", func() bool { return w.served.Load() > before })
		t.Logf("the database was back after %v, the first answer %v after that", started.Sub(begun).Round(time.Millisecond),
			time.Since(started).Round(time.Millisecond))
	}
	before := w.served.Load()
	wait.Until(t, "writes pass", func() bool { return w.served.Load() > before+40 })
	close(stop)
	running.Wait()
	wait.Until(t, "all creations are decided", func() bool { return p.number("SELECT count(*) FROM outbox") == 0 })
	s.Terminate()
	s = p.serve("--mail.smtp="+mails.url, "--quota.per-minute=0", "--quota.per-hour=0").as(key) // what follows would count
	w.check(s)
	t.Logf("%d answers, %d of them 503, in %d cycles", w.served.Load()+w.later.Load(), w.later.Load(), cycles)
	s.Terminate()
	p.whole()
	apptest.CountKills(t, cycles)
}

// PostgreSQL stands still for some seconds, as on a host that is frozen: connections are open and nobody answers.
// Requests that come meanwhile are told to come back later, within seconds; after it everything goes on by itself.
func TestPostgresStopped(t *testing.T) {
	t.Parallel()
	server := dbtest.NewServer(t)
	p := onServer(t, server)
	mails := startMailServer(t)
	key, _ := p.key()
	s := p.serve("--mail.smtp="+mails.url, "--mail.sync-timeout=2s", "--quota.per-minute=100000",
		"--quota.per-hour=100000").as(key)
	w, stop := newWriters(), make(chan struct{})
	var running sync.WaitGroup
	for i := range 4 {
		running.Go(func() { w.run(s, fmt.Sprintf("w%d", i), stop) })
	}
	wait.Until(t, "writes pass", func() bool { return w.served.Load() > 100 })
	server.Stop()
	begun := time.Now()
	a, err := s.get("/api/v10/applicants?limit=1")
	if err != nil || !a.isLater() {
		t.Errorf("%v, %+v", err, a)
	}
	t.Logf("the refusal took %v", time.Since(begun).Round(time.Millisecond))
	if s.ready() {
		t.Error("it is ready while the database stands")
	}
	later := w.later.Load()
	wait.Until(t, "every writer was told twice", func() bool { return w.later.Load() >= later+8 })
	server.Continue()
	begun = time.Now()
	before := w.served.Load()
	wait.Until(t, "it goes on", func() bool { return s.ready() && w.served.Load() > before+40 })
	t.Logf("%d times 503; 40 answers within %v of the end, the slowest answer took %v", w.later.Load(),
		time.Since(begun).Round(time.Millisecond), time.Duration(w.slowest.Load()).Round(time.Millisecond))
	close(stop)
	running.Wait()
	wait.Until(t, "all creations are decided", func() bool { return p.number("SELECT count(*) FROM outbox") == 0 })
	w.check(s)
	s.Terminate()
	p.whole()
}
