package faults_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/wait"
	"github.com/admitto/admitto/test/internal/program"
)

// laterStep is a migration that the binary under test does not know: a column, an index and a table more.
const laterStep = `ALTER TABLE applicant ADD COLUMN later text NOT NULL DEFAULT '';
CREATE INDEX applicant_later ON applicant (later, id);
CREATE TABLE later (id {serial}, applicant_id bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE);
`

// laterRelease builds the binary with one more migration, 9000_later.
func laterRelease(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	sql, overlay := filepath.Join(folder, "later.sql"), filepath.Join(folder, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root,
		"internal/store/migrations/9000_later.sql"): sql}})
	if err == nil {
		err = os.WriteFile(overlay, replace, 0o600)
	}
	if err == nil {
		err = os.WriteFile(sql, []byte(laterStep), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return program.Build(t, "-overlay", overlay)
}

// balancer is the proxy before several instances. It sends a request to the next one of those that are in.
type balancer struct {
	t    *testing.T
	mu   sync.Mutex
	in   []*side
	turn int
}

// side is an instance behind the balancer.
type side struct {
	*service
	proxy   *httputil.ReverseProxy
	running int // requests and looks at /readyz under way
	served  int // requests
}

// admit lets an instance in.
func (b *balancer) admit(s *service) {
	target, err := url.Parse(s.url)
	if err != nil {
		b.t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = s.client.Transport
	proxy.ErrorLog = log.New(io.Discard, "", 0) // the client gets 502 and complains
	b.mu.Lock()
	defer b.mu.Unlock()
	b.in = append(b.in, &side{service: s, proxy: proxy})
}

// withdraw sends an instance nothing new and waits for what it has, as operators do before they stop it.
func (b *balancer) withdraw(s *service) {
	b.t.Helper()
	b.mu.Lock()
	var out *side
	for i, one := range b.in {
		if one.service == s {
			out = one
			b.in = append(append([]*side(nil), b.in[:i]...), b.in[i+1:]...)
			break
		}
	}
	b.mu.Unlock()
	wait.Until(b.t, "nothing is under way", func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return out.running == 0
	})
}

// use runs fn with the next instance.
func (b *balancer) use(fn func(*side)) {
	b.mu.Lock()
	one := b.in[b.turn%len(b.in)]
	b.turn++
	one.running++
	b.mu.Unlock()
	fn(one)
	b.mu.Lock()
	one.running--
	b.mu.Unlock()
}

// ServeHTTP passes a request on.
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.use(func(one *side) {
		one.proxy.ServeHTTP(w, r)
		b.mu.Lock()
		one.served++
		b.mu.Unlock()
	})
}

// allServe waits until each instance that is in has answered many more requests.
func (b *balancer) allServe() {
	b.t.Helper()
	before := map[*side]int{}
	wait.Until(b.t, "every instance answers", func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, one := range b.in {
			if _, known := before[one]; !known {
				before[one] = one.served
			}
			if one.served < before[one]+30 {
				return false
			}
		}
		return true
	})
}

// exchange stops an instance and starts a release in its place.
func (b *balancer) exchange(s *service, release string) *service {
	b.t.Helper()
	b.withdraw(s)
	s.Terminate()
	s.place.release = release
	next := s.place.serve().as(s.key)
	b.admit(next)
	return next
}

