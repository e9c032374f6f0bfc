package db_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/wait"
)

// together runs the writers as one group on SQLite: each waits for the connection when the one before it does, and the
// first goes on when all wait. PostgreSQL runs them side by side.
func (e *env) together(t *testing.T, writers ...func(cancel func(), tx *db.Tx) error) (ended []chan error) {
	t.Helper()
	goOn := make(chan struct{})
	for i, writer := range writers {
		end, inside := make(chan error, 1), make(chan struct{})
		ctx, cancel := context.WithCancel(e.ctx)
		t.Cleanup(cancel)
		var once sync.Once
		go func() {
			end <- e.Write(ctx, func(tx *db.Tx) error {
				once.Do(func() { close(inside) })
				if i == 0 {
					<-goOn
				}
				return writer(cancel, tx)
			})
		}()
		if i == 0 {
			<-inside
		} else if e.Engine() == db.SQLite {
			wait.Until(t, "the writers wait", func() bool { return db.WaitingWriters() == i })
		}
		ended = append(ended, end)
	}
	close(goOn)
	return ended
}

// Nothing of a group is seen or answered before all of it is stored; who is refused waits as well.
func testGroupIsSeenWhole(t *testing.T, e *env) {
	if e.Engine() == db.PostgreSQL {
		return // writers run side by side there
	}
	e.script(t, counterSchema)
	e.SetGroupClock(func() time.Time { return time.Time{} }) // it stays together however long that takes
	mine := errors.New("mine")
	inside, goOn := make(chan struct{}), make(chan struct{})
	ended := e.together(t,
		func(_ func(), tx *db.Tx) error { return add(tx, 1) },
		func(_ func(), tx *db.Tx) error {
			if n, err := number(tx, "SELECT n FROM counter WHERE id = 1"); n != 1 || err != nil {
				t.Errorf("the second finds %d, %v", n, err)
			}
			return errors.Join(add(tx, 1), mine)
		},
		func(_ func(), tx *db.Tx) error {
			close(inside)
			<-goOn
			return add(tx, 1)
		})
	<-inside
	if n := e.counter(t, 1); n != 0 {
		t.Errorf("a reader sees %d while the group is open", n)
	}
	if len(ended[0])+len(ended[1])+len(ended[2]) != 0 {
		t.Error("somebody is answered while the group is open")
	}
	close(goOn)
	if err := <-ended[0]; err != nil {
		t.Error(err)
	}
	if err := <-ended[1]; !errors.Is(err, mine) {
		t.Error(err)
	}
	if err := <-ended[2]; err != nil {
		t.Error(err)
	}
	if n := e.counter(t, 1); n != 2 {
		t.Errorf("counter is %d", n)
	}
}

// A part that takes long does not hold up the others: they are stored, and it runs again by itself.
func testGroupGoesOn(t *testing.T, e *env) {
	if e.Engine() == db.PostgreSQL {
		return
	}
	e.script(t, counterSchema)
	var late atomic.Int64
	e.SetGroupClock(func() time.Time { return time.Unix(0, late.Load()) })
	tries := 0
	ended := e.together(t,
		func(_ func(), tx *db.Tx) error { return add(tx, 1) },
		func(_ func(), tx *db.Tx) error {
			if tries++; tries == 1 {
				late.Add(int64(db.HeldUp) + 1)
			} else if n := e.counter(t, 1); n != 1 {
				t.Errorf("counter is %d at the second try", n)
			}
			if err := add(tx, 2); err != nil {
				return fmt.Errorf("in words of the caller: %w", err)
			}
			return nil
		})
	for _, end := range ended {
		if err := <-end; err != nil {
			t.Error(err)
		}
	}
	if a, b := e.counter(t, 1), e.counter(t, 2); a != 1 || b != 1 || tries != 2 {
		t.Errorf("counters are %d and %d after %d tries", a, b, tries)
	}
}

