package faults_test

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/wait"
)

// report is read from the replica, and notReplica is what the log says when it is not.
const (
	report     = "/api/v10/reports/ReportTrackersApplicantDetails"
	notReplica = "not from the replica"
)

// oneOf is the URL of whichever of the servers may be written to, which are asked in their order.
func oneOf(t *testing.T, servers ...*dbtest.Server) string {
	t.Helper()
	var hosts []string
	var u *url.URL
	for _, s := range servers {
		var err error
		if u, err = url.Parse(s.URL); err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, u.Host)
	}
	u.Host = strings.Join(hosts, ",")
	q := u.Query()
	q.Set("target_session_attrs", "read-write")
	u.RawQuery = q.Encode()
	return u.String()
}

// readers read lists and a report until stop is closed.
func (w *writers) readers(s *service, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		w.call(s, 200, "GET", "/api/v10/applicants?limit=100", "", "")
		w.call(s, 200, "GET", report, "", "")
	}
}

// The primary is killed under load, with all its processes, and its synchronous replica is promoted. Two instances
// whose URL names both servers, each in another order, go on by themselves: meanwhile they answer 503 with Retry-After,
// nothing that was acknowledged is lost or doubled, and quotas, which a replica does not have, begin again.
func TestFailover(t *testing.T) {
	t.Parallel()
	primary := dbtest.NewServer(t, "wal_level=replica", "max_wal_senders=4", "synchronous_standby_names=*")
	// The replica has none behind it: it must not wait for one when it is promoted.
	replica := primary.Replica("synchronous_standby_names=", "log_statement=all")
	p := onSQLite(t)
	p.database = oneOf(t, primary, replica)
	mails := startMailServer(t)
	p.flags = append(p.flags, "--database.replica="+replica.URL, "--mail.smtp="+mails.url, "--mail.sync-timeout=2s",
		"--quota.per-minute=0", "--quota.per-hour=100000", "--database.url="+p.database)
	p.database += "&connect_timeout=20" // what the test looks at the database with may wait longer than the service
	key, _ := p.key()
	other := p.another()
	other.flags[len(other.flags)-1] = "--database.url=" + oneOf(t, replica, primary)
	sides := []*service{p.serve().as(key), other.serve().as(key)}
	w, stop := newWriters(), make(chan struct{})
	var running sync.WaitGroup
	for i, s := range sides {
		s.client.Timeout = 20 * time.Second // a request that hangs is wrong
		running.Go(func() { w.run(s, fmt.Sprintf("a%d", i), stop) })
		running.Go(func() { w.run(s, fmt.Sprintf("b%d", i), stop) })
		running.Go(func() { w.readers(s, stop) })
	}
	wait.Until(t, "writes pass", func() bool { return w.served.Load() > 200 })
	// Reports come from the replica, and nothing that it cannot tell is asked there.
	asked := replica.Log()
	if !strings.Contains(asked, "FROM journal_head") || strings.Contains(asked, "ERROR") ||
		strings.Contains(asked, "quota") {
		t.Errorf("the replica was asked:\n%s", asked[max(0, len(asked)-3000):])
	}

	before := w.later.Load()
	primary.Kill()
	begun := time.Now()
	wait.Until(t, "both say to come back later", func() bool {
		return !sides[0].ready() && !sides[1].ready() &&
			w.later.Load() > before+10
	})
	for _, s := range sides {
		if a, err := s.get("/api/v10/applicants?limit=1"); err != nil || !a.isLater() {
			t.Errorf("%v, %+v", err, a)
		}
	}
	promote(t, replica)
	promoted := time.Now()
	for _, s := range sides {
		wait.Until(t, "it is ready again", s.ready)
	}
	before = w.served.Load()
	wait.Until(t, "writes pass again", func() bool { return w.served.Load() > before+200 })
	t.Logf("promoted %v after the kill; 200 answers within %v of that; the slowest answer took %v",
		promoted.Sub(begun).Round(time.Millisecond),
		time.Since(promoted).Round(time.Millisecond), time.Duration(w.slowest.Load()).Round(time.Millisecond))
	close(stop)
	running.Wait()

	wait.Until(t, "all creations are decided", func() bool { return p.number("SELECT count(*) FROM outbox") == 0 })
	left := sides[0].left()
	for range 10 {
		sides[1].left()
	}
	if n := sides[0].left(); n != left-11 {
		t.Errorf("%d requests are left of the quota, there were %d before 11 of both instances", n, left)
	}
	w.check(sides[1])
	for _, s := range sides {
		if log := s.Log(); !strings.Contains(log, notReplica) {
			t.Error("nobody was told that reports are not read from the replica any more")
		}
		s.Terminate()
	}
	p.whole()
	t.Logf("%d answers, %d of them 503", w.served.Load()+w.later.Load(), w.later.Load())
}

// left is what the answer to a request says is left of the key's quota of an hour.
func (s *service) left() (n int) {
	s.t.Helper()
	limit := s.want(200)(s.get("/api/v10/ping")).header.Get("RateLimit")
	if _, err := fmt.Sscanf(limit, `"hour";r=%d`, &n); err != nil {
		s.t.Fatalf("RateLimit %q: %v", limit, err)
	}
	return n
}

// promote makes a server of a replica.
func promote(t *testing.T, replica *dbtest.Server) {
	t.Helper()
	s, err := store.Open(t.Context(), replica.URL, store.Options{Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Read(t.Context(), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query("SELECT pg_promote()")
		if !rows.Next() || !rows.Bool(0) {
			t.Error("it was not promoted in time")
		}
		return rows.Close()
	}); err != nil {
		t.Fatal(err)
	}
}
