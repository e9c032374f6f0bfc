package store_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/wait"
)

// following is a database with a streaming replica: two real servers.
type following struct {
	t                *testing.T
	primary, replica *dbtest.Server
	url              string // of the replica, as the store under test knows it
	store            *store.Store
	later            atomic.Int64 // how much the clock of the store is ahead
	mu               sync.Mutex
	notes            []string
}

// writer and other are two keys.
const writer, other key = 7, 8

type key int64

func (k key) actor() admitto.Actor { return admitto.Actor{Kind: admitto.ByKey, ID: int64(k)} }

const lag = 30 * time.Second

func newFollowing(t *testing.T) *following {
	f := &following{t: t, primary: dbtest.NewServer(t, "fsync=off", "wal_level=replica", "max_wal_senders=4",
		"hot_standby=on")}
	f.replica = f.primary.Replica()
	f.url = f.replica.URL
	f.open()
	f.migrate(f.store)
	return f
}

// open opens the store, with the clock of the test.
func (f *following) open() {
	clock := func() admitto.Time { return admitto.TimeOf(time.Now().Add(time.Duration(f.later.Load()))) }
	f.store = storetest.Open(f.t, f.primary.URL, store.Options{Clock: clock})
	if err := f.store.UseReplica(f.t.Context(), store.Replica{URL: f.url, Lag: lag, Rest: time.Nanosecond, Note: f.note},
		store.Options{}); err != nil {
		f.t.Fatal(err)
	}
}

func (f *following) migrate(s *store.Store) {
	f.t.Helper()
	if _, err := s.Migrate(f.t.Context(), false); err != nil {
		f.t.Fatal(err)
	}
}

func (f *following) note(reason string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notes = append(f.notes, reason)
}

// noted reports whether the operator was told so.
func (f *following) noted(reason string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Contains(f.notes, reason)
}

// change commits one change of the key and returns its ID in the journal.
func (f *following) change(s *store.Store, who key) (id int64) {
	f.t.Helper()
	err := s.Write(f.t.Context(), func(tx *store.Tx) error {
		tx.Record(who.actor(), admitto.Event{Pattern: admitto.TrackerCreated})
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	err = s.Read(f.t.Context(), func(tx *store.Tx) (err error) { id, _, err = tx.JournalHead(); return err })
	if err != nil {
		f.t.Fatal(err)
	}
	return id
}

// read tells what the key sees, and whether the replica told it.
func (f *following) read(who key) (id int64, replicated bool) {
	f.t.Helper()
	r := f.store.Reader(who.actor())
	if err := r.Read(f.t.Context(), func(tx *store.Tx) (err error) {
		id, _,
			err = tx.JournalHead()
		return err
	}); err != nil {
		f.t.Fatal(err)
	}
	return id, r.Replicated()
}

// want fails the test unless the key sees this from there.
func (f *following) want(what string, who key, id int64, replicated bool) {
	f.t.Helper()
	if got, from := f.read(who); got != id || from != replicated {
		f.t.Errorf("%s: key %d sees record %d (replica: %t), want %d (%t)", what, who, got, from, id, replicated)
	}
}

// arrived waits until the replica has the record.
func (f *following) arrived(id int64) {
	f.t.Helper()
	s := storetest.Open(f.t, f.replica.URL, store.Options{})
	wait.Until(f.t, "the replica has the record", func() bool {
		var got int64
		err := s.Read(f.t.Context(), func(tx *store.Tx) (err error) { got, _, err = tx.JournalHead(); return err })
		return err == nil && got >= id
	})
}

// sql runs a query on a server for its effect.
func (f *following) sql(s *dbtest.Server, query string) {
	f.t.Helper()
	database := storetest.Open(f.t, s.URL, store.Options{Readers: 1})
	if err := database.Read(f.t.Context(), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query(query)
		for rows.Next() {
		}
		return rows.Close()
	}); err != nil {
		f.t.Fatal(err)
	}
}

// Whatever the replica is doing, a key sees its own changes, and nobody sees what is older than the lag.
func TestReplica(t *testing.T) {
	if !apptest.Long() {
		return // its servers cost more than all it asks of them
	}
	t.Parallel()
	f := newFollowing(t)
	// A second instance of the service on the same database.
	second := storetest.Open(t, f.primary.URL, store.Options{})

	var last int64
	for i := range 100 { // as fast as they come: the replica is behind now and then
		s := f.store
		if i%2 == 1 {
			s = second
		}
		last = f.change(s, writer)
		if got, _ := f.read(writer); got < last {
			t.Fatalf("key %d sees record %d after it made %d", writer, got, last)
		}
	}
	f.arrived(last)
	f.want("has all", writer, last, true)
	f.want("has all", other, last, true)

	f.sql(f.replica, "SELECT pg_wal_replay_pause()")
	wait.Until(f.t, "it is paused", func() bool { // it ends what it is at
		f.arrived(last)
		return true
	})
	now := f.change(second, writer)
	f.want("paused", writer, now, false)
	f.want("paused", other, last, true)
	f.later.Store(int64(lag + time.Second))
	f.want("paused for longer than the lag", other, now, false)
	if !f.noted("it is more than 30s behind") {
		t.Errorf("told %q", f.notes)
	}
	f.later.Store(0)
	f.want("within the lag again", other, last, true)
	f.sql(f.replica, "SELECT pg_wal_replay_resume()")
	f.arrived(now)
	f.want("resumed", writer, now, true)

	f.replica.Kill()
	f.want("killed", other, now, false)
	f.want("killed", writer, now, false)
	if !f.noted("it cannot be reached") {
		t.Errorf("told %q", f.notes)
	}
	now = f.change(f.store, other)
	f.replica.Start()
	f.arrived(now)
	wait.Until(f.t, "it is used again", func() bool { _, from := f.read(other); return from })
	f.want("started again", other, now, true)

	f.sql(f.replica, "SELECT pg_promote()")
	f.want("promoted", other, now, false)
	if !f.noted("it is no replica (any more): it is not in recovery") {
		t.Errorf("told %q", f.notes)
	}
}

// What a reader was reading from the replica when that failed it reads from the database, and stays there.
func TestReplicaFailsOnTheWay(t *testing.T) {
	if !apptest.Long() {
		return // its servers cost more than all it asks of them
	}
	t.Parallel()
	f := newFollowing(t)
	last := f.change(f.store, writer)
	f.arrived(last)
	failure := errors.New("something")
	r := f.store.Reader(other.actor())
	runs := 0
	read := func(tx *store.Tx) error {
		if runs++; runs == 1 {
			return failure
		}
		_, _, err := tx.JournalHead()
		return err
	}
	if err := r.Read(t.Context(), read); err != nil || runs != 2 || r.Replicated() {
		t.Errorf("%v after %d runs, replica: %t", err, runs, r.Replicated())
	}
	if err := r.Read(t.Context(), read); err != nil || runs != 3 || r.Replicated() {
		t.Errorf("%v after %d runs, replica: %t", err, runs, r.Replicated())
	}
	// A table that the replica does not have, as after a migration that has not arrived.
	f.sql(f.replica, "SELECT pg_wal_replay_pause()")
	script(t, f.store, "CREATE TABLE fresh (id bigint)")
	r = f.store.Reader(other.actor())
	err := r.Read(t.Context(), func(tx *store.Tx) error { return sqltest.In(tx).Query("SELECT id FROM fresh").Close() })
	if err != nil || r.Replicated() {
		t.Errorf("%v, replica: %t", err, r.Replicated())
	}
	// Who has gone is not read for a second time.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.store.Reader(other.actor()).Read(ctx, read); !errors.Is(err, context.Canceled) || runs != 3 {
		t.Errorf("%v after %d runs", err, runs)
	}
}

