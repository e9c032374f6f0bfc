package db_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/store/db"
)

const (
	queueSchema  = "CREATE TABLE parent (id bigint PRIMARY KEY, name text NOT NULL)"
	insertParent = "INSERT INTO parent VALUES ($1, $2)"
)

// Whatever comes after a statement that waits finds it done, the commit too.
func testQueue(t *testing.T, e *env) {
	e.script(t, queueSchema)
	const many = 2500 // are more than are kept waiting
	next := 100
	add := func(tx *db.Tx) {
		t.Helper()
		next++
		if err := tx.Queue(insertParent, next, "waits"); err != nil {
			t.Error(err)
		}
	}
	before := e.Statements()
	e.write(t, func(tx *db.Tx) error {
		for range many {
			add(tx)
		}
		if n, err := number(tx, "SELECT count(*) FROM parent WHERE name = $1", "waits"); n != many || err != nil {
			t.Errorf("a query finds %d, %v", n, err)
		}
		add(tx)
		rows := tx.Query("SELECT id FROM parent WHERE name = 'waits' ORDER BY id DESC")
		if !rows.Next() || rows.Int64(0) != int64(next) {
			t.Error("rows begin with another: ", rows.Err())
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
		add(tx)
		if n, err := tx.Exec("UPDATE parent SET name = 'done' WHERE name = 'waits'"); n != many+2 || err != nil {
			t.Errorf("%d updated, %v", n, err)
		}
		add(tx)
		if err := tx.Bulk(insertParent, func(yield func([]any) bool) { yield([]any{1, "bulk"}) }); err != nil {
			t.Error(err)
		}
		add(tx)
		if err := tx.Script("UPDATE parent SET name = 'done' WHERE name <> 'done'"); err != nil {
			t.Error(err)
		}
		add(tx)
		return nil
	})
	e.read(t, func(tx *db.Tx) error {
		list, err := texts(tx, "SELECT name || count(*) FROM parent WHERE id = 1 OR id > 100 GROUP BY name ORDER BY name")
		if got := strings.Join(list, " "); got != fmt.Sprintf("done%d waits1", many+5) {
			t.Error(got)
		}
		return err
	})
	if n := e.Statements() - before; n != many+11 {
		t.Errorf("%d statements were counted", n)
	}
	mine := errors.New("mine")
	if err := e.Write(e.ctx, func(tx *db.Tx) error { add(tx); return mine }); err != mine {
		t.Error(err)
	}
	if n := e.count(t, "parent WHERE name = 'waits'"); n != 1 {
		t.Errorf("%d after a rollback", n)
	}
}

// A statement that fails while it waits fails what comes after it, with its own kind of error and without its values.
func testQueueFails(t *testing.T, e *env) {
	e.script(t, queueSchema)
	for name, then := range map[string]func(*db.Tx) error{
		"commit": func(*db.Tx) error { return nil },
		"exec":   func(tx *db.Tx) error { _, err := tx.Exec("UPDATE parent SET name = 'x'"); return err },
		"query":  func(tx *db.Tx) error { _, err := number(tx, "SELECT count(*) FROM parent"); return err },
		"script": func(tx *db.Tx) error { return tx.Script("UPDATE parent SET name = 'x'") },
		"ignored": func(tx *db.Tx) error {
			_, _ = tx.Exec("UPDATE parent SET name = 'x'")
			return nil
		},
	} {
		for range 15 { // more often than there are connections
			err := e.Write(e.ctx, func(tx *db.Tx) error {
				for range 2 {
					if err := tx.Queue(insertParent, 7, "a secret"); err != nil {
						return err
					}
				}
				return then(tx)
			})
			if !errors.Is(err, db.ErrUnique) || !strings.Contains(err.Error(), "INSERT INTO parent") ||
				strings.Contains(err.Error(), "secret") {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	err := e.Write(e.ctx, func(tx *db.Tx) error {
		return tx.Queue("UPDATE parent SET id = $1 WHERE name = 'x'",
			"a secret")
	})
	if err != nil && strings.Contains(err.Error(), "secret") { // SQLite has no type to mind
		t.Error(err)
	}
	if err := e.Write(e.ctx, func(tx *db.Tx) error { return tx.Queue(insertParent, 7, struct{}{}) }); err == nil {
		t.Error("a struct is stored")
	}
	e.write(t, func(tx *db.Tx) error { return tx.Queue(insertParent, 7, "fits") })
	if n := e.count(t, "parent WHERE name = 'x' OR id = 7"); n != 1 {
		t.Errorf("%d rows", n)
	}
}

// A hasty transaction is as whole as another, but PostgreSQL does not wait for its disk.
func testHasty(t *testing.T, e *env) {
	e.script(t, counterSchema)
	settings := func(tx *db.Tx) string {
		list, err := texts(tx, e.pick("SELECT 'off'", "SHOW synchronous_commit"))
		if len(list) != 1 || err != nil {
			t.Error(list, err)
		}
		return strings.Join(list, "")
	}
	if e.Engine() == db.PostgreSQL { // the server of tests may be set to off
		parts := "?"
		if strings.Contains(e.url, "?") {
			parts = "&"
		}
		e = open(t, e.url+parts+"synchronous_commit=on", e.opts)
	}
	if err := e.WriteHastily(e.ctx, func(tx *db.Tx) error {
		if now := tx.Now(); time.Since(now.Std()).Abs() > time.Minute {
			t.Errorf("now is %v", now)
		}
		if value := settings(tx); value != "off" {
			t.Errorf("synchronous_commit is %s", value)
		}
		return add(tx, 1)
	}); err != nil {
		t.Error(err)
	}
	if err := e.WriteHastily(e.ctx,
		func(tx *db.Tx) error { return tx.Queue("UPDATE counter SET n = n + 1 WHERE id = 1") }); err != nil {
		t.Error(err)
	}
	mine := errors.New("mine")
	if err := e.WriteHastily(e.ctx, func(tx *db.Tx) error { return errors.Join(add(tx, 1), mine) }); !errors.Is(err,
		mine) {
		t.Error(err)
	}
	if err := e.WriteHastily(e.ctx, func(*db.Tx) error { return nil }); err != nil {
		t.Error(err)
	}
	if n := e.counter(t, 1); n != 2 {
		t.Errorf("counter is %d", n)
	}
	if e.Engine() == db.PostgreSQL {
		e.write(t, func(tx *db.Tx) error { // on whatever connection
			if value := settings(tx); value != "on" {
				t.Errorf("synchronous_commit stays %s", value)
			}
			return nil
		})
	}
}

// A brief one is a whole transaction of one statement.
func testBrief(t *testing.T, e *env) {
	e.script(t, counterSchema)
	e.write(t, func(tx *db.Tx) error { return add(tx, 1) })
	const up = "UPDATE counter SET n = n + $2 WHERE id = $1 RETURNING n"
	n, before := int64(0), e.Statements()
	read := func(rows *db.Rows) {
		n = 0
		for rows.Next() {
			n += rows.Int64(0)
		}
	}
	if err := e.WriteBriefly(e.ctx, read, up, 1, 4); err != nil || n != 5 || e.counter(t, 1) != 5 {
		t.Errorf("%v, read %d, stored %d", err, n, e.counter(t, 1))
	}
	if n := e.Statements() - before; n != 2 { // one of them looks
		t.Errorf("%d statements", n)
	}
	if err := e.WriteBriefly(e.ctx, read, up, 3, 4); err != nil || n != 0 {
		t.Errorf("%v, read %d", err, n)
	}
	if err := e.WriteBriefly(e.ctx, read, "INSERT INTO counter (id, n) VALUES ($1, 1) RETURNING n", 1); !errors.Is(err,
		db.ErrUnique) {
		t.Errorf("got %v", err)
	}
	if err := e.WriteBriefly(e.ctx, func(*db.Rows) {}, up, 1, 1); err != nil || e.counter(t, 1) != 6 { // nobody reads
		t.Errorf("%v, stored %d", err, e.counter(t, 1))
	}
	gone, leave := context.WithCancel(e.ctx)
	leave()
	if err := e.WriteBriefly(gone, read, up, 1, 1); !errors.Is(err, context.Canceled) || e.counter(t, 1) != 6 {
		t.Errorf("%v, stored %d", err, e.counter(t, 1))
	}
}

// It is given up when it cannot be quick, and nobody else is.
func testHastyHangs(t *testing.T, e *env) {
	e.script(t, counterSchema)
	impatient := open(t, e.url, e.opts)
	impatient.SetHastyWait(100 * time.Millisecond)
	e.write(t, func(tx *db.Tx) error {
		if err := add(tx, 1); err != nil {
			return err
		}
		wantUnavailable(t, impatient.WriteHastily(e.ctx, func(tx *db.Tx) error { return add(tx, 1) }))
		wantUnavailable(t, impatient.WriteBriefly(e.ctx, func(*db.Rows) {}, "UPDATE counter SET n = 7 RETURNING n"))
		return nil
	})
	if n := e.counter(t, 1); n != 1 {
		t.Errorf("counter is %d", n)
	}
	impatient.SetHastyWait(time.Minute) // of a busy machine, too
	if err := impatient.WriteHastily(e.ctx, func(tx *db.Tx) error { return add(tx, 1) }); err != nil {
		t.Error(err)
	}
}
