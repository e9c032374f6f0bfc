package faults_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/wait"
)

// An instance stands still in the middle of transactions, as when its machine is moved or suspended, and with it what
// these have locked: the head of the journal, the quota of a key. The other instance goes on by itself, and what the
// first acknowledged is there when it wakes up.
func TestInstanceStandsStill(t *testing.T) {
	t.Parallel()
	p := onServer(t, dbtest.NewServer(t))
	mails := startMailServer(t)
	p.flags = append(p.flags, "--mail.smtp="+mails.url, "--quota.per-minute=1000000", "--quota.per-hour=1000000")
	key, _ := p.key()
	sides := [2]*service{p.serve().as(key)}
	sides[1] = p.another().serve().as(key)
	const clients = 8 // of each side
	var people [2 * clients]string
	for i := range people {
		people[i] = sides[0].want(201)(sides[0].create(fmt.Sprintf("p%d@example.org", i))).header.Get("Location")
	}
	tracker := ""
	p.touch(func(tx *store.Tx) error {
		id, _, err := tx.InsertTracker(&admitto.Tracker{Created: tx.Now(), Code: "FAIR"})
		tracker = fmt.Sprint("/trackers/", id)
		return err
	})
	var served [2]atomic.Int64
	var acknowledged [2 * clients]int64
	stop := make(chan struct{})
	var running sync.WaitGroup
	for i, person := range people {
		running.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				a, err := sides[i%2].do([]string{"PUT", "DELETE"}[n%2], person+tracker, "", "")
				switch {
				case err != nil || a.status/100 != 2 && a.status != 404 && !a.isLater():
					t.Errorf("%s: %v, %+v", person, err, a)
					return
				case a.isLater():
					n-- // the same again, since the other one would change nothing, and leave no event
				case a.status/100 == 2:
					acknowledged[i]++
					served[i%2].Add(1)
				}
			}
		})
	}
	const held = `SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'
		AND state_change < clock_timestamp() - interval '1 second'`
	for range either(1, 10) {
		wait.Until(t, "it stands still in a transaction", func() bool {
			before := served[0].Load()
			wait.Until(t, "writes pass", func() bool { return served[0].Load() > before+50+rand.Int64N(50) })
			_ = sides[0].Cmd.Process.Signal(syscall.SIGSTOP)
			begin := time.Now()
			wait.Until(t, "a second passes", func() bool { return time.Since(begin) > 1100*time.Millisecond })
			if p.number(held) > 0 {
				return true
			}
			_ = sides[0].Cmd.Process.Signal(syscall.SIGCONT)
			return false
		})
		begin, before := time.Now(), served[1].Load()
		wait.Until(t, "the other one goes on", func() bool { return served[1].Load() > before+100 })
		t.Logf("it goes on after %v", time.Since(begin))
		_ = sides[0].Cmd.Process.Signal(syscall.SIGCONT)
	}
	close(stop)
	running.Wait()
	for _, s := range sides {
		s.Terminate()
	}
	for i, location := range people {
		id := location[strings.LastIndexByte(location, '/')+1:]
		if n := p.number(`SELECT count(*) FROM journal WHERE pattern LIKE 'Tracker was%'
			AND applicant_id = CAST($1 AS bigint)`, id); n < acknowledged[i] {
			t.Errorf("%s: the journal has %d events, acknowledged are %d", location, n, acknowledged[i])
		}
	}
	p.whole()
}
