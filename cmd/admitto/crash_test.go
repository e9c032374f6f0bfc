package main

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/wait"
)

// crowd is who the clients of the crash test try to create, and what they were told.
type crowd struct {
	mu    sync.Mutex
	next  int
	told  map[string]string // address → Location of a 201
	tried map[string]bool
	begun int // creations
}

func (c *crowd) creations() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.begun
}

// address returns one that was never tried, or sometimes one whose outcome the client does not know.
func (c *crowd) address(random *rand.Rand) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun++
	if random.IntN(4) == 0 {
		for a := range c.tried {
			if c.told[a] == "" {
				return a
			}
		}
	}
	c.next++
	a := fmt.Sprintf("p%d@example.org", c.next)
	c.tried[a] = true
	return a
}

func (c *crowd) created(address, location string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told[address] = location
}

// The proof of lifecycle.md 8.2: the service is killed again and again, after a random number of creations or while the
// mail server stands at each of its steps. Whatever happens, every address has either exactly one applicant and at
// least one mail, or nobody; and everybody the client was told of is there.
func TestKill(t *testing.T) {
	if !apptest.Long() {
		return
	}
	onBothEngines(t, func(t *testing.T, p *place) {
		seed := uint64(time.Now().UnixNano())
		if text := os.Getenv("ADMITTO_TEST_SEED"); text != "" {
			seed, _ = strconv.ParseUint(text, 10, 64)
		}
		t.Logf("ADMITTO_TEST_SEED=%d", seed)
		random := rand.New(rand.NewPCG(seed, 1))
		cycles := 15
		if p.shared {
			cycles = 5
		}
		if os.Getenv("ADMITTO_TEST_FAULTS") == "full" {
			cycles = 40
		}
		mails := startMailServer(t)
		p.flags = append(p.flags, "--mail.smtp="+mails.url, "--mail.sync-timeout=1s", "--quota.per-minute=0",
			"--quota.per-hour=0")
		key := p.firstKey("--name=CRM")
		people := &crowd{told: map[string]string{}, tried: map[string]bool{}}
		orphans := int64(0)
		for cycle := range cycles {
			step := append(smtpSteps, "")[(cycle+int(seed%5))%5]
			s := p.serve()
			s.key = key
			mails.stop(step)
			killed := make(chan struct{})
			var clients sync.WaitGroup
			for i := range 4 {
				own := rand.New(rand.NewPCG(seed, uint64(1000*cycle+i)))
				clients.Go(func() { people.create(s, own, killed) })
			}
			// At a step of the mail server that is reached, or at some creation.
			most := people.creations() + random.IntN(60)
			wait.Ever(func() bool { return people.creations() > most }, mails.reached)
			_ = s.cmd.Process.Kill()
			close(killed)
			if s.end() != -1 {
				t.Fatalf("the service ended by itself: %s", s.stderr)
			}
			clients.Wait()
			mails.stop("")
			orphans += p.number("SELECT count(*) FROM outbox")
		}
		t.Logf("%d addresses, %d told, %d creations were cut off", len(people.tried), len(people.told), orphans)
		if p.shared { // nobody can tell these leases from those of a living instance
			wait.Until(t, "the leases of the dead run out", func() bool {
				return p.number("SELECT count(*) FROM outbox WHERE lease_until > $1", time.Now().UnixMicro()) == 0
			})
		}
		s := p.serve()
		s.key = key
		wait.Until(t, "all creations are decided", func() bool { return p.number("SELECT count(*) FROM outbox") == 0 })
		p.checkCrowd(s, people, mails)
		// Clients send again what they do not know the outcome of.
		for address := range people.tried {
			a, err := s.do("POST", "/api/v10/applicants", person(address))
			if err != nil || a.status != 201 && a.status != 409 || a.status == 201 && people.told[address] != "" {
				t.Fatalf("%s again: %+v, %v", address, a, err)
			}
			people.created(address, a.header.Get("Location"))
		}
		p.checkCrowd(s, people, mails)
		s.terminate()
		p.look(func(tx *store.Tx) error { return tx.VerifyCounters() })
		p.must("journal", "verify")
		if n := p.number("SELECT count(*) FROM applicant WHERE state <> 'live'"); n != 0 {
			t.Errorf("%d applicants are neither there nor gone", n)
		}
		apptest.CountKills(t, cycles)
	})
}

func person(address string) url.Values {
	return url.Values{"email": {address}, "name": {"Ilse Varga"}, "notes": {"Called"}}
}

// create creates people until the service is killed.
func (c *crowd) create(s *service, random *rand.Rand, killed <-chan struct{}) {
	for {
		select {
		case <-killed:
			return
		default:
		}
		address := c.address(random)
		a, err := s.do("POST", "/api/v10/applicants", person(address))
		switch {
		case err != nil: // most often the kill; the outcome is unknown
		case a.status == 201, a.status == 409:
			c.created(address, a.header.Get("Location"))
		case a.status != 502 && a.status != 503:
			s.t.Errorf("%s: %+v", address, a)
		}
	}
}

// checkCrowd compares what clients know, what is there, and what was mailed.
func (p *place) checkCrowd(s *service, people *crowd, mails *mailer) {
	p.t.Helper()
	people.mu.Lock()
	defer people.mu.Unlock()
	for address := range people.tried {
		a := s.want(200, "GET", "/api/v10/applicants?byEmails="+address, nil)
		there, sent := a.header.Get("X-Count"), len(mails.to(address))
		switch {
		case there != "0" && there != "1":
			p.t.Errorf("%s exists %s times", address, there)
		case there == "1" && sent == 0:
			p.t.Errorf("%s exists and was not told", address)
		}
		if location := people.told[address]; location != "" {
			one := s.want(200, "GET", location, nil)
			if there != "1" || !strings.Contains(one.body, address) {
				p.t.Errorf("%s was told as %s, which is %s", address, location, one.body)
			}
		}
	}
	all := s.want(200, "GET", "/api/v10/applicants?limit=1", nil).header.Get("X-Count")
	if n := p.number("SELECT count(*) FROM applicant WHERE visible"); strconv.FormatInt(n, 10) != all {
		p.t.Errorf("%d are there, %s are counted", n, all)
	}
	var links int64
	p.look(func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query("SELECT count(*) FROM applicant a WHERE NOT EXISTS (SELECT 1 FROM email e WHERE e.applicant_id = a.id) OR NOT EXISTS (SELECT 1 FROM sign_in_token s WHERE s.applicant_id = a.id)")
		if rows.Next() {
			links = rows.Int64(0)
		}
		return rows.Close()
	})
	if links != 0 {
		p.t.Errorf("%d applicants are without a link or a stored mail", links)
	}
}