// What ends one part leaves the others: a context that is done, a constraint, a constraint that is deferred to the
// commit, an error that takes back everything.
func testGroupLosesNobody(t *testing.T, e *env) {
	e.script(t, counterSchema+`;
		CREATE TABLE child (id bigint PRIMARY KEY, of bigint REFERENCES counter (id) DEFERRABLE INITIALLY DEFERRED)`)
	good := func(_ func(), tx *db.Tx) error { return add(tx, 1) }
	for name, bad := range map[string]struct {
		writer func(cancel func(), tx *db.Tx) error
		want   func(error) bool
	}{
		"constraint": {
			func(_ func(), tx *db.Tx) error {
				_, err := tx.Exec("INSERT INTO counter VALUES (1, 1)")
				return errors.Join(add(tx, 1), err)
			},
			func(err error) bool { return errors.Is(err, db.ErrUnique) },
		},
		"deferred": {
			func(_ func(), tx *db.Tx) error {
				_, err := tx.Exec("INSERT INTO child VALUES (1, 7)")
				return err
			},
			func(err error) bool { return errors.Is(err, db.ErrForeignKey) },
		},
		"canceled": {
			func(cancel func(), tx *db.Tx) error {
				cancel()
				return add(tx, 2)
			},
			func(err error) bool { return errors.Is(err, context.Canceled) },
		},
		"full": {
			func(_ func(), tx *db.Tx) error {
				return errors.Join(tx.Script(e.pick("PRAGMA max_page_count = 1; CREATE TABLE much (t text)",
					"CREATE TABLE counter (id bigint)")), add(tx, 1))
			},
			func(err error) bool { return err != nil },
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := e.counter(t, 1)
			ended := e.together(t, good, bad.writer, good, bad.writer, good)
			for i, end := range ended {
				if err := <-end; i%2 == 0 && err != nil || i%2 == 1 && !bad.want(err) {
					t.Errorf("writer %d: %v", i, err)
				}
			}
			if n := e.counter(t, 1) - before; n != 3 {
				t.Errorf("%d of 3 are stored", n)
			}
			if e.Engine() == db.SQLite {
				e.script(t, "PRAGMA max_page_count = 1000000")
			}
		})
	}
}

// A statement that took long the last time runs in no group, which would have to wait for its end, until it is quick
// again.
func testGroupWithoutSlow(t *testing.T, e *env) {
	if e.Engine() == db.PostgreSQL {
		return
	}
	e.script(t, counterSchema)
	var now, took atomic.Int64
	e.SetGroupClock(func() time.Time { return time.Unix(0, now.Add(took.Load())) })
	var tries int
	other := func(_ func(), tx *db.Tx) error {
		if tries++; tries == 2 {
			if n := e.counter(t, 1); n != 1 {
				t.Errorf("counter is %d while the slow one runs", n)
			}
		}
		_, err := tx.Exec("UPDATE counter SET n = n + 10 WHERE id = $1", 2)
		return err
	}
	took.Store(int64(db.Slow) + 1)
	e.write(t, func(tx *db.Tx) error { return other(nil, tx) })
	took.Store(0)
	for _, want := range []int{2, 1} {
		tries = 0
		ended := e.together(t, func(_ func(), tx *db.Tx) error { return add(tx, 1) }, other)
		for _, end := range ended {
			if err := <-end; err != nil {
				t.Error(err)
			}
		}
		if tries != want {
			t.Errorf("it ran %d times, want %d", tries, want)
		}
	}
	if a, b := e.counter(t, 1), e.counter(t, 2); a != 2 || b != 30 {
		t.Errorf("counters are %d and %d", a, b)
	}
}

// A query is slow when its rows took long together, however quickly each came.
func testGroupWithoutSlowRows(t *testing.T, e *env) {
	if e.Engine() == db.PostgreSQL {
		return
	}
	e.script(t, counterSchema)
	var now, took atomic.Int64
	e.SetGroupClock(func() time.Time { return time.Unix(0, now.Add(took.Load())) })
	tries := 0
	lists := func(_ func(), tx *db.Tx) error {
		tries++
		rows := tx.Query("SELECT id FROM counter")
		for rows.Next() {
		}
		return rows.Close()
	}
	took.Store(int64(db.Slow) / 2)
	e.write(t, func(tx *db.Tx) error { return lists(nil, tx) })
	took.Store(0)
	for _, want := range []int{2, 1} {
		tries = 0
		for _, end := range e.together(t, func(_ func(), tx *db.Tx) error { return add(tx, 1) }, lists) {
			if err := <-end; err != nil {
				t.Error(err)
			}
		}
		if tries != want {
			t.Errorf("it ran %d times, want %d", tries, want)
		}
	}
}

