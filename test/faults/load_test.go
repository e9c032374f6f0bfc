package faults_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// purse hands out keys and counts what passed of each.
type purse struct {
	mu      sync.Mutex
	current *purseKey
	spent   []*purseKey
}

type purseKey struct {
	secret string
	passed atomic.Int64
	over   atomic.Bool // one was refused
}

// key returns the key in use.
func (u *purse) key(p *place) *purseKey {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.current == nil || u.current.over.Load() {
		if u.current != nil {
			u.spent = append(u.spent, u.current)
		}
		secret := p.must("keys", "create", "--name=Load")
		u.current = &purseKey{secret: secret}
	}
	return u.current
}

// A mix of reads and writes at the limit of the machine: no answer is an error, the memory stays flat, and of every
// key exactly its quota passes. A hundred times as long with ADMITTO_TEST_FAULTS=full.
func TestLoad(t *testing.T) {
	engines := map[string]func(*testing.T) *place{"sqlite": onSQLite, "postgres": onPostgres}
	for name, open := range engines { // one after the other: each wants the whole machine
		t.Run(name, func(t *testing.T) { load(t, open(t)) })
	}
}

func load(t *testing.T, p *place) {
	const quota = 2000
	requests := int64(either(4000, 400_000))
	mails := startMailServer(t)
	p.must("demo", "--applicants=500")
	s := p.serve("--mail.smtp="+mails.url, "--quota.per-minute=0", fmt.Sprintf("--quota.per-hour=%d", quota))
	all := &purse{}
	reads, writes := &times{}, &times{}
	var running sync.WaitGroup
	var next atomic.Int64
	began := time.Now()
	var early int64 // memory after a tenth of the requests
	for range 8 {
		running.Go(func() {
			for !t.Failed() {
				n := next.Add(1)
				if n > requests {
					return
				}
				if n == requests/10 {
					atomic.StoreInt64(&early, s.memory("VmHWM"))
				}
				applicant := fmt.Sprintf("/api/v10/applicants/%d", 1+n%500)
				key := all.key(p)
				var took *times
				var a answer
				var err error
				begun := time.Now()
				side := s.as(key.secret)
				switch n % 10 {
				case 0:
					took = writes
					a, err = side.create(fmt.Sprintf("load%d@example.org", n))
				case 1:
					took = writes
					a, err = side.do("PUT", applicant+"/matriculation", "application/json", fmt.Sprintf(`"M-%d"`, n))
				case 2:
					took = writes
					a, err = side.do("POST", applicant+"/notes", "application/json", `{"notes":"Called"}`)
				case 3, 4:
					took = reads
					a, err = side.get("/api/v10/applicants?limit=200")
				case 5:
					took = reads
					a, err = side.get("/api/v10/applications?limit=50&expand=courses,offers")
				default:
					took = reads
					a, err = side.get(applicant)
				}
				switch {
				case err == nil && a.status == 429 && a.header.Get("Retry-After") != "":
					key.over.Store(true)
				case err == nil && a.status < 300:
					key.passed.Add(1)
					took.add(time.Since(begun))
				default:
					t.Errorf("request %d: %v, %+v", n, err, a)
				}
			}
		})
	}
	running.Wait()
	lasts := time.Since(began)
	for _, key := range all.spent {
		if n := key.passed.Load(); n != quota {
			t.Errorf("%d requests of a key passed, its quota is %d", n, quota)
		}
	}
	peak, first := s.memory("VmHWM"), atomic.LoadInt64(&early)
	if first == 0 || peak > first+first/2+(32<<20) {
		t.Errorf("the memory grew from %d MB to %d MB", first>>20, peak>>20)
	}
	if len(reads.list) == 0 || len(writes.list) == 0 {
		t.Error("nothing was answered")
	}
	t.Logf("%.0f requests a second for %v with 8 clients; reads p50 %v, p99 %v; writes p50 %v, p99 %v; at most %d MB, %d MB after a tenth of the requests; %d keys used up",
		float64(len(reads.list)+len(writes.list))/lasts.Seconds(), lasts, reads.at(500), reads.at(990), writes.at(500),
		writes.at(990),
		peak>>20, first>>20, len(all.spent))
	s.Terminate()
	p.whole()
}
