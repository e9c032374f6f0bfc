package faults_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/wait"
)

// Two instances are killed in turn while clients of both write as fast as they can, so that many commits wait for the
// numbers of their events, which either gives to those of both. Nothing that was acknowledged is missing in the
// journal, and what a killed instance has left is numbered by the other.
func TestKillWhileOrdering(t *testing.T) {
	t.Parallel()
	killWhileWriting(t, onPostgres(t), 2)
}

// The same on SQLite, where writers commit in groups: a group that was cut off is stored as a whole or not at all, and
// nobody was told of it.
func TestKillGroups(t *testing.T) {
	t.Parallel()
	killWhileWriting(t, onSQLite(t), 1)
}

func killWhileWriting(t *testing.T, p *place, instances int) {
	mails := startMailServer(t)
	p.flags = append(p.flags, "--mail.smtp="+mails.url, "--quota.per-minute=0", "--quota.per-hour=0")
	key, _ := p.key()
	places := []*place{p}
	sides := []*service{p.serve().as(key)}
	for len(sides) < instances {
		other := p.another()
		places, sides = append(places, other), append(sides, other.serve().as(key))
	}
	const clients = 12
	var people [clients]string
	for i := range people {
		people[i] = sides[0].want(201)(sides[0].create(fmt.Sprintf("p%d@example.org", i))).header.Get("Location")
	}
	tracker := ""
	p.touch(func(tx *store.Tx) error {
		id, _, err := tx.InsertTracker(&admitto.Tracker{Created: tx.Now(), Code: "FAIR"})
		tracker = fmt.Sprint("/trackers/", id)
		return err
	})

	var mu sync.RWMutex // of sides
	side := func(i int) *service {
		mu.RLock()
		defer mu.RUnlock()
		return sides[i%instances]
	}
	var acknowledged, unknown [clients]struct{ set, unset int64 }
	var has [clients]bool // as was acknowledged last
	var served atomic.Int64
	stop := make(chan struct{})
	var running sync.WaitGroup
	for i := range clients {
		running.Go(func() {
			for set, unsure := true, false; ; {
				select {
				case <-stop:
					return
				default:
				}
				method, said, maybe := "PUT", &acknowledged[i].set, &unknown[i].set
				if !set {
					method, said, maybe = "DELETE", &acknowledged[i].unset, &unknown[i].unset
				}
				a, err := side(i).do(method, people[i]+tracker, "", "")
				switch {
				case err == nil && a.status/100 == 2:
					*said++
					has[i] = set
					set, unsure = !set, false
					served.Add(1)
				case err == nil && a.status == 404 && !set && unsure: // it was done before
					has[i], set, unsure = false, true, false
				case err == nil && !a.isLater():
					t.Errorf("%s %s: %d %s", method, people[i], a.status, a.body)
					return
				default:
					*maybe++ // and it is sent again, which does nothing when it was done
					unsure = true
				}
			}
		})
	}
	cycles := either(4, 100)
	for cycle := range cycles {
		before := served.Load()
		// At another point each time.
		wait.Until(t, "writes pass", func() bool { return served.Load() > before+100+rand.Int64N(100) })
		victim := cycle % instances
		sides[victim].Kill()
		again := places[victim].serve().as(key)
		mu.Lock()
		sides[victim] = again
		mu.Unlock()
	}
	before := served.Load()
	wait.Until(t, "writes pass", func() bool { return served.Load() > before+100 })
	close(stop)
	running.Wait()
	last := sides[instances-1]
	if sides[0] != last {
		sides[0].Kill() // what it has left, the other has to take
	}
	wait.Until(t, "nothing waits", func() bool {
		return p.number("SELECT (SELECT count(*) FROM journal_waiting) + (SELECT count(*) FROM tally_waiting)") == 0
	})
	last.Terminate()
	for i, location := range people {
		id := location[strings.LastIndexByte(location, '/')+1:]
		recorded := func(pattern string) int64 {
			return p.number("SELECT count(*) FROM journal WHERE pattern = $1 AND applicant_id = CAST($2 AS bigint)", pattern, id)
		}
		set, unset := recorded("Tracker was assigned"), recorded("Tracker was unassigned")
		if set < acknowledged[i].set || set > acknowledged[i].set+unknown[i].set || unset < acknowledged[i].unset ||
			unset > acknowledged[i].unset+unknown[i].unset {
			t.Errorf("%s: the journal has %d and %d events, acknowledged are %v, unknown %v", location, set, unset,
				acknowledged[i], unknown[i])
		}
		there := p.number("SELECT count(*) FROM applicant_tracker WHERE applicant_id = CAST($1 AS bigint)", id) == 1
		if there != (set > unset) || there != has[i] && unknown[i].set+unknown[i].unset == 0 {
			t.Errorf("%s: the tracker is there %t, after %d and %d events, acknowledged last %t", location, there, set, unset, has[i])
		}
		// The journal tells them in turns, as they were done.
		if n := p.number(`SELECT count(*) FROM (SELECT pattern, lag(pattern) OVER (ORDER BY id) AS earlier FROM journal
			WHERE applicant_id = CAST($1 AS bigint) AND pattern LIKE 'Tracker was%') j WHERE pattern = earlier`, id); n != 0 {
			t.Errorf("%s: %d events come after one of their kind", location, n)
		}
	}
	t.Logf("%d writes with %d kills", served.Load(), cycles)
	p.whole()
	apptest.CountKills(t, cycles)
}