// A synchronous replica shows a change before the database does, which waits for the replica, and here for a second one
// that does not exist. It is read all the same.
func TestReplicaAhead(t *testing.T) {
	if !apptest.Long() {
		return // its servers cost more than all it asks of them
	}
	t.Parallel()
	f := &following{t: t, primary: dbtest.NewServer(t, "fsync=off", "wal_level=replica", "max_wal_senders=4",
		"synchronous_standby_names=FIRST 2 (*)")}
	f.replica = f.primary.Replica("synchronous_standby_names=")
	waiting := f.primary.URL
	f.primary.URL += "&synchronous_commit=local"
	f.url = f.replica.URL
	f.open()
	f.migrate(f.store)
	last := f.change(f.store, writer)
	f.arrived(last)
	f.want("has all", other, last, true)

	s := storetest.Open(t, waiting, store.Options{})
	done := make(chan error)
	go func() {
		done <- s.Write(t.Context(), func(tx *store.Tx) error {
			tx.Record(writer.actor(), admitto.Event{Pattern: admitto.TrackerCreated})
			return nil
		})
	}()
	f.arrived(last + 1)
	f.want("ahead", other, last+1, true)
	f.want("ahead", writer, last+1, true)
	if len(f.notes) > 0 {
		t.Errorf("told %q", f.notes)
	}
	if err := <-done; admitto.KindOf(err) != admitto.Unavailable { // as nobody can tell whether it happened
		t.Error(err)
	}
}

// A replica of another database is told by its journal. In the long size only.
func TestReplicaOfAnother(t *testing.T) {
	if !apptest.Long() {
		return // its servers cost more than all it asks of them
	}
	t.Parallel()
	f := newFollowing(t)
	last := f.change(f.store, writer)
	f.arrived(last)
	stranger := dbtest.NewServer(t, "fsync=off", "wal_level=replica", "max_wal_senders=4")
	strange := storetest.Open(t, stranger.URL, store.Options{})
	f.migrate(strange)
	f.change(strange, writer)
	mirror := stranger.Replica()
	f.url = mirror.URL
	f.open()
	f.want("of another database", other, last, false)
	if !f.noted("its journal is not that of the database") {
		t.Errorf("told %q", f.notes)
	}
}

func TestReplicaOfSQLite(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, "sqlite:"+t.TempDir()+"/x.db", store.Options{})
	if err := s.UseReplica(t.Context(), store.Replica{URL: "postgres://h/d"}, store.Options{}); err == nil {
		t.Error("SQLite took a replica")
	}
}

func script(t *testing.T, s *store.Store, sql string) {
	t.Helper()
	if err := s.Write(t.Context(), func(tx *store.Tx) error { return sqltest.In(tx).Script(sql) }); err != nil {
		t.Fatal(err)
	}
}
