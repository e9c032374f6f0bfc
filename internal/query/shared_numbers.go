package query

import (
	"context"
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
)

// sharedNumbers keeps numbers that are the same for everybody who may see them. Permissions are checked before, so
// nothing of a caller is kept.
type sharedNumbers struct {
	mu   sync.Mutex
	kept map[string]*keptNumbers
	turn chan struct{} // held while numbers are counted that somebody has older ones of
}

type keptNumbers struct {
	mu       sync.Mutex
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
	former, ok := k.value.(T)
	at, age := k.at, now-k.at
	if ok = ok && age >= 0; ok && age < sharedFor {
		k.mu.Unlock()
		return former, at, nil
	}
	ok = ok && age < sharedAtMost
	c := k.counting
	if c == nil {
		c = &counting{done: make(chan struct{}), at: now}
		k.counting = c
		go s.count(context.WithoutCancel(ctx), k, c, ok, func(tx *store.Tx) (any, error) { return count(tx) })
	}
	k.mu.Unlock()
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
func (s *Service) count(ctx context.Context, k *keptNumbers, c *counting, queue bool, count func(*store.Tx) (any, error)) {
	ctx, cancel := context.WithTimeout(ctx, countedWithin)
	defer cancel()
	if queue {
		s.numbers.turn <- struct{}{}
		defer func() { <-s.numbers.turn }()
	}
	c.err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		c.value, err = count(tx)
		return err
	})
	k.mu.Lock()
	defer k.mu.Unlock()
	if c.err == nil {
		k.value, k.at = c.value, c.at
	}
	k.counting = nil
	close(c.done)
}
