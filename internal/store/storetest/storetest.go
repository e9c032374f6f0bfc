// Package storetest is the conformance suite of package store: whatever holds for one engine holds for the
// other. Only tests import it.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// env is the store of one sub-test.
type env struct {
	*store.Store
	ctx  context.Context
	open Opener
	size Size
}

// Size is how much the larger tests do.
type Size struct {
	Rows  int // plans are asked for with so many rows in the tables that grow
	Steps int // of each writer where many write
}

// Opener opens the database of the sub-test t, the same one when it asks again. Stores are closed when t ends; closing
// one before is allowed.
type Opener func(t *testing.T) *store.Store

// Run runs the suite: the tests of migrations on databases without tables, the others on migrated ones.
func Run(t *testing.T, empty, migrated Opener, size Size) {
	type test struct {
		name string
		test func(*testing.T, *env)
	}
	run := func(open Opener, tests []test) {
		for _, c := range tests {
			t.Run(c.name, func(t *testing.T) { c.test(t, &env{open(t), t.Context(), open, size}) })
		}
	}
	run(empty, []test{
		{"migrations", testMigrations},
		{"migrate concurrently", testMigrateConcurrently},
		{"foreign schema", testForeignSchema},
		{"newer schema", testNewerSchema},
	})
	run(migrated, []test{
		{"applicant", testApplicant},
		{"pending applicant", testPendingApplicant},
		{"uniqueness", testUniqueness},
		{"renumbering", testRenumbering},
		{"IDs are not used again", testNoReuse},
		{"skip IDs", testSkipIDs},
		{"trackers", testTrackers},
		{"notes", testNotes},
		{"lists of applicants", testLists},
		{"statements of a list", testStatements},
		{"counts under concurrency", testCountersConcurrently},
		{"broken counts", testBrokenCounters},
		{"counts under concurrency", testCountsConcurrently},
		{"counts in ranges", testCountsInRanges},
		{"journal", testJournal},
		{"journal under concurrency", testJournalConcurrently},
		{"events that wait", testWaiting},
		{"events that the dead have left", testLeftByTheDead},
		{"erased while events wait", testErasedWhileWaiting},
		{"journal takes inserts only", testInsertsOnly},
		{"broken journal", testBrokenJournal},
		{"lists of records", testRecords},
		{"keys", testKeys},
		{"quota", testQuota},
		{"idempotency", testIdempotency},
		{"outbox", testOutbox},
		{"kinds of mail", testMailKinds},
		{"outbox keeps the order of recipients", testRecipients},
		{"outbox skips locked rows", testSkipLocked},
		{"e-mails and templates", testEmails},
		{"instance", testInstance},
		{"instance key", testInstanceKey},
		{"bulk", testBulk},
		{"free the outbox", testFreeOutbox},
		{"plans", testPlans},
		{"tables of a backup", testArchiveTables},
		{"rows of a backup", testArchiveRows},
		{"hold still", testHoldStill},
	})
}

// Open opens a database for a test and closes it at its end.
func Open(t *testing.T, url string, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// migrate makes the tables.
func (e *env) migrate(t *testing.T) {
	t.Helper()
	if _, err := e.Migrate(e.ctx, false); err != nil {
		t.Fatal(err)
	}
}

// write and read run on the spot; they stop the test when they fail.
func (e *env) write(t *testing.T, fn func(*store.Tx) error) {
	t.Helper()
	if err := e.Write(e.ctx, fn); err != nil {
		t.Fatal(err)
	}
}

func (e *env) read(t *testing.T, fn func(*store.Tx) error) {
	t.Helper()
	if err := e.Read(e.ctx, fn); err != nil {
		t.Fatal(err)
	}
}

var errRollback = errors.New("roll back")

// trial runs fn in a transaction that is rolled back.
func (e *env) trial(t *testing.T, fn func(*store.Tx) error) {
	t.Helper()
	err := e.Write(e.ctx, func(tx *store.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errRollback
	})
	if !errors.Is(err, errRollback) {
		t.Fatal(err)
	}
}

// verifyCounters recounts.
func (e *env) verifyCounters(t *testing.T) {
	t.Helper()
	e.read(t, (*store.Tx).VerifyCounters)
}

// together runs fn n times at once; the first error ends the test.
func together(t *testing.T, n int, fn func(i int) error) {
	t.Helper()
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = fn(i) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// number reads the first column of the first row.
func number(tx *store.Tx, sql string, args ...any) (n int64, err error) {
	rows := sqltest.In(tx).Query(sql, args...)
	if rows.Next() {
		n = rows.Int64(0)
	}
	return n, rows.Close()
}

func wantKind(t *testing.T, err error, kind admitto.Kind) {
	t.Helper()
	if admitto.KindOf(err) != kind {
		t.Errorf("got error %v, want kind %s", err, kind)
	}
}

// pick returns the text for the engine.
func (e *env) pick(sqlite, postgres string) string {
	if e.Shared() {
		return postgres
	}
	return sqlite
}

const epoch = 1_780_000_000 * admitto.Second // 2026-05-28

// person makes an applicant that differs from all others by its number.
func person(n int) (a *admitto.Applicant, emailKey string) {
	emailKey = fmt.Sprintf("p%d@example.org", n)
	return &admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantLive, Lead: true,
		Registered: epoch + admitto.Time(n)*admitto.Hour,
		Name: admitto.Name{Given: "Ada", Family: fmt.Sprint("Number ",
			n)}, Email: emailKey, Citizenship: "EE"}, emailKey
}

// insert stores applicant number n in the state and returns the ID.
func insert(tx *store.Tx, n int, state admitto.ApplicantState) (int64, error) {
	a, key := person(n)
	a.State = state
	return tx.InsertApplicant(a, key)
}

// insert does so in a transaction of its own.
func (e *env) insert(t *testing.T, n int, state admitto.ApplicantState) (id int64) {
	t.Helper()
	e.write(t, func(tx *store.Tx) (err error) {
		id, err = insert(tx, n, state)
		return err
	})
	return id
}

// tracker makes a tracker and returns its ID.
func (e *env) tracker(t *testing.T, code string) (id int64) {
	t.Helper()
	e.write(t, func(tx *store.Tx) (err error) {
		id, _, err = tx.InsertTracker(&admitto.Tracker{Created: tx.Now(), Code: code})
		return err
	})
	return id
}

// fails reports whether fn fails in a transaction with an error that matches.
func (e *env) fails(t *testing.T, want error, fn func(*store.Tx) error) {
	t.Helper()
	if err := e.Write(e.ctx, fn); !errors.Is(err, want) {
		t.Errorf("got error %v, want %v", err, want)
	}
}
