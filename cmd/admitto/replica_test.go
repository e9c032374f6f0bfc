package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/wait"
)

// Two services share a database and read reports from its replica: a key finds what it made on the other service, while
// a replica that hangs behind answers those who made nothing.
func TestReplica(t *testing.T) {
	if !apptest.Long() {
		return // its servers cost more than all it asks of them
	}
	primary := dbtest.NewServer(t, "fsync=off", "wal_level=replica", "max_wal_senders=4")
	replica := primary.Replica()
	p := newPlace(t)
	p.database, p.shared = primary.URL, true
	p.flags = append(p.flags, "--database.url="+primary.URL, "--database.replica="+replica.URL)
	writer, reader := p.firstKey("--name=Writer"), p.must("keys", "create", "--name=Reader")
	services := []*service{p.serve("--quota.per-minute=0"), p.serve("--quota.per-minute=0")}

	// registered counts the persons in the report that a key gets.
	registered := func(s *service, key string) (n int) {
		t.Helper()
		s.key = key
		return strings.Count(s.want(200, "GET", "/api/v10/reports/ReportTrackersApplicantDetails", nil).body, "@example.org")
	}
	made := 0
	create := func(s *service) {
		t.Helper()
		made++
		s.key = writer
		s.want(201, "POST", "/api/v10/applicants", url.Values{"email": {fmt.Sprintf("person%d@example.org", made)},
			"name": {fmt.Sprintf("Person %d", made)}, "tracker_ID": {"1"}})
	}
	services[0].key = writer
	services[0].want(201, "POST", "/api/v10/applicants/trackers", url.Values{"code": {"FAIR"}})
	for i := range 20 {
		create(services[i%2])
		if n := registered(services[(i+1)%2], writer); n != made {
			t.Fatalf("the report has %d persons of %d", n, made)
		}
	}
	wait.Until(t, "the replica has all", func() bool { return registered(services[0], reader) == made })

	query(t, replica, "SELECT pg_wal_replay_pause()")
	before := made
	create(services[0])
	if n := registered(services[1], writer); n != made {
		t.Errorf("behind: who made %d persons finds %d", made, n)
	}
	if n := registered(services[1], reader); n != before {
		t.Errorf("behind: somebody else finds %d persons, not the %d that the replica has", n, before)
	}
	replica.Kill()
	for _, s := range services {
		if n := registered(s, reader); n != made {
			t.Errorf("without the replica: %d persons of %d", n, made)
		}
	}
	for _, s := range services {
		s.terminate()
		if !strings.Contains(s.stderr.String(), "not from the replica") || strings.Contains(s.stderr.String(), `"status":5`) {
			t.Errorf("it logs %s", s.stderr)
		}
	}
}

// query runs a query on a server for its effect.
func query(t *testing.T, s *dbtest.Server, sql string) {
	t.Helper()
	d, err := db.Open(t.Context(), s.URL, db.Options{Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Read(context.Background(), func(tx *db.Tx) error {
		rows := tx.Query(sql)
		for rows.Next() {
		}
		return rows.Close()
	}); err != nil {
		t.Fatal(err)
	}
}
