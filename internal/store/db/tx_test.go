package db_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/wait"
)

const counterSchema = "CREATE TABLE counter (id bigint PRIMARY KEY, n bigint); INSERT INTO counter VALUES (1, 0), (2, 0)"

func add(tx *db.Tx, id int) error {
	_, err := tx.Exec("UPDATE counter SET n = n + 1 WHERE id = $1", id)
	return err
}

func (e *env) counter(t *testing.T, id int) (n int64) {
	t.Helper()
	e.read(t, func(tx *db.Tx) (err error) {
		n, err = number(tx, "SELECT n FROM counter WHERE id = $1", id)
		return err
	})
	return n
}

func testNow(t *testing.T, e *env) {
	e.write(t, func(tx *db.Tx) error {
		first := tx.Now()
		if off := time.Since(first.Std()); off.Abs() > time.Minute {
			t.Errorf("now is off by %s", off)
		}
		if second := tx.Now(); second != first {
			t.Errorf("now moved from %d to %d", first, second)
		}
		return nil
	})
	instant := admitto.Time(1_772_355_600_000_000)
	o := e.opts
	o.Clock = func() admitto.Time { instant++; return instant }
	other := open(t, e.url, o)
	for i := range 2 {
		other.read(t, func(tx *db.Tx) error {
			if a, b := tx.Now(), tx.Now(); a != b || a != 1_772_355_600_000_001+admitto.Time(i) {
				t.Errorf("got %d, then %d", a, b)
			}
			return nil
		})
	}
}

func testRollback(t *testing.T, e *env) {
	e.script(t, counterSchema)
	mine := errors.New("mine")
	err := e.Write(e.ctx, func(tx *db.Tx) error {
		if err := add(tx, 1); err != nil {
			t.Error(err)
		}
		return mine
	})
	if err != mine { // it comes back as it is
		t.Errorf("got %v", err)
	}
	if n := e.counter(t, 1); n != 0 {
		t.Errorf("counter is %d", n)
	}
}

func testPanic(t *testing.T, e *env) {
	e.script(t, counterSchema)
	for range 30 { // more than there are connections
		for _, run := range []func(context.Context, func(*db.Tx) error) error{e.Read, e.Write} {
			func() {
				defer func() {
					if r := recover(); r != "mine" {
						t.Errorf("recovered %v", r)
					}
				}()
				_ = run(e.ctx, func(tx *db.Tx) error {
					tx.Query("SELECT id FROM counter").Next()
					panic("mine")
				})
			}()
		}
	}
	func() {
		defer func() { _ = recover() }()
		_ = e.Write(e.ctx, func(tx *db.Tx) error {
			if err := add(tx, 1); err != nil {
				t.Error(err)
			}
			panic("mine")
		})
	}()
	if n := e.counter(t, 1); n != 0 {
		t.Errorf("counter is %d", n)
	}
}

func testFailedStatement(t *testing.T, e *env) {
	e.script(t, counterSchema)
	err := e.Write(e.ctx, func(tx *db.Tx) error {
		if err := add(tx, 1); err != nil {
			t.Error(err)
		}
		_, err := tx.Exec("INSERT INTO counter VALUES (1, 1)")
		if !errors.Is(err, db.ErrUnique) {
			t.Error(err)
		}
		if err := add(tx, 2); !errors.Is(err, db.ErrUnique) {
			t.Errorf("a statement after it: %v", err)
		}
		return nil
	})
	if !errors.Is(err, db.ErrUnique) {
		t.Error(err)
	}
	if e.counter(t, 1) != 0 || e.counter(t, 2) != 0 {
		t.Error("something was committed")
	}
}

