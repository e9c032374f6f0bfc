package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
)

// env is an open, empty database of a case.
type env struct {
	*db.DB
	ctx  context.Context
	url  string
	opts db.Options
}

// TestLayer runs every case on both engines, each on a database of its own.
func TestLayer(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *env)
	}{
		{"parameters", testParameters},
		{"values", testValues},
		{"columns by other types", testOtherTypes},
		{"strings stay", testArena},
		{"dates", testDates},
		{"named types", testNamedTypes},
		{"refused arguments", testRefusedArguments},
		{"lists", testLists},
		{"constraints", testConstraints},
		{"no values in errors", testNoValuesInErrors},
		{"returning", testReturning},
		{"affected", testAffected},
		{"bulk", testBulk},
		{"bulk of much", testBulkOfMuch},
		{"queue", testQueue},
		{"queue that fails", testQueueFails},
		{"errand", testErrand},
		{"hasty", testHasty},
		{"brief", testBrief},
		{"hasty and hanging", testHastyHangs},
		{"script", testScript},
		{"nested rows", testNestedRows},
		{"statements", testStatements},
		{"many texts", testManyTexts},
		{"now", testNow},
		{"rollback", testRollback},
		{"panic", testPanic},
		{"failed statement ends it", testFailedStatement},
		{"after the end", testAfterEnd},
		{"snapshot", testSnapshot},
		{"read only", testReadOnly},
		{"retry", testRetry},
		{"again", testAgain},
		{"conflict between two", testConflict},
		{"parallel writers", testParallelWriters},
		{"cancel a statement", testCancelStatement},
		{"cancel before commit", testCancelBeforeCommit},
		{"cancel the wait", testCancelWait},
		{"one that stands still", testStandsStill},
		{"closed", testClosed},
		{"group is seen whole", testGroupIsSeenWhole},
		{"group goes on", testGroupGoesOn},
		{"group loses nobody", testGroupLosesNobody},
		{"group without a slow one", testGroupWithoutSlow},
		{"group without slow rows", testGroupWithoutSlowRows},
		{"group and a panic", testGroupPanics},
		{"group of many", testGroupOfMany},
		{"group is closed", testGroupIsClosed},
	} {
		t.Run(c.name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, url string, opts db.Options) {
				c.test(t, open(t, url, opts))
			})
		})
	}
}

func open(t *testing.T, url string, opts db.Options) *env {
	t.Helper()
	ctx := t.Context()
	d, err := db.Open(ctx, url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return &env{d, ctx, url, opts}
}

// script and write run on the spot; they stop the test when they fail.
func (e *env) script(t *testing.T, sql string) {
	t.Helper()
	e.write(t, func(tx *db.Tx) error { return tx.Script(sql) })
}

func (e *env) write(t *testing.T, fn func(*db.Tx) error) {
	t.Helper()
	if err := e.Write(e.ctx, fn); err != nil {
		t.Fatal(err)
	}
}

func (e *env) read(t *testing.T, fn func(*db.Tx) error) {
	t.Helper()
	if err := e.Read(e.ctx, fn); err != nil {
		t.Fatal(err)
	}
}

func (e *env) count(t *testing.T, table string) (n int64) {
	t.Helper()
	e.read(t, func(tx *db.Tx) (err error) {
		n, err = number(tx, "SELECT count(*) FROM "+table)
		return err
	})
	return n
}

// number reads the first column of the first row.
func number(tx *db.Tx, sql string, args ...any) (n int64, err error) {
	rows := tx.Query(sql, args...)
	if rows.Next() {
		n = rows.Int64(0)
	}
	return n, rows.Close()
}

func texts(tx *db.Tx, sql string, args ...any) (list []string, err error) {
	rows := tx.Query(sql, args...)
	for rows.Next() {
		list = append(list, rows.Text(0))
	}
	return list, rows.Close()
}

// pick returns the text for the engine.
func (e *env) pick(sqlite, postgres string) string {
	if e.Engine() == db.SQLite {
		return sqlite
	}
	return postgres
}

func wantUnavailable(t *testing.T, err error) {
	t.Helper()
	var refusal *admitto.Error
	if !errors.As(err, &refusal) || refusal.Kind != admitto.Unavailable || refusal.RetryAfter != 5 {
		t.Errorf("got %v, want kind unavailable", err)
	}
}
