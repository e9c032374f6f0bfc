package query

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

const (
	// sharedFor is how long numbers are shown that all readers share, without being counted again.
	sharedFor = 60 * admitto.Second
	// sharedAtMost is how old the numbers are at most that readers get while they are counted again.
	sharedAtMost = 10 * 60 * admitto.Second
	// sharedWait is how long such a reader waits, as on most instances counting is done by then.
	sharedWait = 50 * time.Millisecond
	// countedWithin bounds how long counting takes.
	countedWithin = time.Minute
	// keptAtMost is how old the numbers of a large instance are at most that readers get while they are counted again.
	keptAtMost = admitto.Day
	// keptForm is changed with what the numbers consist of, so that those of another release are not read.
	keptForm = "1 "
	// largeFrom is the highest ID of an application from which on an instance is large: counting takes longer than a
	// reader should wait. Its numbers are kept in the database, too, for the first reader after a start.
	largeFrom = 50_000
)

// sharedNumbers keeps numbers that are the same for everybody who may see them. Permissions are checked before, so
// nothing of a caller is kept.
type sharedNumbers struct {
	mu   sync.Mutex
	kept map[string]*keptNumbers
	from int64         // largeFrom, but for tests
	turn chan struct{} // held while numbers are counted that somebody has older ones of
}

type keptNumbers struct {
	mu       sync.Mutex
	sought   bool // in the database
	large    bool // the instance is
	at       admitto.Time
	value    any
	counting *counting // nil while nobody counts
}

// counting is the work on numbers that readers may wait for; value, at and err are set before done is closed.
type counting struct {
	done  chan struct{}
	at    admitto.Time
	value any
	err   error
}

// shared returns what count finds, or found a while ago, and when it was found. After sharedFor it is counted again
// while readers get the former numbers. Who finds none, or numbers too old to be shown, waits; it is counted once for
// all who wait.
func shared[T any](ctx context.Context, s *Service, key string, count func(*store.Tx) (T, error)) (T, admitto.Time, error) {
	k, now := s.numbers.of(key), s.core.Now()
	k.mu.Lock()
	if !k.sought {
		k.sought = true
		seek[T](ctx, s, k, key)
	}
	former, ok := k.value.(T)
	at, age := k.at, now-k.at
	if ok = ok && age >= 0; ok && age < sharedFor {
		k.mu.Unlock()
		return former, at, nil
	}
	ok = ok && (age < sharedAtMost || k.large && age < keptAtMost)
	c := k.counting
	if c == nil {
		c = &counting{done: make(chan struct{}), at: now}
		k.counting = c
		go s.count(context.WithoutCancel(ctx), key, k, c, ok, func(tx *store.Tx) (any, error) { return count(tx) })
	}
	large := k.large
	k.mu.Unlock()
	if ok && large {
		return former, at, nil
	}
	var enough <-chan time.Time // never, without numbers to return
	if ok {
		timer := time.NewTimer(sharedWait)
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case <-c.done:
		if ok && c.err != nil {
			return former, at, nil
		}
		v, _ := c.value.(T)
		return v, c.at, c.err
	case <-enough:
		return former, at, nil
	case <-ctx.Done():
		return former, at, ctx.Err()
	}
}

// seek takes numbers that are kept in the database; what cannot be read counts as none.
func seek[T any](ctx context.Context, s *Service, k *keptNumbers, key string) {
	var text string
	var at admitto.Time
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		text, at, err = tx.KeptNumbers(keptForm + key)
		return err
	})
	var value T
	if err != nil || text == "" || json.Unmarshal([]byte(text), &value) != nil {
		return
	}
	k.value, k.at, k.large = value, at, true
}

// of returns the place of numbers.
func (n *sharedNumbers) of(key string) *keptNumbers {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.kept == nil || len(n.kept) > 1000 {
		n.kept = map[string]*keptNumbers{}
	}
	k := n.kept[key]
	if k == nil {
		k = &keptNumbers{}
		n.kept[key] = k
	}
	return k
}

// count counts numbers. Those that nobody waits for are counted one after the other.
func (s *Service) count(ctx context.Context, key string, k *keptNumbers, c *counting, queue bool,
	count func(*store.Tx) (any, error)) {
	ctx, cancel := context.WithTimeout(ctx, countedWithin)
	defer cancel()
	if queue {
		s.numbers.turn <- struct{}{}
		defer func() { <-s.numbers.turn }()
	}
	var large bool
	c.err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		if c.value, err = count(tx); err != nil {
			return err
		}
		highest, err := tx.HighestApplication()
		large = highest >= s.numbers.from
		return err
	})
	k.mu.Lock()
	if c.err == nil {
		k.value, k.at, k.large = c.value, c.at, large
	}
	k.counting = nil
	close(c.done)
	k.mu.Unlock()
	if c.err == nil && large {
		s.keep(ctx, key, c)
	}
}

// keep keeps numbers in the database. Where that fails they are counted again after the next start.
func (s *Service) keep(ctx context.Context, key string, c *counting) {
	text, err := json.Marshal(c.value)
	if err == nil {
		err = s.core.Write(ctx, func(tx *store.Tx) error { return tx.KeepNumbers(keptForm+key, string(text), c.at) })
	}
	if err != nil {
		s.log.WarnContext(ctx, "numbers of the dashboard are not kept", "numbers", key, "error", err)
	}
}