func testAfterEnd(t *testing.T, e *env) {
	var kept *db.Tx
	var rows *db.Rows
	e.read(t, func(tx *db.Tx) error {
		kept, rows = tx, tx.Query("SELECT 1 UNION ALL SELECT 2")
		return nil
	})
	if rows.Next() {
		t.Error("rows go on after the end")
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
	if _, err := kept.Exec("SELECT 1"); err == nil {
		t.Error("a statement runs after the end")
	}
}

func testSnapshot(t *testing.T, e *env) {
	e.script(t, counterSchema)
	e.read(t, func(tx *db.Tx) error {
		for range 2 {
			if n, err := number(tx, "SELECT n FROM counter WHERE id = 1"); n != 0 || err != nil {
				t.Errorf("the reader sees %d, %v", n, err)
			}
			ctx, cancel := context.WithTimeout(e.ctx, 5*time.Second)
			defer cancel()
			if err := e.Write(ctx, func(tx *db.Tx) error { return add(tx, 1) }); err != nil {
				t.Error("the reader blocks the writer: ", err)
			}
		}
		return nil
	})
	e.write(t, func(tx *db.Tx) error {
		if err := add(tx, 1); err != nil {
			return err
		}
		if n := e.counter(t, 1); n != 2 {
			t.Errorf("a reader beside the writer sees %d", n)
		}
		return nil
	})
}

func testReadOnly(t *testing.T, e *env) {
	e.script(t, counterSchema)
	for _, sql := range []string{"UPDATE counter SET n = 7", "DELETE FROM counter", "CREATE TABLE more (id bigint)"} {
		err := e.Read(e.ctx, func(tx *db.Tx) error { _, err := tx.Exec(sql); return err })
		if err == nil || admitto.KindOf(err) != admitto.Internal {
			t.Errorf("%s: %v", sql, err)
		}
	}
	if n := e.counter(t, 1); n != 0 {
		t.Errorf("counter is %d", n)
	}
}

// testRetry makes two transactions that cannot be put into an order.
func testRetry(t *testing.T, e *env) {
	e.script(t, counterSchema)
	if e.Engine() == db.SQLite {
		testLockedFile(t, e)
		return
	}
	tries := 0
	run := func(meddle func(try int) bool) error {
		tries = 0
		return e.Write(e.ctx, func(tx *db.Tx) error {
			tries++
			if err := tx.Script("ROLLBACK; BEGIN ISOLATION LEVEL SERIALIZABLE"); err != nil {
				return err
			}
			if _, err := number(tx, "SELECT n FROM counter WHERE id = 1"); err != nil {
				return err
			}
			if meddle(tries) {
				if err := e.Write(e.ctx, func(tx *db.Tx) error { return add(tx, 1) }); err != nil {
					return err
				}
			}
			if err := add(tx, 1); err != nil {
				return fmt.Errorf("in words of the caller: %w", err)
			}
			return nil
		})
	}
	if err := run(func(try int) bool { return try < 3 }); err != nil || tries != 3 {
		t.Errorf("%d tries, %v", tries, err)
	}
	if n := e.counter(t, 1); n != 3 {
		t.Errorf("counter is %d", n)
	}
	wantUnavailable(t, run(func(int) bool { return true }))
	if tries != 10 {
		t.Errorf("%d tries", tries)
	}
}

// watched is a context that knows how often it was looked at: who waits for a lock does so at each try.
type watched struct {
	context.Context
	looks atomic.Int64
}

func (w *watched) Done() <-chan struct{} {
	w.looks.Add(1)
	return w.Context.Done()
}

// testLockedFile writes while another opening of the same file, as by another process, holds the lock.
func testLockedFile(t *testing.T, e *env) {
	other := open(t, e.url, e.opts)
	locked, release := make(chan struct{}), make(chan struct{})
	var hold sync.WaitGroup
	hold.Go(func() {
		if err := other.Write(e.ctx, func(tx *db.Tx) error {
			close(locked)
			<-release
			return add(tx, 1)
		}); err != nil {
			t.Error(err)
		}
	})
	<-locked
	ctx, cancel := context.WithTimeout(e.ctx, 50*time.Millisecond)
	defer cancel()
	if err := e.Write(ctx, func(tx *db.Tx) error { return add(tx, 1) }); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	impatient := open(t, e.url, e.opts)
	impatient.SetBusyWait(20 * time.Millisecond)
	wantUnavailable(t, impatient.Write(e.ctx, func(tx *db.Tx) error { return add(tx, 1) }))
	if n := e.counter(t, 1); n != 0 {
		t.Errorf("counter is %d", n)
	}
	waiting := &watched{Context: e.ctx}
	hold.Go(func() {
		wait.Ever(func() bool { return waiting.looks.Load() > 5 }, nil)
		close(release)
	})
	if err := e.Write(waiting, func(tx *db.Tx) error { return add(tx, 1) }); err != nil {
		t.Error(err)
	}
	hold.Wait()
	if n := e.counter(t, 1); n != 2 {
		t.Errorf("counter is %d", n)
	}
}

// testAgain has a transaction run twice: what the first run did is undone, and no statement of it is counted.
func testAgain(t *testing.T, e *env) {
	e.script(t, counterSchema)
	between := 0
	o := e.opts
	o.Again = func() {
		if between++; between == 1 && e.counter(t, 1) != 0 {
			t.Error("the first run is there")
		}
	}
	twice := open(t, e.url, o)
	runs, before := 0, twice.Statements()
	twice.write(t, func(tx *db.Tx) error { runs++; return add(tx, 1) })
	if n := e.counter(t, 1); n != 1 || runs != 2 || between != 1 || twice.Statements() != before+1 {
		t.Errorf("counter is %d after %d runs, %d between, %d statements", n, runs, between, twice.Statements()-before)
	}
	mine := errors.New("mine")
	if err := twice.Write(e.ctx, func(tx *db.Tx) error { return errors.Join(add(tx, 1), mine) }); !errors.Is(err, mine) {
		t.Error(err)
	}
}

// testConflict lets two transactions take two rows in opposite order: PostgreSQL finds a deadlock and the
// loser runs again, or both when each is found at the same time; SQLite runs them one after the other.
func testConflict(t *testing.T, e *env) {
	e.script(t, counterSchema)
	var tries atomic.Int64
	var meet, done sync.WaitGroup
	meet.Add(2)
	for _, order := range [][2]int{{1, 2}, {2, 1}} {
		first := true
		done.Go(func() {
			if err := e.Write(e.ctx, func(tx *db.Tx) error {
				tries.Add(1)
				if err := add(tx, order[0]); err != nil {
					return err
				}
				if first && e.Engine() == db.PostgreSQL {
					first = false
					meet.Done()
					meet.Wait()
				}
				return add(tx, order[1])
			}); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if e.counter(t, 1) != 2 || e.counter(t, 2) != 2 {
		t.Error("an addition was lost or done twice")
	}
	n := tries.Load()
	if e.Engine() == db.SQLite && n < 2 || e.Engine() == db.PostgreSQL && n < 3 {
		t.Errorf("%d tries", n)
	}
}

// testStandsStill has a writer stand still with a row that it has locked: the server ends it, and others get the row.
// One that may be slow has no such limit.
func testStandsStill(t *testing.T, e *env) {
	if e.Engine() == db.SQLite {
		return // its writer is in no other process
	}
	e.script(t, counterSchema)
	still := open(t, e.url, e.opts)
	still.SetIdleTimeout(50 * time.Millisecond)
	locked, goOn, end := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		for begun := false; !begun; { // a busy machine may stand still before it has locked the row
			err := still.Write(e.ctx, func(tx *db.Tx) error {
				if err := add(tx, 1); err != nil {
					return err
				}
				begun = true
				close(locked)
				<-goOn
				return add(tx, 1)
			})
			if begun || admitto.KindOf(err) != admitto.Unavailable {
				end <- err
				return
			}
		}
	}()
	select {
	case <-locked:
	case err := <-end:
		t.Fatal(err)
	}
	e.write(t, func(tx *db.Tx) error { return add(tx, 1) })
	close(goOn)
	wantUnavailable(t, <-end)
	if n := e.counter(t, 1); n != 1 {
		t.Errorf("counter is %d", n)
	}
	for slow, want := range map[bool]string{false: "10s", true: "0"} {
		e.opts.Slow = slow
		open(t, e.url, e.opts).write(t, func(tx *db.Tx) error {
			limit, err := texts(tx, "SHOW idle_in_transaction_session_timeout")
			if err != nil || len(limit) != 1 || limit[0] != want {
				t.Errorf("slow %t: the limit is %v, %v", slow, limit, err)
			}
			return nil
		})
	}
}

func testParallelWriters(t *testing.T, e *env) {
	e.script(t, counterSchema)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 25 {
				if err := e.Write(e.ctx, func(tx *db.Tx) error { return add(tx, 1) }); err != nil {
					t.Error(err)
				}
				if err := e.Read(e.ctx, func(tx *db.Tx) error {
					_, err := number(tx, "SELECT n FROM counter")
					return err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := e.counter(t, 1); n != 200 {
		t.Errorf("counter is %d", n)
	}
}

func testCancelStatement(t *testing.T, e *env) {
	e.script(t, counterSchema)
	const forever = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"
	slow := e.pick(forever, "SELECT pg_sleep(60)")
	var canceled sync.WaitGroup
	defer canceled.Wait()
	for i := range 15 { // more than there are connections
		ctx, cancel := context.WithCancel(e.ctx)
		want := context.Canceled
		if i%2 == 1 {
			ctx, cancel = context.WithTimeout(e.ctx, 10*time.Millisecond)
			want = context.DeadlineExceeded
		} else {
			begun := e.Statements() + 2
			canceled.Go(func() {
				wait.Ever(func() bool { return e.Statements() >= begun }, nil) // the slow one has been sent
				cancel()
			})
		}
		start := time.Now()
		err := e.Write(ctx, func(tx *db.Tx) error {
			if err := add(tx, 1); err != nil {
				return err
			}
			return tx.Query(slow).Close()
		})
		if err2 := e.Read(ctx, func(tx *db.Tx) error { return nil }); err2 == nil {
			t.Error("a dead context reads")
		}
		cancel()
		if !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
		ctx, cancel = context.WithTimeout(e.ctx, 10*time.Millisecond)
		err = e.Read(ctx, func(tx *db.Tx) error {
			rows := tx.Query(slow)
			for rows.Next() {
				rows.Int64(0)
			}
			return rows.Close()
		})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Fatalf("it took %s", d)
		}
	}
	e.write(t, func(tx *db.Tx) error { return add(tx, 1) })
	if n := e.counter(t, 1); n != 1 {
		t.Errorf("counter is %d", n)
	}
}

func testCancelBeforeCommit(t *testing.T, e *env) {
	e.script(t, counterSchema)
	ctx, cancel := context.WithCancel(e.ctx)
	err := e.Write(ctx, func(tx *db.Tx) error {
		if tx.Context() != ctx || tx.Engine() != e.Engine() {
			t.Error("wrong context or engine")
		}
		err := add(tx, 1)
		cancel()
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n := e.counter(t, 1); n != 0 {
		t.Errorf("counter is %d", n)
	}
}

func testCancelWait(t *testing.T, e *env) {
	e.script(t, counterSchema)
	e.write(t, func(tx *db.Tx) error {
		if err := add(tx, 1); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(e.ctx, 30*time.Millisecond)
		defer cancel()
		if err := e.Write(ctx, func(tx *db.Tx) error { return add(tx, 1) }); !errors.Is(err, context.DeadlineExceeded) {
			t.Error("the second writer: ", err)
		}
		return nil
	})
	if n := e.counter(t, 1); n != 1 {
		t.Errorf("counter is %d", n)
	}
}

func testClosed(t *testing.T, e *env) {
	e.read(t, func(tx *db.Tx) error { return tx.Query("SELECT 1").Close() })
	for range 2 {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	wantUnavailable(t, e.Read(e.ctx, func(*db.Tx) error { return nil }))
	wantUnavailable(t, e.Write(e.ctx, func(*db.Tx) error { return nil }))
}