// Two instances are upgraded one after the other to a release that changes the schema, while clients write and read all
// the time. The old instance stays ready and can be started again next to the new one; no request fails and nothing is
// lost.
func TestRollingUpgrade(t *testing.T) {
	t.Parallel()
	later := laterRelease(t)
	p := onPostgres(t)
	old := pair(t, p, "--quota.per-minute=0", "--quota.per-hour=0")
	b := &balancer{t: t}
	b.admit(old[0])
	b.admit(old[1])
	front := httptest.NewServer(b)
	defer front.Close()
	clients := &service{t: t, place: p, url: front.URL, client: front.Client(), key: old[0].key}
	w, stop := newWriters(), make(chan struct{})
	var running sync.WaitGroup
	end := sync.OnceFunc(func() {
		close(stop)
		running.Wait()
	})
	defer end()
	for i := range 4 {
		running.Go(func() { w.run(clients, fmt.Sprintf("w%d", i), stop) })
	}
	running.Go(func() { b.watch(stop) })
	b.allServe()
	first := b.exchange(old[0], later)
	if p.number("SELECT count(*) FROM migration WHERE name = '9000_later' AND needs = ''") != 1 {
		t.Error("the later release has not migrated")
	}
	b.allServe()
	second := b.exchange(old[1], "") // the old release once more
	if !strings.Contains(second.Log(), "9000_later") {
		t.Error("it does not say that the schema is newer")
	}
	b.allServe()
	commandsNextTo(t, second.place, later)
	b.withdraw(second)
	refuseBreaking(t, p, first, second)
	b.admit(second)
	second = b.exchange(second, later)
	b.allServe()
	end()
	if w.later.Load() != 0 {
		t.Errorf("%d times 503", w.later.Load())
	}
	w.check(first)
	t.Logf("%d answers, none of them an error", w.served.Load())
	first.Terminate()
	second.Terminate()
	p.whole()
	// A copy has the schema of the source, which the old release cannot make.
	target := onSQLite(t)
	code, _, stderr := target.command("copy", "--from="+p.database+"&search_path="+p.opts.Schema, "--to="+target.database)
	if code == 0 || !strings.Contains(stderr, "use the newer release") {
		t.Errorf("copied by the old release: status %d, %s", code, stderr)
	}
}

// watch asks the instances that are in whether they are ready, all the time.
func (b *balancer) watch(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		b.use(func(one *side) {
			if !one.ready() {
				b.t.Errorf("%s is not ready; release %q", one.url, one.place.release)
			}
		})
	}
}

// commandsNextTo runs commands of the old release on the newer schema. They work, but for those that would have to make
// such a schema.
func commandsNextTo(t *testing.T, old *place, later string) {
	t.Helper()
	for _, args := range [][]string{{"migrate"}, {"migrate", "--dry-run"}} {
		code, stdout, stderr := old.command(args...)
		if code != 0 || stdout != "" || !strings.Contains(stderr, "9000_later. This binary can work next to it") {
			t.Errorf("%v: status %d, %s%s", args, code, stdout, stderr)
		}
	}
	if old.must("keys", "list") == "" {
		t.Error("there are no keys")
	}
	file := filepath.Join(t.TempDir(), "backup")
	old.must("backup", file)
	target := onSQLite(t)
	if code, _, stderr := target.command("restore", file); code == 0 || !strings.Contains(stderr, "newer release") {
		t.Errorf("restored by the old release: status %d, %s", code, stderr)
	}
	target.release = later
	target.must("restore", file)
	if n := target.number("SELECT count(*) FROM migration WHERE name = '9000_later'"); n != 1 {
		t.Error("restored with another schema")
	}
}

// refuseBreaking makes the later migration one that an old release cannot live with, as if it had said so, and takes
// that back: the old instance is not ready meanwhile and cannot be started.
func refuseBreaking(t *testing.T, p *place, later, old *service) {
	t.Helper()
	needs := func(name string) {
		p.touch(func(tx *store.Tx) error {
			_, err := sqltest.In(tx).Exec("UPDATE migration SET needs = $1 WHERE name = '9000_later'", name)
			return err
		})
	}
	needs("9000_later")
	if old.ready() || !later.ready() {
		t.Errorf("old is ready: %t, later is ready: %t", old.ready(), later.ready())
	}
	code, _, stderr := old.place.command("serve", "--listen=127.0.0.1:0")
	if code != 1 || !strings.Contains(stderr, "cannot work with: start the newer release") {
		t.Errorf("status %d: %s", code, stderr)
	}
	needs("")
	if !old.ready() {
		t.Error("the old release is not ready again")
	}
}