// Who panics or ends the goroutine, and who goes away while waiting, leaves the others of the group.
func testGroupPanics(t *testing.T, e *env) {
	e.script(t, counterSchema)
	e.SetGroupClock(func() time.Time { return time.Time{} })
	goOn, inside := make(chan struct{}), make(chan struct{})
	good, away, ended := make(chan error, 2), make(chan error, 1), make(chan any, 2)
	waits := func(n int) {
		if e.Engine() == db.SQLite {
			wait.Until(t, "the writers wait", func() bool { return db.WaitingWriters() == n })
		}
	}
	go func() {
		good <- e.Write(e.ctx, func(tx *db.Tx) error {
			close(inside)
			<-goOn
			return add(tx, 1)
		})
	}()
	<-inside
	for i, end := range []func(){func() { panic("mine") }, runtime.Goexit} {
		go func() {
			defer func() { ended <- recover() }()
			_ = e.Write(e.ctx, func(tx *db.Tx) error {
				if err := add(tx, 1); err != nil {
					t.Error(err)
				}
				end()
				return nil
			})
		}()
		waits(i + 1)
	}
	ctx, cancel := context.WithCancel(e.ctx)
	go func() { away <- e.Write(ctx, func(tx *db.Tx) error { return add(tx, 2) }) }()
	waits(3)
	if e.Engine() == db.SQLite {
		cancel()
		if err := <-away; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v for who went away", err)
		}
	}
	go func() { good <- e.Write(e.ctx, func(tx *db.Tx) error { return add(tx, 1) }) }()
	waits(3)
	close(goOn)
	for range 2 {
		if p := <-ended; p != nil && p != "mine" {
			t.Error(p)
		}
		if err := <-good; err != nil {
			t.Error(err)
		}
	}
	cancel()
	if n := e.counter(t, 1); n != 2 {
		t.Errorf("counter is %d", n)
	}
}

// Whatever many writers meet, what is acknowledged is stored, and nothing else.
func testGroupOfMany(t *testing.T, e *env) {
	e.script(t, "CREATE TABLE made (id bigint PRIMARY KEY)")
	mine := errors.New("mine")
	var acknowledged sync.Map
	var stored atomic.Int64
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			for i := range 60 {
				id := int64(1000*w + i)
				ctx, cancel := context.WithCancel(e.ctx)
				err := e.Write(ctx, func(tx *db.Tx) error {
					if _, err := tx.Exec("INSERT INTO made VALUES ($1)", id); err != nil {
						return err
					}
					switch rand.N(8) {
					case 0:
						return mine
					case 1:
						_, err := tx.Exec("INSERT INTO made VALUES ($1)", id)
						return err
					case 2:
						cancel()
					}
					return nil
				})
				if err == nil {
					acknowledged.Store(id, true)
					stored.Add(1)
				} else if !errors.Is(err, mine) && !errors.Is(err, db.ErrUnique) && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	all.Wait()
	e.read(t, func(tx *db.Tx) error {
		rows := tx.Query("SELECT id FROM made")
		for rows.Next() {
			if _, ok := acknowledged.Load(rows.Int64(0)); !ok {
				t.Errorf("%d is stored and was not acknowledged", rows.Int64(0))
			}
		}
		return rows.Close()
	})
	if n := e.count(t, "made"); n != stored.Load() || n < 100 {
		t.Errorf("%d are stored, %d were acknowledged", n, stored.Load())
	}
}

// Who waits for a group when the database is closed is answered.
func testGroupIsClosed(t *testing.T, e *env) {
	e.script(t, counterSchema)
	other := open(t, e.url, e.opts)
	other.SetGroupClock(func() time.Time { return time.Time{} })
	inside, goOn := make(chan struct{}), make(chan struct{})
	ended := other.together(t,
		func(_ func(), tx *db.Tx) error { return add(tx, 1) },
		func(_ func(), tx *db.Tx) error {
			close(inside)
			<-goOn
			return add(tx, 2)
		})
	<-inside
	closed := make(chan error, 1)
	go func() { closed <- other.Close() }()
	close(goOn)
	for _, end := range ended {
		if err := <-end; err != nil {
			t.Error(err)
		}
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if a, b := e.counter(t, 1), e.counter(t, 2); a != 1 || b != 1 {
		t.Errorf("counters are %d and %d", a, b)
	}
}
