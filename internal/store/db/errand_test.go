package db_test

import (
	"errors"
	"testing"

	"github.com/admitto/admitto/internal/store/db"
)

// errand remembers what was asked of it.
type errand struct {
	sql         string
	args        []any
	asked, done int
	n           int64
	err         error
}

func (e *errand) Statement() (string, []any) {
	e.asked++
	return e.sql, e.args
}

func (e *errand) Done(n int64, err error) {
	e.done++
	e.n, e.err = n, err
}

// An errand goes once, before what is read, and is stored whatever comes of that.
func testErrand(t *testing.T, e *env) {
	e.script(t, queueSchema)
	stored := func() (n int64) {
		e.read(t, func(tx *db.Tx) (err error) {
			n, err = number(tx, "SELECT count(*) FROM parent")
			return err
		})
		return n
	}
	adding := func(id int) *errand {
		return &errand{sql: insertParent + " ON CONFLICT DO NOTHING RETURNING id + 100", args: []any{id, "of an errand"}}
	}
	if e.Engine() == db.SQLite {
		left := adding(1)
		if err := e.ReadAlong(e.ctx, left, func(tx *db.Tx) error {
			n, err := number(tx, "SELECT count(*) FROM parent")
			if n != 0 {
				t.Errorf("%d are stored", n)
			}
			return err
		}); err != nil || left.asked != 0 || left.done != 0 {
			t.Errorf("%v, %+v", err, left)
		}
		return
	}
	failed := errors.New("of the reader")
	for name, c := range map[string]struct {
		errand *errand
		read   func(tx *db.Tx) error
		want   errand // asked, done, n and whether there is an error
		fails  bool
	}{
		"two statements": {adding(1), func(tx *db.Tx) error {
			for range 2 {
				n, err := number(tx, "SELECT count(*) FROM parent WHERE id = 1")
				if n != 1 || err != nil {
					t.Errorf("what was stored before is not read: %d, %v", n, err)
				}
			}
			return nil
		}, errand{asked: 1, done: 1, n: 101}, false},
		"a time first": {adding(2), func(tx *db.Tx) error { _ = tx.Now(); return nil },
			errand{asked: 1, done: 1, n: 102}, false},
		"a reader that fails": {adding(3), func(tx *db.Tx) error {
			if _, err := number(tx, "SELECT 1"); err != nil {
				t.Error(err)
			}
			return failed
		}, errand{asked: 1, done: 1, n: 103}, true},
		"a first statement that fails": {adding(4), func(tx *db.Tx) error {
			_, err := number(tx, "SELECT 1 / (count(*) - count(*)) FROM parent")
			return err
		}, errand{asked: 1, done: 1, n: 104}, true},
		"no rows": {adding(6), func(tx *db.Tx) error { _, err := number(tx, "SELECT 1"); return err },
			errand{asked: 1, done: 1}, false},
		"no statement": {adding(5), func(*db.Tx) error { return nil }, errand{}, false},
		"no errand any more": {&errand{}, func(tx *db.Tx) error { _, err := number(tx, "SELECT 1"); return err },
			errand{asked: 1}, false},
		"an errand that fails": {&errand{sql: "SELECT 1 / 0"}, func(tx *db.Tx) error {
			_, err := number(tx, "SELECT 1")
			return err
		}, errand{asked: 1, done: 1, err: failed}, true},
		"an argument that nobody can bind": {&errand{sql: "SELECT $1::bigint", args: []any{struct{}{}}},
			func(tx *db.Tx) error { _, err := number(tx, "SELECT 1"); return err },
			errand{asked: 1, done: 1, err: failed}, true},
	} {
		if name == "no rows" {
			e.write(t, func(tx *db.Tx) error {
				_, err := tx.Exec(insertParent+" ON CONFLICT DO NOTHING", 6, "is there")
				return err
			})
		}
		err := e.ReadAlong(e.ctx, c.errand, c.read)
		if (err != nil) != c.fails {
			t.Errorf("%s: %v", name, err)
		}
		got := *c.errand
		if got.asked != c.want.asked || got.done != c.want.done || got.n != c.want.n ||
			(got.err != nil) != (c.want.err != nil) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if n := stored(); n != 5 {
		t.Errorf("%d are stored", n)
	}
}
