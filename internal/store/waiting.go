package store

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// The head of the journal is one row, and a transaction that has it keeps it until its commit is on disk. On
// PostgreSQL writers that find it taken do not queue for it: they commit next to each other, their events without
// numbers in journal_waiting and their counts in tally_waiting. The next transaction that has the head, on any
// instance, takes all of that into the journal before its own events. A call is answered when its events have their
// numbers and are on disk. A crash in between leaves them waiting for the next one with the head.
//
// What depends on another change was made after that was committed. So it waits with a higher ID, or is numbered by
// somebody who has seen the other wait: the journal tells the two in their order.

// waitingEvent is an event as it waits.
type waitingEvent struct {
	Actor  admitto.Actor
	Event  admitto.Event
	Logged admitto.Time
	Salt   []byte `json:",omitempty"`
}

// somethingWaits asks whether anything waits.
const somethingWaits = "EXISTS (SELECT 1 FROM journal_waiting) OR EXISTS (SELECT 1 FROM tally_waiting)"

// tryOrder is LockOrder unless somebody else has the order.
func (tx *Tx) tryOrder() (locked bool, err error) {
	if tx.checkLocks {
		tx.noteLock(heldLock{lockHead, 0})
	}
	var h head
	err = one(tx.query("SELECT id, logged, hash, "+somethingWaits+" FROM journal_head WHERE one = 1"+
		tx.dialect.skipLocked), func(r *db.Rows) {
		h.id, h.logged, h.hash, tx.othersWait = r.Int64(0), r.Time(1), r.Text(2), r.Bool(3)
	})
	if admitto.KindOf(err) == admitto.NotFound {
		return false, nil
	}
	tx.head = &h
	return err == nil, err
}

// leave puts counts and events where they wait.
func (tx *Tx) leave() error {
	for _, k := range tx.countedKeys() {
		c := tx.counters[k]
		if err := tx.queue("INSERT INTO tally_waiting (family, facet, block, n, low, high) VALUES ($1, $2, $3, $4, $5, $6)",
			k.family, k.facet, k.block, c.n, c.low, c.high); err != nil {
			return err
		}
	}
	if len(tx.events) == 0 {
		return nil
	}
	list := make([]waitingEvent, len(tx.events))
	for i, p := range tx.events {
		if p.logged == 0 {
			p.logged = tx.Now()
		}
		list[i] = waitingEvent{p.actor, p.event, p.logged, p.salt}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	tx.left = true
	return tx.queue("INSERT INTO journal_waiting (events) VALUES ($1)", string(text))
}

// take adds what others have left to what this transaction counts and records, in front of its own. The order must be
// locked.
func (tx *Tx) take() error {
	var left, counts []int64
	var earlier []pendingEvent
	var bad error
	err := each(tx.query(`SELECT id, events, NULL, NULL, 0, 0, 0, 0 FROM journal_waiting
		UNION ALL SELECT id, NULL, family, facet, block, n, low, high FROM tally_waiting ORDER BY 1`), func(r *db.Rows) {
		if r.Null(1) {
			counts = append(counts, r.Int64(0))
			tx.addCounter(counterKey{r.Text(2), r.Text(3), r.Int64(4)}, counter{r.Int64(5), r.Int64(6), r.Int64(7)})
			return
		}
		left = append(left, r.Int64(0))
		var list []waitingEvent
		if err := json.Unmarshal(r.Raw(1), &list); err != nil {
			bad = err
		}
		for _, w := range list {
			earlier = append(earlier, pendingEvent{w.Actor, w.Event, w.Logged, w.Salt})
		}
	})
	if err == nil {
		err = bad
	}
	if err != nil {
		return err
	}
	tx.events = append(earlier, tx.events...)
	if len(left) > 0 {
		err = tx.queue("DELETE FROM journal_waiting WHERE "+tx.dialect.in("id", 1), left)
	}
	if len(counts) > 0 && err == nil {
		err = tx.queue("DELETE FROM tally_waiting WHERE "+tx.dialect.in("id", 1), counts)
	}
	return err
}

// takeNow has the journal hold what waits, with what this transaction has recorded so far, for statements that change
// what is in the journal.
func (tx *Tx) takeNow() error {
	if tx.dialect.engine == db.SQLite {
		return nil // nothing waits
	}
	if err := tx.LockOrder(); err != nil {
		return err
	}
	if err := tx.take(); err != nil {
		return err
	}
	return tx.writeEvents()
}

// TakeWaiting takes what waits into the journal, if anything does: what a process has left that died.
func (s *Store) TakeWaiting(ctx context.Context) error {
	var waits bool
	err := s.Read(ctx, func(tx *Tx) error {
		return one(tx.query("SELECT "+somethingWaits), func(r *db.Rows) { waits = r.Bool(0) })
	})
	if err != nil || !waits {
		return err
	}
	return s.order(ctx, orderWait)
}

// orderWait is how long the head of the journal is waited for. An instance that stands still with it is ended before;
// one whose commit hangs, since the server waits for its replica, cannot be.
const orderWait = 15 * time.Second

// order takes what waits into the journal.
func (s *Store) order(ctx context.Context, wait time.Duration) error {
	return s.db.WriteWithin(ctx, wait, func(dtx *db.Tx) error {
		tx := &Tx{sql: dtx, dialect: s.dialect, checkLocks: s.checkLocks}
		if err := tx.LockOrder(); err != nil {
			return err
		}
		tx.othersWait = true
		return tx.finish()
	})
}

// turns has one goroutine at a time do a work for all who want it.
type turns struct {
	work func() error

	mu   sync.Mutex
	busy bool
	next *turn // that has not begun; nil when nobody waits for one
}

type turn struct {
	done chan struct{}
	err  error
}

// wait returns the outcome of a turn that begins after the call.
func (t *turns) wait() error {
	t.mu.Lock()
	if t.next == nil {
		t.next = &turn{done: make(chan struct{})}
	}
	mine := t.next
	if !t.busy {
		t.busy = true
		go t.run()
	}
	t.mu.Unlock()
	<-mine.done
	return mine.err
}

// run does turns until nobody waits for one.
func (t *turns) run() {
	for {
		t.mu.Lock()
		now := t.next
		t.next = nil
		if now == nil {
			t.busy = false
			t.mu.Unlock()
			return
		}
		t.mu.Unlock()
		now.err = t.once()
		close(now.done)
	}
}

// once does the work and turns a panic into an error, since nobody else would stop it from ending the process.
func (t *turns) once() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return t.work()
}
